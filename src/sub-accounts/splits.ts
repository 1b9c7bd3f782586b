import type { Charge } from '../database/entities/charge.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeId, SubAccountId } from '../domain/ids.ts';
import { type EntryKind, type HeldShare, shareToReturnCents } from '../domain/sub-account.ts';
import { lockBalance } from '../ledger/balance.ts';
import { bookEntry } from './book-entry.ts';

/** Books the splits of a payment, which holds at least the charge's amount, in the transaction that accepted it. */
export async function bookSplits(em: Em, charge: Charge, now: Date): Promise<void> {
  for (const { subAccountId, amountCents } of charge.splits ?? [])
    await bookEntry(em, charge, {
      ...{ subAccountId, kind: 'PAYMENT', subjectId: charge.id, amountCents, createdAt: now },
      ...{ chargeId: charge.id, payoutId: null },
    });
}

const SHARES = statement<{ chargeId: ChargeId }, HeldShare & { subAccountId: SubAccountId }>(
  'read the shares of a split payment',
  () => `
  select entry.sub_account_id as "subAccountId", account.balance_cents as "balanceCents",
    coalesce(sum(entry.amount_cents) filter (where entry.kind = 'PAYMENT'), 0)::bigint as "receivedCents",
    -coalesce(sum(entry.amount_cents) filter (where entry.kind <> 'PAYMENT'), 0)::bigint as "returnedCents"
  from sub_account_entries entry join sub_accounts account on account.id = entry.sub_account_id
  where entry.charge_id = :chargeId group by 1, 2 order by 1`,
);

interface ReturnedShare {
  readonly subAccountId: SubAccountId;
  /** Negative if the sub-account gets it back. */
  readonly cents: number;
}

/** What each sub-account gives back once refunds and disputes have taken so much of the payment. The caller holds the store's balance. */
async function sharesToReturn(em: Em, charge: Charge, reversedCents: number): Promise<ReturnedShare[]> {
  if (charge.splits === null || charge.paidAmountCents === null) return [];
  const taken = { reversedCents, paidCents: charge.paidAmountCents };
  const shares = await SHARES(em, { chargeId: charge.id });
  return shares
    .map(({ subAccountId, ...share }) => ({ subAccountId, cents: shareToReturnCents(share, taken) }))
    .filter(({ cents }) => cents !== 0);
}

/** What sub-accounts give back for a new reversal of a charge: the store needs that much less. The caller holds the store's balance. */
export async function centsFromSubAccounts(em: Em, charge: Charge, amountCents: number): Promise<number> {
  const shares = await sharesToReturn(em, charge, charge.reversedCents + amountCents);
  return shares.reduce((sum, { cents }) => sum + cents, 0);
}

/**
 * Moves between store and sub-accounts what a refund or dispute changes, in the transaction of its movement: each sub-account has then
 * given back its proportion of everything that was taken of the payment, as far as it has money. Comes before a movement that takes
 * money from the store, and after one that returns it, so that no line of the statement shows a balance that never was.
 *
 * @param charge with its totals counted after the change.
 * @param movement the movement of the refund or dispute.
 */
export async function followReversal(
  em: Em,
  charge: Charge,
  movement: { readonly kind: EntryKind; readonly subjectId: string },
  now: Date,
): Promise<void> {
  if (charge.splits === null) return;
  await lockBalance(em, charge);
  for (const { subAccountId, cents } of await sharesToReturn(em, charge, charge.reversedCents))
    await bookEntry(em, charge, {
      ...{ ...movement, subAccountId, amountCents: -cents, createdAt: now },
      ...{ chargeId: charge.id, payoutId: null },
    });
}
