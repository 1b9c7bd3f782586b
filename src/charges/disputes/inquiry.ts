import type { Charge } from '../../database/entities/charge.ts';
import { type Dispute, DisputeEntity } from '../../database/entities/dispute.ts';
import type { Em } from '../../database/orm.ts';
import type { DisputeId } from '../../domain/ids.ts';
import type { InquiryStatus } from '../../domain/reversal.ts';
import { mintId } from '../../ids.ts';
import type { ProviderDispute } from '../../providers/ports/disputes.ts';
import { lockCharge } from '../load-charge.ts';
import { leftOf } from '../refunds/reversal.ts';
import { endUndecided } from './end-undecided.ts';

/**
 * Records what a card's issuer asks about a payment, or that it needs no answer any more. No money moves, so the charge
 * stays as it is. Notifications may arrive in any order: what has become a dispute is never an inquiry again, and a
 * closed inquiry stays closed.
 */
export async function recordInquiry(
  em: Em,
  { id: chargeId, provider }: Charge,
  { status, providerDisputeId, reason, ...published }: ProviderDispute & { readonly status: InquiryStatus },
  now: Date,
): Promise<void> {
  const charge = await lockCharge(em, chargeId);
  if (charge.paidAt === null) return;
  const closedAt = status === 'INQUIRY' ? null : now;
  const key = { provider, providerDisputeId };
  const known = await em.findOne(DisputeEntity, key, { disableIdentityMap: true });
  if (known !== null) {
    if (closedAt === null) return;
    await em.nativeUpdate(
      DisputeEntity,
      { id: known.id, status: 'INQUIRY' },
      { status, stage: null, closedAt },
    );
    await endUndecided(em, { ...known, status }, now);
    return;
  }
  const inquiry: Dispute = {
    id: mintId<DisputeId>('dispute', now),
    chargeId,
    ...key,
    status,
    reason,
    amountCents: published.amountCents ?? leftOf(charge).paidCents,
    // Nothing is blocked, so the platform gives back no fee.
    platformFeeCents: 0,
    respondBy: published.respondBy ?? null,
    stage: closedAt === null ? (published.stage ?? null) : null,
    evidenceSubmittedAt: null,
    openedAt: now,
    closedAt,
  };
  await em.insert(DisputeEntity, inquiry);
}
