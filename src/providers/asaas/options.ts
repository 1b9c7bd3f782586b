import { CARD_FEES_OPTION } from '../card-fees-option.ts';
import type { AccountOption } from '../provider-kind.ts';

/** What an account at Asaas needs; others use `--setting` or `--secret-file`. */
export const ASAAS_OPTIONS = [
  {
    name: 'asaasEnvironment',
    flags: null,
    description: 'production, or sandbox, which moves no money',
    gives: 'SETTING',
    input: ['production', 'sandbox'],
    isRequired: true,
  },
  {
    name: 'apiKey',
    flags: '--api-key-file <file>',
    description: "the API key of Asaas' account, $aact_…; - reads standard input",
    gives: 'SECRET',
    input: 'SECRET_TEXT',
    isRequired: true,
  },
  {
    name: 'contactEmail',
    flags: '--contact-email <address>',
    description: 'to which Asaas writes if it stops notifying',
    gives: 'SETTING',
    input: 'TEXT',
    isRequired: true,
  },
  {
    name: 'payoutKey',
    flags: null,
    description: "the PIX key of the store's own account, which receives payouts",
    gives: 'SETTING',
    input: 'TEXT',
    isRequired: false,
  },
  CARD_FEES_OPTION,
] as const satisfies readonly AccountOption[];
