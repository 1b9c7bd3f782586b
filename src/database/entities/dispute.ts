import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, DisputeId } from '../../domain/ids.ts';
import type { DisputeStage, DisputeStatus } from '../../domain/reversal.ts';

/** A dispute as its provider reported it. A charge has at most one OPEN dispute (a unique index). */
export const DisputeEntity = defineEntity({
  name: 'Dispute',
  tableName: 'disputes',
  properties: {
    id: p.text().$type<DisputeId>().primary(),
    chargeId: p.text().$type<ChargeId>(),
    provider: p.text(),
    providerDisputeId: p.text(),
    status: p.text().$type<DisputeStatus>(),
    reason: p.text().strictNullable(),
    /** The disputed amount: everything that refunds have left of the payment. Null in rows of earlier releases: all. */
    amountCents: p.bigint('number').strictNullable(),
    /** The platform's fee of {@link amountCents}. */
    platformFeeCents: p.bigint('number').strictNullable(),
    /** Until when the store may respond; null if neither the provider nor a rule names a time. */
    respondBy: p.datetime().strictNullable(),
    /** As the provider last reported it; null after the decision, or if it reports none. */
    stage: p.text().$type<DisputeStage>().strictNullable(),
    /** When evidence was first seen at the provider, also if it was submitted there. */
    evidenceSubmittedAt: p.datetime().strictNullable(),
    openedAt: p.datetime(),
    closedAt: p.datetime().strictNullable(),
  },
});
export type Dispute = InferEntity<typeof DisputeEntity>;
