import { checkout, coupon, paymentLink } from './checkouts.ts';
import { payout, transfer, withdrawal } from './payouts.ts';
import type { Scenario } from './shop.ts';
import { subscription } from './subscriptions.ts';
import { boleto, pix } from './transparents.ts';

/** All scenarios, by their weight. */
export const SCENARIOS = {
  pix: { weight: 30, scenario: pix },
  boleto: { weight: 10, scenario: boleto },
  checkout: { weight: 20, scenario: checkout },
  paymentLink: { weight: 8, scenario: paymentLink },
  coupon: { weight: 5, scenario: coupon },
  subscription: { weight: 12, scenario: subscription },
  payout: { weight: 5, scenario: payout },
  transfer: { weight: 8, scenario: transfer },
  withdrawal: { weight: 6, scenario: withdrawal },
} as const satisfies Record<string, { readonly weight: number; readonly scenario: Scenario }>;
