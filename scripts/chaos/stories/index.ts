import { checkout, coupon, paymentLink } from './checkouts.ts';
import { payout, transfer } from './payouts.ts';
import type { Story } from './shop.ts';
import { subscription } from './subscriptions.ts';
import { boleto, pix } from './transparents.ts';

/** Every kind of money, by how much of it there is. */
export const STORIES = {
  pix: { weight: 30, story: pix },
  boleto: { weight: 10, story: boleto },
  checkout: { weight: 20, story: checkout },
  paymentLink: { weight: 8, story: paymentLink },
  coupon: { weight: 5, story: coupon },
  subscription: { weight: 12, story: subscription },
  payout: { weight: 5, story: payout },
  transfer: { weight: 8, story: transfer },
} as const satisfies Record<string, { readonly weight: number; readonly story: Story }>;
