import type { Charge } from '../database/entities/charge.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CheckoutFrequency } from '../domain/checkout.ts';
import type { CheckoutId } from '../domain/ids.ts';
import { METHOD_TRAITS, SQL_DECIDED_BY_ISSUER, SQL_DECIDED_BY_NOBODY } from '../domain/payment-methods.ts';
import { PaymentRefusal } from './payment-refusal.ts';

/**
 * The most declined or undecided cards within an hour. A person with typing errors needs a few; someone who tests
 * stolen numbers needs thousands. Cards that are only verified, for a trial, count as well. The payers of a payment link share its limit. Upsells count as well.
 */
const MAX_ATTEMPTS: Readonly<Record<CheckoutFrequency, number>> = {
  ONE_TIME: 10,
  MULTIPLE_PAYMENTS: 100,
  SUBSCRIPTION: 10,
};
const WINDOW_MS = 60 * 60 * 1_000;

/** Reads no more index entries than the limit, however many payments a link has. */
const COUNT = statement<{ checkoutId: CheckoutId; since: Date; most: number }, { attempts: number }>(
  'count card attempts',
  () => `
  select count(*) as attempts from (
    select from charges
    where checkout_id = :checkoutId and created_at > :since
      and method in (${SQL_DECIDED_BY_ISSUER}) and status in ('PENDING', 'FAILED')
    union all
    select from charges
    where checkout_id = :checkoutId and created_at > :since
      and method in (${SQL_DECIDED_BY_NOBODY}) and card_token is not null and status in ('PENDING', 'FAILED')
    limit :most
  ) attempt`,
);

/**
 * Exact only if the transaction that inserts the charge has locked the checkout's row: concurrent payments then see
 * the earlier ones.
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
 * Like {@link limitCardAttempts}, in the transaction that inserts the charge: concurrent card payments of the
 * checkout wait for it. It takes its lock before any other on the checkout, which two transactions could not
 * upgrade without a deadlock.
 * @throws PaymentRefusal TOO_MANY_ATTEMPTS
 */
export async function limitCardCharge(
  em: Em,
  { method, cardToken, checkoutId, createdAt }: Charge,
): Promise<void> {
  const asksIssuer = METHOD_TRAITS[method].decidedBy === 'ISSUER' || cardToken !== null;
  if (!asksIssuer || checkoutId === null) return;
  const [checkout] = await LOCK_CHECKOUT(em, { checkoutId });
  if (checkout !== undefined) await limitCardAttempts(em, checkoutId, checkout.frequency, createdAt);
}
