import type { Charge } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { DisputeId } from '../../domain/ids.ts';
import { isInquiry } from '../../domain/reversal.ts';
import type { ProviderDispute, ProviderWithdrawal } from '../../providers/ports/disputes.ts';
import type { ChargeDeps } from '../effects.ts';
import { lockCharge } from '../load-charge.ts';
import { bookExcess } from '../refunds/excess.ts';

type Row = ProviderWithdrawal & { readonly disputeId: DisputeId; readonly now: Date };

const INSERT = statement<Row>(
  'insert a withdrawal of a dispute',
  () => `
  insert into dispute_withdrawals (dispute_id, provider_transaction_id, withdrawn_cents, created_at)
  values (:disputeId, :providerTransactionId, :withdrawnCents, :now) on conflict do nothing`,
);

const SUM = statement<
  { disputeId: DisputeId },
  { withdrawnCents: number; count: number; hasReturned: boolean }
>(
  'sum the withdrawals of a dispute',
  () => `
  select coalesce(sum(withdrawn_cents), 0)::bigint as "withdrawnCents", count(*)::int as count,
    coalesce(bool_or(withdrawn_cents < 0), false) as "hasReturned"
  from dispute_withdrawals where dispute_id = :disputeId`,
);

/**
 * Stores what a provider has taken for a dispute and returned. Its transactions never change, so the order and number of
 * notices do not matter. The caller holds the charge's lock.
 */
export async function storeWithdrawals(
  em: Em,
  dispute: Dispute,
  published: ProviderDispute,
  now: Date,
): Promise<void> {
  for (const withdrawal of withdrawalsOf(dispute, published))
    await INSERT(em, { ...withdrawal, disputeId: dispute.id, now });
}

/** A provider that does not report them takes what is disputed, and returns it if the store wins. */
function withdrawalsOf(
  { amountCents: heldCents, status }: Dispute,
  { withdrawals, amountCents, status: published }: ProviderDispute,
): readonly ProviderWithdrawal[] {
  if (withdrawals !== undefined) return withdrawals;
  if (heldCents === null || amountCents == null || amountCents <= heldCents) return [];
  const claimed = { providerTransactionId: 'disputed', withdrawnCents: amountCents };
  if (published !== 'WON' || status === 'LOST') return [claimed];
  return [claimed, { providerTransactionId: 'won', withdrawnCents: 0 - amountCents }];
}

/**
 * What a dispute has taken beyond its part of the payment, in cents, from all stored transactions. That part is blocked
 * while the dispute is open, and gone once it is lost. After a won one the store has it back, so whatever the provider still
 * holds after its return is missing. A provider may return a part of a lost dispute: then this is negative.
 */
export async function excessOfDispute(
  em: Em,
  { id: disputeId, status, amountCents }: Dispute,
): Promise<number> {
  const [sum] = await SUM(em, { disputeId });
  if (sum === undefined || sum.count === 0 || amountCents === null) return 0;
  const { withdrawnCents, hasReturned } = sum;
  if (status === 'LOST') return withdrawnCents - amountCents;
  const heldCents = status === 'WON' && hasReturned ? 0 : amountCents;
  return Math.max(0, withdrawnCents - heldCents);
}

/** Brings the books to what the provider has taken for a known dispute. May be repeated. */
export async function followWithdrawals(
  deps: Pick<ChargeDeps, 'log'>,
  em: Em,
  { id: chargeId }: Charge,
  disputeId: DisputeId,
  published: ProviderDispute,
  now: Date,
): Promise<void> {
  await em.transactional(async (tx) => {
    const charge = await lockCharge(tx, chargeId);
    const dispute = await tx.findOneOrFail(DisputeEntity, { id: disputeId }, { disableIdentityMap: true });
    if (isInquiry(dispute.status)) return;
    await storeWithdrawals(tx, dispute, published, now);
    const totalCents = await excessOfDispute(tx, dispute);
    const owner = { ...charge, provider: dispute.provider };
    await bookExcess(deps, tx, owner, { subjectId: disputeId, totalCents }, now);
  });
}
