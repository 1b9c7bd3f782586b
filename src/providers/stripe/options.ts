import type { AccountOption } from '../provider-kind.ts';

/** The options of `accounts add` and `accounts rotate` for Stripe; others use `--setting`. */
export const STRIPE_OPTIONS: readonly AccountOption[] = [
  {
    name: 'publishableKey',
    flags: '--publishable-key <key>',
    description: "Stripe's publishable key, pk_live_…",
    gives: 'SETTING',
  },
  {
    name: 'secretKey',
    flags: '--secret-key-file <file>',
    description: 'a restricted key of Stripe, rk_live_…; - reads standard input',
    gives: 'SECRET',
  },
  {
    name: 'webhookSecret',
    flags: '--webhook-secret-file <file>',
    description: "the signing secret of Stripe's webhook endpoint, if you made it by hand",
    gives: 'SECRET',
  },
];
