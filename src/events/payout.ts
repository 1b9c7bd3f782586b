import type { z } from 'zod';
import type { Payout } from '../database/entities/payout.ts';
import type { PayoutReturn } from '../database/entities/payout-return.ts';
import { requestedCentsOf } from '../domain/payout.ts';
import type { EndedTransfer } from '../providers/ports/payouts.ts';
import type { Completed, comeBack, Failed, Returned } from './payout-schemas.ts';

type PublishedData<Sent> = { readonly withdraw: Sent } | { readonly transfer: Sent };

/**
 * The `data` of `payout.*` and `transfer.*` (contract section 7). Excludes the PIX key, because it may be a
 * tax id.
 */
export function payoutEventData(
  payout: Payout,
  answer: EndedTransfer,
  publicUrl: string,
): PublishedData<Completed> | PublishedData<Failed> {
  const published = {
    id: payout.id,
    externalId: payout.externalId,
    ...(payout.subAccountId !== null && { subAccountId: payout.subAccountId }),
    amount: requestedCentsOf(payout),
    platformFee: payout.platformFeeCents,
    status: answer.outcome,
    method: 'PIX' as const,
    devMode: payout.devMode,
    receiptUrl: `${publicUrl}/receipt/${payout.id}`,
  };
  const times = { createdAt: payout.createdAt.toISOString(), updatedAt: payout.updatedAt.toISOString() };
  if (answer.outcome === 'FAILED') {
    return as(payout, { ...published, status: answer.outcome, reason: answer.reason, ...times });
  }
  const { outcome, endToEndIdentifier } = answer;
  return as(payout, { ...published, status: outcome, endToEndIdentifier, ...times });
}

/** The `data` of `payout.returned` and `transfer.returned`. @param payout after this return. */
export function payoutReturnedData(
  payout: Payout,
  { id, amountCents: amount, returnedAt }: PayoutReturn,
  publicUrl: string,
): PublishedData<Returned> & { readonly return: z.output<typeof comeBack> } {
  const published = {
    id: payout.id,
    externalId: payout.externalId,
    ...(payout.subAccountId !== null && { subAccountId: payout.subAccountId }),
    amount: requestedCentsOf(payout),
    platformFee: payout.platformFeeCents,
    status: payout.status === 'REFUNDED' ? payout.status : ('COMPLETE' as const),
    method: 'PIX' as const,
    devMode: payout.devMode,
    receiptUrl: `${publicUrl}/receipt/${payout.id}`,
    endToEndIdentifier: payout.endToEndIdentifier ?? '',
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
  const { devMode, returnedCents: returnedAmount } = payout;
  const back = { id, amount, returnedAmount, devMode, returnedAt: returnedAt.toISOString() };
  return { ...as(payout, published), return: back };
}

/** Payouts are published as withdrawals. */
function as<Sent extends Completed | Failed | Returned>(
  { kind }: Payout,
  published: Sent,
): PublishedData<Sent> {
  return kind === 'PAYOUT' ? { withdraw: published } : { transfer: published };
}
