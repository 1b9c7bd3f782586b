import type { Logger } from 'pino';
import { noteAttention, wasResolved } from '../database/attention.ts';
import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import type { Database } from '../database/orm.ts';
import { unnotedTransfers } from '../database/sent-listings.ts';
import type { PayoutId, ProviderAccountId, StoreId } from '../domain/ids.ts';
import { bookReturns } from '../payouts/payout-returns.ts';
import { revivePayout } from '../payouts/payout-revival.ts';
import { isTransferOf } from '../payouts/transfer-of.ts';
import type { SentTransfer } from '../providers/provider.ts';

interface TakeStep {
  readonly database: Database;
  readonly log: Logger;
  readonly publicUrl: string;
  readonly accountId: ProviderAccountId;
  readonly storeId: StoreId;
  readonly now: Date;
  /** A person is asked to look at transfers that were not ordered here since then; null for none. */
  readonly unknownSince: Date | null;
}

interface TakenTransfers {
  readonly returned: number;
  readonly revived: number;
  readonly unknown: number;
}

/**
 * Deals with listed transfers of an account. A payout that is PENDING is left to its workflow, which asks about it and
 * books what came back with its end.
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
    // That of another account at the same bank account is booked when that one is listed.
    else if (payout.provider === step.accountId) {
      const { isRevived, returns } = await take(step, payout, transfer);
      if (isRevived) revived += 1;
      returned += returns;
    }
  }
  return { returned, revived, unknown: await noteUnknown(step, unknown, payouts) };
}

/** Payouts of any account and store: another account here may be one at the same bank account. */
async function payoutsOf({ database }: TakeStep, transfers: readonly SentTransfer[]) {
  const ids = transfers.flatMap(({ reference }) => (reference === null ? [] : [reference as PayoutId]));
  const where = { id: { $in: ids }, devMode: false };
  const payouts = await database.em.fork().find(PayoutEntity, where, { disableIdentityMap: true });
  return new Map<string, Payout>(payouts.map((payout) => [payout.id, payout]));
}

/** One transaction for each payout, which decides under its lock what is new. */
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
  /** How many returns were booked now. */
  readonly returns: number;
}

/** Books what a provider knows of a payout that was sent: that it was, if it had FAILED here, and what came back. */
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
 * A provider that had carried a payout out says that it did not. Its first answer was final and the money may be with the
 * payee, so nothing is credited: a person asks the provider. Once they have, it is not noted again.
 */
async function noteUndone({ database, log, now }: TakeStep, { id, storeId, devMode }: Payout): Promise<void> {
  const subject = { kind: 'PAYOUT_UNDONE', subjectId: id } as const;
  if (await wasResolved(database, subject)) return;
  await noteAttention(database, { ...subject, storeId, devMode, since: now, now }, log);
}

/** A transfer that failed has moved no money; one from before the account was added is nobody's business here. */
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
