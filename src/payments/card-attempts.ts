import type { Charge } from '../database/entities/charge.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CheckoutFrequency } from '../domain/checkout.ts';
import type { CheckoutId } from '../domain/ids.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/**
 * Cards within an hour that were declined, or are being decided yet, after which no further one is taken. A
 * person who mistypes needs a few; who tries out stolen numbers needs thousands. A payment link has many
 * payers, who share its limit. What is bought besides counts as well.
 */
const MAX_ATTEMPTS: Readonly<Record<CheckoutFrequency, number>> = {
  ONE_TIME: 10,
  MULTIPLE_PAYMENTS: 100,
  SUBSCRIPTION: 10,
};
const WINDOW_MS = 60 * 60 * 1_000;

/** It reads no more entries of an index than the limit has, however many payments a link was given. */
const COUNT = statement<{ checkoutId: CheckoutId; since: Date; most: number }, { attempts: number }>(
  'count card attempts',
  () => `
  select count(*) as attempts from (
    select from charges
    where checkout_id = :checkoutId and created_at > :since
      and method = 'CARD' and status in ('PENDING', 'FAILED')
    limit :most
  ) attempt`,
);

/**
 * Exact only where the checkout's row is locked by the transaction that goes on to insert the charge: of many
 * at once each then sees those before it.
 * @throws PaymentRefusal TOO_MANY_ATTEMPTS
 */
export async function limitCardAttempts(
  on: Em | Database,
  checkoutId: CheckoutId,
  frequency: CheckoutFrequency,
  now: Date,
): Promise<void> {
  const most = MAX_ATTEMPTS[frequency];
  const since = new Date(now.getTime() - WINDOW_MS);
  const [counted] = await COUNT(on, { checkoutId, since, most });
  if ((counted?.attempts ?? 0) >= most) throw new PaymentRefusal('TOO_MANY_ATTEMPTS');
}

const LOCK_CHECKOUT = statement<{ checkoutId: CheckoutId }, { frequency: CheckoutFrequency }>(
  'lock a checkout for a card',
  () => 'select frequency from checkouts where id = :checkoutId for no key update',
);

/**
 * The same for a charge that is about to be inserted, in its transaction: whoever begins another card payment
 * of the checkout waits for it. Before any other lock on the checkout, which two at once could not raise.
 * @throws PaymentRefusal TOO_MANY_ATTEMPTS
 */
export async function limitCardCharge(em: Em, { method, checkoutId, createdAt }: Charge): Promise<void> {
  if (method !== 'CARD' || checkoutId === null) return;
  const [checkout] = await LOCK_CHECKOUT(em, { checkoutId });
  if (checkout !== undefined) await limitCardAttempts(em, checkoutId, checkout.frequency, createdAt);
}
