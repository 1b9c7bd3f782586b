import type { Payout } from '../database/entities/payout.ts';

/** The `data` of `payout.*` and `transfer.*` (contract section 7). No key: it may be somebody's tax id. */
export function payoutEventData(payout: Payout, publicUrl: string) {
  const sent = {
    id: payout.id,
    externalId: payout.externalId,
    amount: payout.amountCents,
    platformFee: payout.platformFeeCents,
    status: payout.status,
    method: 'PIX',
    devMode: payout.devMode,
    receiptUrl: `${publicUrl}/receipt/${payout.id}`,
    ...(payout.endToEndIdentifier !== null && { endToEndIdentifier: payout.endToEndIdentifier }),
    ...(payout.failureReason !== null && { reason: payout.failureReason }),
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
  return payout.kind === 'PAYOUT' ? { withdraw: sent } : { transfer: sent };
}
