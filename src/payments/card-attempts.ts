import { ChargeEntity } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import type { Em } from '../database/orm.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/**
 * Declined cards within an hour after which no further one is taken. A person who mistypes needs a few; who
 * tries out stolen numbers needs thousands. A payment link has many payers, who share its limit.
 */
const MAX_DECLINED = { ONE_TIME: 10, MULTIPLE_PAYMENTS: 100, SUBSCRIPTION: 10 } as const;
const WINDOW_MS = 60 * 60 * 1_000;

/** @throws PaymentRefusal TOO_MANY_ATTEMPTS */
export async function limitCardAttempts(em: Em, { id, frequency }: Checkout, now: Date): Promise<void> {
  const since = new Date(now.getTime() - WINDOW_MS);
  const declined = { checkoutId: id, method: 'CARD', status: 'FAILED', createdAt: { $gt: since } } as const;
  if ((await em.count(ChargeEntity, declined)) >= MAX_DECLINED[frequency]) {
    throw new PaymentRefusal('TOO_MANY_ATTEMPTS');
  }
}
