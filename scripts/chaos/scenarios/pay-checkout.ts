import type { Answer } from '../integrator.ts';
import type { Shop } from './shop.ts';

/** The default card of payers. */
export const APPROVED = '4242424242424242';

interface Payment {
  readonly id: string;
  readonly method: 'CARD' | 'PIX';
  readonly number?: string;
  readonly coupon?: string;
}

/**
 * Pays a checkout as its payer, who tries again if Recebe gave the payment up because the card's issuer was unreachable for too
 * long. That is no decline, and no money was taken.
 */
export async function payCheckout<Paid>(
  { integrator }: Pick<Shop, 'integrator'>,
  payment: Payment,
): Promise<Answer<Paid>> {
  const body = bodyOf(payment);
  for (;;) {
    const answer = await integrator.post<Paid>('checkouts/simulate-payment', body);
    if (answer.declineReason !== 'processing_error') return answer;
    integrator.note('card payments that were given up, and tried again');
  }
}

function bodyOf({ id, method, number = APPROVED, coupon }: Payment): object {
  const card = method === 'CARD' ? { card: { number } } : {};
  return { id, method, ...card, ...(coupon !== undefined && { coupon }) };
}
