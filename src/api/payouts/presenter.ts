import type { Payout } from '../../database/entities/payout.ts';
import { type PixDestination, requestedCentsOf } from '../../domain/payout.ts';
import { isReleasedWhenDue } from '../../domain/payout-approval.ts';
import { maskTaxId } from '../../domain/tax-id.ts';
import type { ShownPayout, ShownTransfer } from './schema.ts';

/** A payout as the API returns it. */
export function presentPayout(payout: Payout, publicUrl: string): ShownPayout {
  return { ...presentSent(payout, publicUrl), kind: 'WITHDRAW' };
}

/** Fields that payouts and transfers share. */
function presentSent(payout: Payout, publicUrl: string): Omit<ShownPayout, 'kind'> {
  const { id, status } = payout;
  return {
    id,
    status,
    devMode: payout.devMode,
    amount: requestedCentsOf(payout),
    platformFee: payout.platformFeeCents,
    returnedAmount: payout.returnedCents,
    externalId: payout.externalId,
    description: payout.description,
    method: 'PIX',
    receiptUrl: `${publicUrl}/receipt/${id}`,
    endToEndIdentifier: payout.endToEndIdentifier,
    reason: payout.failureReason,
    approval: presentApproval(payout),
    createdAt: payout.createdAt.toISOString(),
    updatedAt: payout.updatedAt.toISOString(),
  };
}

function presentApproval(payout: Payout): ShownPayout['approval'] {
  const { approval: status, approvalReasons, approvalDueAt, approvalDecidedAt } = payout;
  if (status === null) return null;
  const reasons = approvalReasons ?? [];
  const dueAt = approvalDueAt?.toISOString() ?? null;
  const isReleased = isReleasedWhenDue(reasons);
  return {
    status,
    reasons,
    releasesAt: isReleased ? dueAt : null,
    expiresAt: isReleased ? null : dueAt,
    decidedAt: approvalDecidedAt?.toISOString() ?? null,
  };
}

/** A transfer as the API returns it: a payout with its PIX key. */
export function presentTransfer(payout: Payout, publicUrl: string): ShownTransfer {
  const { pixKeyType, pixKey, payeeTxid, subAccountId } = payout;
  if (pixKeyType === null || pixKey === null) throw new Error(`transfer ${payout.id} has no PIX key`);
  return {
    ...presentSent(payout, publicUrl),
    ...(subAccountId !== null && { subAccountId }),
    pix: presentPix({ type: pixKeyType, key: pixKey, txid: payeeTxid }),
  };
}

/** A PIX key, with tax ids masked as in webhooks (contract section 1, "Tax ids"). */
function presentPix({ type, key, txid = null }: PixDestination): ShownTransfer['pix'] {
  return { type, txid, key: type === 'CPF' || type === 'CNPJ' ? maskTaxId(key) : key };
}
