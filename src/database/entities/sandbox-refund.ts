import { defineEntity, p } from '@mikro-orm/core';

/** Money that the simulated bank has sent back of a payment. Nothing but the sandbox provider touches it. */
export const SandboxRefundEntity = defineEntity({
  name: 'SandboxRefund',
  tableName: 'sandbox_refunds',
  properties: {
    /** What it was asked for with; unique, so that it is sent once. */
    reference: p.text().primary(),
    paymentId: p.text(),
    amountCents: p.bigint('number'),
    refundedAt: p.datetime(),
  },
});
