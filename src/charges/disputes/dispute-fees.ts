import type { Charge } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { DisputeFeeId, DisputeId } from '../../domain/ids.ts';
import { disputeFeeAmounts } from '../../domain/ledger.ts';
import { disputeFeeIdOf } from '../../ids.ts';
import { noteIfNegative } from '../../ledger/negative-balance.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';
import type { ChargeDeps } from '../effects.ts';

interface DisputeFee {
  readonly id: DisputeFeeId;
  readonly disputeId: DisputeId;
  readonly providerFeeId: string;
  readonly chargedCents: number;
  readonly now: Date;
}

const INSERT = statement<DisputeFee, { id: DisputeFeeId }>(
  'insert the fee of a dispute',
  () => `
  insert into dispute_fees (id, dispute_id, provider_fee_id, charged_cents, created_at)
  values (:id, :disputeId, :providerFeeId, :chargedCents, :now) on conflict do nothing returning id`,
);

/**
 * Books the fees that a provider has charged for a dispute, or returned, each once: the row and its movement are
 * written in one transaction. They are the provider's, so they do not change what is disputed.
 */
export async function recordDisputeFees(
  { log }: Pick<ChargeDeps, 'log'>,
  em: Em,
  charge: Charge,
  { providerDisputeId, fees = [] }: ProviderDispute,
  now: Date,
): Promise<void> {
  if (fees.length === 0) return;
  const key = { provider: charge.provider, providerDisputeId };
  const dispute = await em.findOne(DisputeEntity, key, { disableIdentityMap: true });
  if (dispute === null) return;
  for (const { providerFeeId, chargedCents } of fees) {
    const id = disputeFeeIdOf(dispute.id, providerFeeId);
    const fee = { id, disputeId: dispute.id, providerFeeId, chargedCents, now };
    await em.transactional((tx) => book(tx, log, { ...charge, provider: dispute.provider }, fee));
  }
}

async function book(
  em: Em,
  log: ChargeDeps['log'],
  owner: Pick<Charge, 'storeId' | 'devMode'> & Pick<Dispute, 'provider'>,
  fee: DisputeFee,
): Promise<void> {
  if ((await INSERT(em, fee)).length === 0) return;
  const kind = fee.chargedCents > 0 ? 'DISPUTE_FEE' : 'DISPUTE_FEE_RETURNED';
  const amounts = disputeFeeAmounts(fee.chargedCents);
  await writeMovement(em, owner, { kind, subjectId: fee.id, amounts, createdAt: fee.now });
  await noteIfNegative(em, log, owner, fee.now);
}
