import { ApplicationFailure } from '@temporalio/common';
import type { ChargeDeps } from '../charges/effects.ts';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { CheckoutStatus } from '../domain/checkout.ts';
import type { CheckoutId } from '../domain/ids.ts';
import { expiredCheckoutEventData } from '../events/checkout.ts';
import { unattemptedDeliveries } from '../events/delivery-to-start.ts';
import { subscribedAmong, writeEvent } from '../events/record.ts';

export interface Expiry {
  readonly status: CheckoutStatus;
  /** When to check again, in milliseconds since 1970; null once the checkout has ended. */
  readonly lookAgainAtMs: number | null;
}

/** Charges ended at once: each costs a task of its own workflow. */
const BATCH = 50;

/** Charges end at their deadline by their own workflows. A check at the same instant would race them. */
const MOMENT_MS = 5_000;

/** What ending a checkout works with. */
export type EndCheckoutDeps = Pick<ChargeDeps, 'database' | 'publicUrl' | 'startDelivery' | 'cancelCharge'>;

/**
 * Ends an expired checkout, unless a charge that was begun in time can still be paid: a boleto outlives its
 * checkout.
 */
export async function expireCheckout(
  deps: EndCheckoutDeps,
  checkoutId: CheckoutId,
  now: Date,
): Promise<Expiry> {
  const expiry = await deps.database.em.fork().transactional(async (em): Promise<Expiry> => {
    const checkout = await locked(em, checkoutId);
    if (checkout.status !== 'PENDING') return { status: checkout.status, lookAgainAtMs: null };
    const closesAt = await lastDeadline(em, checkoutId);
    if (closesAt !== null)
      return { status: 'PENDING', lookAgainAtMs: lookAgainAtMs(checkout, closesAt.getTime(), now.getTime()) };
    const status = await end(em, checkoutId, 'EXPIRED', now);
    if (status === 'EXPIRED') await notifyExpired(deps, em, checkoutId, now);
    return { status, lookAgainAtMs: null };
  });
  if (expiry.status === 'EXPIRED') await startDeliveries(deps, checkoutId);
  return expiry;
}

/** The last deadline of its charges that wait for a payer; null if none waits. */
async function lastDeadline(em: Em, checkoutId: CheckoutId): Promise<Date | null> {
  const [last] = await em.execute<{ closes_at: string | null }[]>(
    `select max(closes_at) as closes_at from charges where checkout_id = :checkoutId and status = 'PENDING'`,
    { checkoutId },
  );
  return last?.closes_at ? new Date(last.closes_at) : null;
}

/** Right after the deadline. The longer that is overdue, the longer the pause. */
function lookAgainAtMs({ expires_at }: LockedCheckout, closesAtMs: number, nowMs: number): number {
  const overdueMs = nowMs - Math.max(closesAtMs, expires_at?.getTime() ?? nowMs);
  return Math.max(nowMs, closesAtMs) + Math.max(MOMENT_MS, overdueMs);
}

/**
 * Cancels a checkout. Its charges are closed first, so that an earlier payment is found and wins. The charges
 * of a link are closed afterwards ({@link closeOpenCharges}), as its payments are independent.
 */
export async function cancelCheckout(
  deps: EndCheckoutDeps,
  checkoutId: CheckoutId,
  now: Date,
): Promise<CheckoutStatus> {
  const em = deps.database.em.fork();
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
  if (checkout.status !== 'PENDING') return checkout.status;
  if (checkout.frequency !== 'MULTIPLE_PAYMENTS') await closeOpenCharges(deps, checkoutId);
  return end(em, checkoutId, 'CANCELLED', now);
}

/** Writes `checkout.expired` if someone is listening for it. */
async function notifyExpired(
  { publicUrl }: EndCheckoutDeps,
  em: Em,
  checkoutId: CheckoutId,
  now: Date,
): Promise<void> {
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId }, { disableIdentityMap: true });
  if ((await subscribedAmong(em, checkout, ['checkout.expired'])).length === 0) return;
  const { customerId } = checkout;
  const customer = customerId === null ? null : await em.findOne(CustomerEntity, { id: customerId });
  const data = expiredCheckoutEventData(checkout, customer, publicUrl);
  await writeEvent(em, checkout, 'checkout.expired', checkoutId, data, now);
}

/** Starts deliveries without an attempt, including those of an earlier run that died before it started them. */
async function startDeliveries(deps: EndCheckoutDeps, checkoutId: CheckoutId): Promise<void> {
  const left = await unattemptedDeliveries(deps.database.em.fork(), `checkout.expired/${checkoutId}`);
  await Promise.all(left.map((delivery) => deps.startDelivery(delivery)));
}

interface LockedCheckout {
  readonly status: CheckoutStatus;
  readonly expires_at: Date | null;
}

async function locked(em: Em, checkoutId: CheckoutId): Promise<LockedCheckout> {
  const [row] = await em.execute<{ status: CheckoutStatus; expires_at: string | null }[]>(
    'select status, expires_at from checkouts where id = :checkoutId for update',
    { checkoutId },
  );
  if (row === undefined)
    throw ApplicationFailure.nonRetryable(`No checkout ${checkoutId}`, 'CHECKOUT_NOT_FOUND');
  return { status: row.status, expires_at: row.expires_at === null ? null : new Date(row.expires_at) };
}

/** @returns the status afterwards: another one if the checkout had already ended. */
async function end(
  em: Em,
  checkoutId: CheckoutId,
  status: 'EXPIRED' | 'CANCELLED',
  now: Date,
): Promise<CheckoutStatus> {
  const change = { status, updatedAt: now };
  const changed = await em.nativeUpdate(CheckoutEntity, { id: checkoutId, status: 'PENDING' }, change);
  return changed === 1 ? status : (await locked(em, checkoutId)).status;
}

/**
 * Closes charges through their own workflows, so that those end too. Upsells stay open: they follow the payment,
 * not the checkout.
 */
export async function closeOpenCharges(deps: EndCheckoutDeps, checkoutId: CheckoutId): Promise<void> {
  const em = deps.database.em.fork();
  let after = '';
  for (;;) {
    const charges = await openCharges(em, checkoutId, after);
    await Promise.all(charges.map((charge) => deps.cancelCharge(charge)));
    if (charges.length < BATCH) return;
    after = charges.at(-1)?.id ?? after;
  }
}

function openCharges(em: Em, checkoutId: CheckoutId, after: string): Promise<Charge[]> {
  const where = {
    checkoutId,
    status: 'PENDING',
    upsellOf: null,
    cycleId: null,
    id: { $gt: after },
  } as never;
  return em.find(ChargeEntity, where, { orderBy: { id: 'asc' }, limit: BATCH, disableIdentityMap: true });
}
