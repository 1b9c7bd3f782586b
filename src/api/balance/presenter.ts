import type { StatementAccount } from '../../domain/ledger.ts';
import type { StatementEntry } from '../../ledger/entries.ts';
import type { CsvColumns } from '../frame/csv.ts';
import type { ShownMovement } from './schema.ts';

/** The id of an entry in a store's statement: movement number and account. */
export function entryIdOf({ sequence, account }: Pick<StatementEntry, 'sequence' | 'account'>): string {
  return `entr_${sequence}${account[0]}`;
}

const ACCOUNT_OF: Readonly<Record<string, StatementAccount>> = { A: 'AVAILABLE', P: 'PENDING', B: 'BLOCKED' };

/** The opposite of {@link entryIdOf}. @returns the end of the statement for an invalid id. */
export function entryOfId(id: string): Pick<StatementEntry, 'sequence' | 'account'> {
  const [, sequence = '0', account = 'A'] = /^entr_(\d{1,15})([APB])$/.exec(id) ?? [];
  return { sequence: Number(sequence), account: ACCOUNT_OF[account] ?? 'AVAILABLE' };
}

/** An entry of the statement as the API returns it. */
export function presentMovement(entry: StatementEntry, devMode: boolean): ShownMovement {
  const { account, kind, subjectId, chargeId, disputeId, payoutId, payoutKind } = entry;
  const isOf = (what: string) => kind.startsWith(what);
  return {
    id: entryIdOf(entry),
    devMode,
    account,
    kind,
    amount: entry.amountCents,
    platformFee: entry.platformFeeCents,
    balanceAfter: entry.balanceAfterCents,
    paymentId: isOf('PAYMENT') || isOf('SETTLEMENT') ? (chargeId ?? subjectId) : chargeId,
    refundId: isOf('REFUND') ? subjectId : null,
    disputeId,
    payoutId: payoutKind === 'PAYOUT' ? payoutId : null,
    transferId: payoutKind === 'TRANSFER' ? payoutId : null,
    subAccountId: entry.subAccountId,
    createdAt: entry.bookedAt.toISOString(),
  };
}

/** One row per entry. */
export const movementColumns: CsvColumns<ShownMovement> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  account: ({ account }) => account,
  kind: ({ kind }) => kind,
  amount: ({ amount }) => amount,
  platformFee: ({ platformFee }) => platformFee,
  balanceAfter: ({ balanceAfter }) => balanceAfter,
  paymentId: ({ paymentId }) => paymentId,
  refundId: ({ refundId }) => refundId,
  disputeId: ({ disputeId }) => disputeId,
  payoutId: ({ payoutId }) => payoutId,
  transferId: ({ transferId }) => transferId,
  subAccountId: ({ subAccountId }) => subAccountId,
  devMode: ({ devMode }) => devMode,
};
