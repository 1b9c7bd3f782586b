import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DisputeStatus } from '../../domain/reversal.ts';

/** A dispute at the simulated bank. Nothing but the sandbox provider touches it. */
export const SandboxDisputeEntity = defineEntity({
  name: 'SandboxDispute',
  tableName: 'sandbox_disputes',
  properties: {
    id: p.text().primary(),
    /** The charge's reference at the provider; at most one dispute of it is open (a unique index). */
    reference: p.text(),
    status: p.text().$type<DisputeStatus>(),
    reason: p.text().strictNullable(),
    /** What is disputed, and taken from the store; null for everything that is left of the payment. */
    amountCents: p.bigint('number').strictNullable(),
    /** Null in rows of earlier releases. */
    respondBy: p.datetime().strictNullable(),
    /** The fee that it charges; null for none. */
    feeCents: p.bigint('number').strictNullable(),
    returnsFee: p.boolean().default(false),
    evidenceSubmittedAt: p.datetime().strictNullable(),
    openedAt: p.datetime(),
    changedAt: p.datetime(),
    /** The status that the service last acknowledged; the bank notifies any other again. */
    acknowledgedStatus: p.text().$type<DisputeStatus>().strictNullable(),
  },
});
export type SandboxDispute = InferEntity<typeof SandboxDisputeEntity>;
