import type { Payout } from '../database/entities/payout.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { PayoutId, SubAccountId } from '../domain/ids.ts';
import type { StoreEnvironment } from '../domain/store-environment.ts';
import type { EntryKind } from '../domain/sub-account.ts';
import { lockBalance } from '../ledger/balance.ts';
import { bookEntry } from './book-entry.ts';

const BALANCE = statement<{ id: SubAccountId; owner: StoreEnvironment }, { balanceCents: number }>(
  'read the balance of a sub-account',
  () => `
  select balance_cents as "balanceCents" from sub_accounts
  where id = :id and store_id = :owner.storeId and dev_mode = :owner.devMode`,
);

/** What a sub-account of the store has. To spend it, the caller holds the store's balance. */
export async function subAccountBalanceCents(
  em: Em,
  owner: StoreEnvironment,
  id: SubAccountId,
): Promise<number> {
  const [account = { balanceCents: 0 }] = await BALANCE(em, { id, owner });
  return account.balanceCents;
}

const TAKEN = statement<{ payoutId: PayoutId }, { cents: number }>(
  'read what a sub-account paid for a withdrawal',
  () => `
  select -coalesce(sum(amount_cents), 0)::bigint as cents from sub_account_entries where payout_id = :payoutId`,
);

interface Step {
  readonly kind: EntryKind;
  /** Of the movement: the payout, or money of it that came back. */
  readonly subjectId: string;
  readonly now: Date;
}

/**
 * Lets the sub-account pay for its withdrawal, before the movement that takes the money from the store. It pays what it has: for a
 * withdrawal that had failed here, and was sent all the same, it may have spent the money since. The store bears the rest.
 */
export async function payWithdrawal(em: Em, payout: Payout, { kind, subjectId, now }: Step): Promise<void> {
  const { subAccountId, amountCents, platformFeeCents } = payout;
  if (subAccountId === null) return;
  await lockBalance(em, payout);
  const cents = Math.min(
    amountCents + platformFeeCents,
    await subAccountBalanceCents(em, payout, subAccountId),
  );
  if (cents > 0) await book(em, payout, subAccountId, { kind, subjectId, now }, -cents);
}

/**
 * Gives a sub-account back what returned to the store of its withdrawal, after the movement that returned it: never more than it had
 * paid.
 */
export async function returnWithdrawal(
  em: Em,
  payout: Payout,
  returnedCents: number,
  step: Step,
): Promise<void> {
  const { id: payoutId, subAccountId } = payout;
  if (subAccountId === null) return;
  const [taken] = await TAKEN(em, { payoutId });
  const cents = Math.min(returnedCents, taken?.cents ?? 0);
  if (cents > 0) await book(em, payout, subAccountId, step, cents);
}

function book(
  em: Em,
  payout: Payout,
  subAccountId: SubAccountId,
  { kind, subjectId, now }: Step,
  amountCents: number,
): Promise<void> {
  return bookEntry(em, payout, {
    ...{ subAccountId, kind, subjectId, amountCents, createdAt: now },
    ...{ chargeId: null, payoutId: payout.id },
  });
}
