import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** Money that the simulated bank was asked to send. The first request of a reference stands. */
export const SandboxTransferEntity = defineEntity({
  name: 'SandboxTransfer',
  tableName: 'sandbox_transfers',
  properties: {
    reference: p.text().primary(),
    endToEndIdentifier: p.text().strictNullable(),
    failureReason: p.text().strictNullable(),
    /** Until then the bank answers that it is under way. */
    completesAt: p.datetime(),
  },
});
export type SandboxTransfer = InferEntity<typeof SandboxTransferEntity>;
