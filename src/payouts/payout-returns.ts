import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import { type Payout, PayoutEntity } from '../database/entities/payout.ts';
import { type PayoutReturn, PayoutReturnEntity } from '../database/entities/payout-return.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import type { PayoutId, PayoutReturnId } from '../domain/ids.ts';
import { payoutReturnedAmounts } from '../domain/ledger.ts';
import type { PayoutKind } from '../domain/payout.ts';
import { payoutReturnedData } from '../events/payout.ts';
import { writeEvent } from '../events/record.ts';
import { payoutReturnIdOf } from '../ids.ts';
import { writeMovement } from '../ledger/write-movement.ts';
import type { TransferReturn } from '../providers/ports/payouts.ts';
import { returnWithdrawal } from '../sub-accounts/withdrawals.ts';
import { lockPayout } from './lock-payout.ts';
import type { PayoutStep } from './payout-end.ts';

/**
 * Credits returns of a payout or transfer in the caller's transaction: state, event and movement. Each return is
 * booked once, by the provider's id of it, even if it is reported repeatedly or concurrently. It may come days
 * after the payout's workflow has ended. A payout that is not COMPLETE is left alone: its return is reported again.
 *
 * Returns never exceed the payout. A return that would exceed it is not booked; a person compares the day.
 * @returns the ids of the newly booked returns.
 */
export async function bookReturns(
  em: Em,
  payoutId: PayoutId,
  returns: readonly TransferReturn[],
  step: PayoutStep & { readonly log: Logger },
): Promise<PayoutReturnId[]> {
  if (returns.length === 0) return [];
  let payout = await lockPayout(em, payoutId);
  const booked: PayoutReturnId[] = [];
  for (const returned of returns) {
    if (payout.status !== 'COMPLETE' && payout.status !== 'REFUNDED') break;
    const row = rowOf(payoutId, returned, step.now);
    if ((await em.count(PayoutReturnEntity, { id: row.id })) > 0) continue;
    if (row.amountCents > payout.amountCents - payout.returnedCents) {
      await noteExcess(em, payout, step);
      continue;
    }
    payout = await book(em, payout, row, step);
    booked.push(row.id);
  }
  return booked;
}

/** The event keys of a payout's returns, for `unattemptedDeliveries`. */
export async function returnEventKeys(
  em: Em,
  { id: payoutId, kind, returnedCents }: Payout,
): Promise<string[]> {
  if (returnedCents === 0) return [];
  const returns = await em.find(PayoutReturnEntity, { payoutId }, { disableIdentityMap: true });
  return returns.map(({ id }) => `${returnEventNameOf(kind)}/${id}`);
}

function returnEventNameOf(kind: PayoutKind) {
  return kind === 'PAYOUT' ? 'payout.returned' : 'transfer.returned';
}

/** The caller has locked the payout. */
async function book(
  em: Em,
  payout: Payout,
  row: PayoutReturn,
  { now, publicUrl }: PayoutStep,
): Promise<Payout> {
  if (!(await insertNew(em, PayoutReturnEntity, row))) return payout;
  const returnedCents = payout.returnedCents + row.amountCents;
  const change = {
    returnedCents,
    status: returnedCents === payout.amountCents ? ('REFUNDED' as const) : ('COMPLETE' as const),
    // A payout that an earlier release completed: nothing has changed it since.
    completedAt: payout.completedAt ?? payout.updatedAt,
    updatedAt: now,
  };
  await em.nativeUpdate(PayoutEntity, { id: payout.id }, change);
  const changed: Payout = { ...payout, ...change };
  const data = payoutReturnedData(changed, row, publicUrl);
  const owner = { ...payout, customerId: null };
  await writeEvent(em, owner, returnEventNameOf(payout.kind), row.id, data, now);
  const amounts = payoutReturnedAmounts(row.amountCents);
  const movement = { kind: 'PAYOUT_RETURNED', subjectId: row.id } as const;
  await writeMovement(em, payout, { ...movement, amounts, createdAt: now });
  await returnWithdrawal(em, payout, row.amountCents, { ...movement, now });
  return changed;
}

function rowOf(payoutId: PayoutId, returned: TransferReturn, now: Date): PayoutReturn {
  const { providerReturnId, amountCents, returnedAt } = returned;
  const id = payoutReturnIdOf(payoutId, providerReturnId);
  return { id, payoutId, providerReturnId, amountCents, returnedAt, createdAt: now };
}

/** The provider reports more returned money than was sent. "reconcile" names the payout. */
async function noteExcess(
  em: Em,
  payout: Payout,
  { now, log }: PayoutStep & { readonly log: Logger },
): Promise<void> {
  const { id: payoutId, provider, storeId, devMode } = payout;
  log.warn({ payoutId }, 'payout returned beyond its amount');
  const subjectId = `${provider}/${saoPauloDateOf(payout.completedAt ?? payout.createdAt)}`;
  await noteAttention(em, { kind: 'BANK_DIFFERENCE', subjectId, storeId, devMode, since: now, now });
}
