import { CARD_FEES_OPTION } from '../card-fees-option.ts';
import type { AccountOption } from '../provider-kind.ts';

/** What an account at Stripe needs; others use `--setting`. */
export const STRIPE_OPTIONS = [
  {
    name: 'stripeMode',
    flags: null,
    description: 'live, or test for keys that move no money',
    gives: 'SETTING',
    input: ['live', 'test'],
    isRequired: true,
  },
  {
    name: 'publishableKey',
    flags: '--publishable-key <key>',
    description: "Stripe's publishable key, pk_live_…",
    gives: 'SETTING',
    input: 'TEXT',
    isRequired: true,
  },
  {
    name: 'secretKey',
    flags: '--secret-key-file <file>',
    description: 'a restricted key of Stripe, rk_live_…; - reads standard input',
    gives: 'SECRET',
    input: 'SECRET_TEXT',
    isRequired: true,
  },
  {
    name: 'webhookSecret',
    flags: '--webhook-secret-file <file>',
    description: "the signing secret of Stripe's webhook endpoint, if you made it by hand",
    gives: 'SECRET',
    input: 'SECRET_TEXT',
    isRequired: false,
  },
  CARD_FEES_OPTION,
] as const satisfies readonly AccountOption[];
