import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId, PayoutId, SubAccountEntryId, SubAccountId } from '../domain/ids.ts';
import { subAccountAmounts } from '../domain/ledger.ts';
import type { EntryKind } from '../domain/sub-account.ts';
import { subAccountEntryIdOf } from '../ids.ts';
import { type MovementOwner, writeMovement } from '../ledger/write-movement.ts';

/** Money that moves between a store's available balance and one of its sub-accounts, with the movement of the same kind and subject. */
export interface NewEntry {
  readonly subAccountId: SubAccountId;
  readonly kind: EntryKind;
  readonly subjectId: string;
  readonly chargeId: ChargeId | null;
  readonly payoutId: PayoutId | null;
  /** Negative if the sub-account gives it. */
  readonly amountCents: number;
  readonly createdAt: Date;
}

const BOOK = statement<{ id: SubAccountEntryId; owner: MovementOwner; entry: NewEntry }, { id: string }>(
  'book an entry of a sub-account',
  () => `
  with account as (
    update sub_accounts set balance_cents = balance_cents + :entry.amountCents, entry_count = entry_count + 1,
      updated_at = greatest(updated_at, :entry.createdAt::timestamptz)
    where id = :entry.subAccountId and store_id = :owner.storeId and dev_mode = :owner.devMode
    returning balance_cents, entry_count
  )
  insert into sub_account_entries (id, sub_account_id, store_id, dev_mode, number, kind, subject_id, charge_id, payout_id,
    amount_cents, balance_after_cents, created_at)
  select :id, :entry.subAccountId, :owner.storeId, :owner.devMode, entry_count, :entry.kind, :entry.subjectId, :entry.chargeId,
    :entry.payoutId, :entry.amountCents, balance_cents, :entry.createdAt
  from account returning id`,
);

/**
 * Books an entry and its movement in the caller's transaction. The caller holds the lock on the store's balance (`lockBalance`, or any
 * movement that it has written), as do all that change the balances of sub-accounts or read them to spend: no two of them wait for each
 * other, and none spends the same cent.
 *
 * @throws if the sub-account is not the store's, has less than it gives (a check constraint), or the entry was booked before: the
 *   callers' conditional updates book each once.
 */
export async function bookEntry(em: Em, owner: MovementOwner, entry: NewEntry): Promise<void> {
  const { subAccountId, amountCents, createdAt } = entry;
  const id = subAccountEntryIdOf(subAccountId, entry, createdAt);
  await writeMovement(em, owner, {
    kind: amountCents > 0 ? 'SUB_ACCOUNT_CREDITED' : 'SUB_ACCOUNT_DEBITED',
    subjectId: id,
    amounts: subAccountAmounts(amountCents),
    createdAt,
  });
  const booked = await BOOK(em, { id, owner, entry });
  if (booked.length === 0) throw new Error(`${subAccountId} is no sub-account of ${owner.storeId}`);
}
