import type { Logger } from 'pino';
import {
  forgetKeptOrder,
  forgetOrder,
  forgetStoredOrder,
  takeOrderBack,
  type UnstoredOrder,
  unstoredOrders,
} from '../database/charge-orders.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeId, ProviderAccountId } from '../domain/ids.ts';
import type { PaymentProvider, ProviderPayment } from '../providers/provider.ts';
import { noteUnknownPayments } from './unknown-payments.ts';

/** Far beyond what a request takes whose bank is slow, and what a good client waits before it asks again. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;
const PAGE_SIZE = 100;
/** One order may be refused for ever; a bank that fails so often in a row is away, and would have each order wait. */
const FAILURES_IN_A_ROW = 3;

export interface TakeBackDeps {
  readonly database: Database;
  readonly log: Logger;
}

type AskedProvider = Pick<PaymentProvider, 'name' | 'closeUnstored' | 'findUnstored'>;

interface TakenBack {
  readonly count: number;
  /** What the provider threw first; null where it threw nothing. */
  readonly failure: unknown;
}

/**
 * Closes, at their bank, charges that it was asked for and that were never stored: the process died between the bank's
 * answer and its commit, or the request was refused after it, and nobody has asked again. An order is first taken back
 * here, so that a process that wakes up late cannot store what is being closed. The order of a stored charge is only
 * forgotten. An order that may have been stored and lost
 * with a restore is not closed, since a payer may hold its code: it is forgotten once nobody can pay it (decision 56). A
 * payment of either is noted for a person; the request, made again, records it.
 * @param now the workflow's time. @param isOver asked before each page; ends it early by throwing.
 * An order that cannot be closed holds up no other. @returns how many orders nothing is left of, and the first failure;
 *   what is left is the next round's.
 */
export async function takeBackUnstored(
  { database, log }: TakeBackDeps,
  provider: AskedProvider,
  now: Date,
  isOver: () => void,
): Promise<TakenBack> {
  const askedBefore = new Date(now.getTime() - FORGOTTEN_AFTER_MS);
  const notePaid = (payments: readonly ProviderPayment[]) =>
    noteUnknownPayments({ database, log }, provider.name as ProviderAccountId, payments, now);
  const takeBack = async (chargeId: ChargeId): Promise<boolean> => {
    if ((await takeOrderBack(database, { chargeId, askedBefore, now })).length === 0) {
      await forgetStoredOrder(database, { chargeId });
      return false;
    }
    const closed = await provider.closeUnstored(chargeId);
    if (closed.outcome === 'PENDING') return false;
    if (closed.outcome === 'PAID') await notePaid([closed.payment]);
    await forgetOrder(database, { chargeId });
    const { outcome } = closed;
    log.info({ accountId: provider.name, chargeId, outcome }, 'unstored charge taken back');
    return true;
  };
  const lookAt = async (chargeId: ChargeId): Promise<boolean> => {
    const found = await provider.findUnstored(chargeId);
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
      log.warn({ accountId: provider.name, chargeId, err: error }, 'unstored charge not taken back');
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
