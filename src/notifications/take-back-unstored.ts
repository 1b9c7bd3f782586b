import type { Logger } from 'pino';
import {
  forgetKeptOrder,
  forgetOrder,
  forgetStoredOrder,
  takeOrderBack,
  type UnstoredOrder,
  unstoredOrders,
} from '../charges/charge-orders.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeId, ProviderAccountId } from '../domain/ids.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { noteUnknownPayments } from './unknown-payments.ts';

/** Far longer than a request with a slow bank takes, and than a good client waits before it retries. */
const ABANDONED_AFTER_MS = 10 * 60_000;
const PAGE_SIZE = 100;
/**
 * One order may be refused for ever; a bank with this many failures in a row is unavailable, and would delay each
 * order.
 */
const FAILURES_IN_A_ROW = 3;

export interface TakeBackDeps {
  readonly database: Database;
  readonly log: Logger;
}

type AskedProvider = Pick<PaymentProvider, 'name' | 'charges'>;

interface TakenBack {
  readonly count: number;
  /** The provider's first error; null if it threw none. */
  readonly failure: unknown;
}

/**
 * Closes charges at their bank that it issued and that were never stored: the process died between the bank's
 * answer and its commit, or the request was refused after it, and no client has retried. The order is first
 * cancelled here, so that a process that wakes up late cannot store what is being closed. For a stored charge, only
 * the order's record is deleted. An order that may have been stored and lost in a restore is not closed, since a
 * payer may hold its code: its record is deleted once nobody can pay it (decision 4). A payment of either is noted
 * for a person; a repeated request records it.
 * @param now the workflow's time. @param isOver called before each page; throws to end early. An order that cannot
 *   be closed delays no other. @returns the number of finished orders, and the first failure; the next round
 *   continues.
 */
export async function takeBackUnstored(
  { database, log }: TakeBackDeps,
  provider: AskedProvider,
  now: Date,
  isOver: () => void,
): Promise<TakenBack> {
  const askedBefore = new Date(now.getTime() - ABANDONED_AFTER_MS);
  const notePaid = (payments: readonly ProviderPayment[]) =>
    noteUnknownPayments({ database, log }, provider.name as ProviderAccountId, payments, now);
  const takeBack = async (chargeId: ChargeId): Promise<boolean> => {
    if ((await takeOrderBack(database, { chargeId, askedBefore, now })).length === 0) {
      await forgetStoredOrder(database, { chargeId });
      return false;
    }
    const closed = await provider.charges.closeUnstored(chargeId);
    if (closed.outcome === 'PENDING') return false;
    if (closed.outcome === 'PAID') await notePaid([closed.payment]);
    await forgetOrder(database, { chargeId });
    const { outcome } = closed;
    log.info({ accountId: provider.name, chargeId, outcome }, 'unstored charge cancelled');
    return true;
  };
  const lookAt = async (chargeId: ChargeId): Promise<boolean> => {
    const found = await provider.charges.findUnstored(chargeId);
    if (found.status === 'OPEN') return false;
    if (found.status === 'PAID') await notePaid(found.payments);
    await forgetKeptOrder(database, { chargeId, askedBefore });
    log.info({ accountId: provider.name, chargeId, status: found.status }, 'kept order ended');
    return true;
  };
  let count = 0;
  let failure: unknown = null;
  let failedInARow = 0;
  const tryToEnd = async ({ chargeId, isKept }: UnstoredOrder): Promise<void> => {
    try {
      if (await (isKept ? lookAt(chargeId) : takeBack(chargeId))) count += 1;
      failedInARow = 0;
    } catch (error) {
      log.warn({ accountId: provider.name, chargeId, err: error }, 'unstored charge not cancelled');
      failure ??= error;
      failedInARow += 1;
    }
  };
  let after = '';
  for (let size = PAGE_SIZE; size === PAGE_SIZE; ) {
    isOver();
    const page = { provider: provider.name, askedBefore, after, limit: PAGE_SIZE };
    const orders = await unstoredOrders(database, page);
    for (const order of orders) {
      await tryToEnd(order);
      if (failedInARow === FAILURES_IN_A_ROW) return { count, failure };
    }
    size = orders.length;
    after = orders.at(-1)?.chargeId ?? after;
  }
  return { count, failure };
}
