import type { AccountOption } from '../provider-kind.ts';

/** The options of `accounts add` and `accounts rotate` for Asaas; others use `--setting` or `--secret-file`. */
export const ASAAS_OPTIONS: readonly AccountOption[] = [
  {
    name: 'apiKey',
    flags: '--api-key-file <file>',
    description: "the API key of Asaas' account, $aact_…; - reads standard input",
    gives: 'SECRET',
  },
  {
    name: 'contactEmail',
    flags: '--contact-email <address>',
    description: 'to which Asaas writes if it stops notifying',
    gives: 'SETTING',
  },
];
