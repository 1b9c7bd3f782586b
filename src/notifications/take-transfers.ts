import type { Logger } from 'pino';
import { noteAttention, wasResolved } from '../database/attention.ts';
import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Database } from '../database/orm.ts';
import type { PayoutId, ProviderAccountId, StoreId } from '../domain/ids.ts';
import { bookReturns } from '../payouts/payout-returns.ts';
import { revivePayout } from '../payouts/payout-revival.ts';
import { isTransferOf } from '../payouts/transfer-of.ts';
import type { SentTransfer } from '../providers/ports/payouts.ts';
import { unnotedTransfers } from './sent-listings.ts';

interface TakeStep {
  readonly database: Database;
  readonly log: Logger;
  readonly publicUrl: string;
  readonly accountId: ProviderAccountId;
  readonly storeId: StoreId;
  readonly now: Date;
  /** Unordered transfers since then are noted for a person; null for none. */
  readonly unknownSince: Date | null;
}

interface TakenTransfers {
  readonly returned: number;
  readonly revived: number;
  readonly unknown: number;
}

/**
 * Handles listed transfers of an account. A PENDING payout is left to its workflow, which asks about it and books
 * its returns at its end.
 */
export async function takeTransfers(
  step: TakeStep,
  transfers: readonly SentTransfer[],
): Promise<TakenTransfers> {
  if (transfers.length === 0) return { returned: 0, revived: 0, unknown: 0 };
  const payouts = await payoutsOf(step, transfers);
  let returned = 0;
  let revived = 0;
  const unknown: SentTransfer[] = [];
  for (const transfer of transfers) {
    const payout = payouts.get(transfer.reference ?? '') ?? null;
    if (payout === null || !isTransferOf(payout, transfer)) unknown.push(transfer);
    // A transfer of another account with the same bank account is booked when that account is listed.
    else if (payout.provider === step.accountId) {
      const { isRevived, returns } = await take(step, payout, transfer);
      if (isRevived) revived += 1;
      returned += returns;
    }
  }
  return { returned, revived, unknown: await noteUnknown(step, unknown, payouts) };
}

/** Payouts of any account and store: another account here may use the same bank account. */
async function payoutsOf({ database }: TakeStep, transfers: readonly SentTransfer[]) {
  const ids = transfers.flatMap(({ reference }) => (reference === null ? [] : [reference as PayoutId]));
  const where = { id: { $in: ids }, devMode: false };
  const payouts = await database.em.fork().find(PayoutEntity, where, { disableIdentityMap: true });
  return new Map<string, Payout>(payouts.map((payout) => [payout.id, payout]));
}

/** One transaction per payout; its lock decides what is new. */
async function take(step: TakeStep, payout: Payout, transfer: SentTransfer): Promise<BookedTransfer> {
  const nothing = { isRevived: false, returns: 0 };
  const { status, returnedCents } = payout;
  const hasEnded = status === 'COMPLETE' || status === 'REFUNDED';
  if (hasEnded && transfer.status === 'FAILED') await noteUndone(step, payout);
  if (transfer.status !== 'COMPLETE' || status === 'PENDING') return nothing;
  const backCents = transfer.returns.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (status !== 'FAILED' && backCents === returnedCents) return nothing;
  return bookTransfer(step, payout, transfer);
}

interface BookedTransfer {
  readonly isRevived: boolean;
  /** The number of newly booked returns. */
  readonly returns: number;
}

/** Books what a provider knows of a sent payout: that it was sent, if it had FAILED here, and its returns. */
export function bookTransfer(
  step: Pick<TakeStep, 'database' | 'log' | 'publicUrl' | 'now'>,
  { id }: Pick<Payout, 'id'>,
  { endToEndIdentifier, returns }: Pick<SentTransfer, 'endToEndIdentifier' | 'returns'>,
): Promise<BookedTransfer> {
  return step.database.em.fork().transactional(async (em) => {
    const isRevived = await revivePayout(em, id, endToEndIdentifier, step);
    return { isRevived, returns: (await bookReturns(em, id, returns, step)).length };
  });
}

/**
 * A provider that had completed a payout now denies it. Its first answer was final and the payee may have the
 * money, so nothing is credited: a person asks the provider. After that, it is not noted again.
 */
async function noteUndone({ database, log, now }: TakeStep, { id, storeId, devMode }: Payout): Promise<void> {
  const subject = { kind: 'PAYOUT_UNDONE', subjectId: id } as const;
  if (await wasResolved(database, subject)) return;
  await noteAttention(database, { ...subject, storeId, devMode, since: now, now }, log);
}

/** A failed transfer has moved no money, and one from before the account was added is not Recebe's. */
async function noteUnknown(
  { database, log, accountId, storeId, now, unknownSince }: TakeStep,
  transfers: readonly SentTransfer[],
  payouts: ReadonlyMap<string, Payout>,
): Promise<number> {
  if (unknownSince === null) return 0;
  const sent = transfers.filter(({ status, orderedAt }) => status !== 'FAILED' && orderedAt >= unknownSince);
  if (sent.length === 0) return 0;
  const unnoted = await unnotedTransfers(database, {
    subjectIds: sent.map(({ endToEndIdentifier }) => `${accountId}/${endToEndIdentifier}`),
    payoutIds: sent.map(({ reference }) => payouts.get(reference ?? '')?.id ?? ''),
  });
  let count = 0;
  for (const { subjectId } of unnoted) {
    const noted = { kind: 'UNKNOWN_TRANSFER', subjectId, storeId, devMode: false, since: now, now } as const;
    if (await noteAttention(database, noted, log)) count += 1;
  }
  return count;
}
