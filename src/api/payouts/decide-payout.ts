import { type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import type { Em } from '../../database/orm.ts';
import type { PayoutId } from '../../domain/ids.ts';
import type { PayoutKind } from '../../domain/payout.ts';
import { isReleasedWhenDue } from '../../domain/payout-approval.ts';
import { holdMoneyAuthority } from '../../payouts/money-authority.ts';
import { payoutStart } from '../../temporal/payout.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { holdAuthority, isSameActor } from './approver.ts';
import { requirePayout } from './queries.ts';

const WHAT: Readonly<Record<PayoutKind, string>> = { PAYOUT: 'payout', TRANSFER: 'transfer' };

/**
 * Approves a payout or transfer. Its workflow starts after the commit. Repeating it by the same actor has no
 * effect.
 * @throws ApiError 404; 422 OWN_PAYOUT for its creator, and NOT_WAITING if it was already decided, released
 * or expired; MoneyWaits for a new member.
 */
export function approvePayout(request: ApiRequest, kind: PayoutKind, id: string): Promise<Payout> {
  return decide(request, kind, id, 'APPROVED');
}

/**
 * Rejects a payout or transfer. Its workflow starts after the commit, and ends it with `approval_rejected`.
 * The creator may reject it too. Repeating it by the same actor has no effect.
 * @throws ApiError 404; 422 NOT_WAITING if it was already decided, released or expired.
 */
export function rejectPayout(request: ApiRequest, kind: PayoutKind, id: string): Promise<Payout> {
  return decide(request, kind, id, 'REJECTED');
}

async function decide(
  request: ApiRequest,
  kind: PayoutKind,
  id: string,
  decision: 'APPROVED' | 'REJECTED',
): Promise<Payout> {
  const { key, now, deps, requestId } = request;
  const decided = await request.transaction(async (em) => {
    await holdAuthority(em, key, request.realNow);
    // A new member may reject, because rejecting sends no money.
    if (decision === 'APPROVED') await holdMoneyAuthority(em, key, 'payout:approve', request.realNow);
    const payout = await requirePayout(em, key, kind, { id });
    if (payout.approval === decision && payout.approvalDeciderId === key.actorId) return payout;
    if (decision === 'APPROVED') await requireOther(em, payout, request);
    const change = { approval: decision, approvalDecidedAt: now, approvalDeciderId: key.actorId };
    const isInTime = decision === 'REJECTED' || !isExpired(payout, now);
    const waiting = { id: id as PayoutId, status: 'PENDING', approval: 'WAITING' } as const;
    if (!isInTime || (await em.nativeUpdate(PayoutEntity, waiting, change)) === 0)
      throw await notWaiting(em, kind, payout, now);
    await request.recordAction(em, payout.id, { amount: payout.amountCents });
    return { ...payout, ...change };
  });
  request.about.payoutId = decided.id;
  request.afterCommit(() => deps.starter.startSoon(payoutStart(decided, requestId)));
  return decided;
}

/** Refuses the creator, other keys of the same person, and keys that replace one of these (four-eyes principle). */
async function requireOther(em: Em, { creatorId, kind }: Payout, { key }: ApiRequest): Promise<void> {
  if (creatorId === null) return;
  if (!(await isSameActor(em, creatorId, key.actorId))) return;
  const message = `was created by the same person or API key: someone else must approve the ${WHAT[kind]}`;
  throw brokenRule('OWN_PAYOUT', 'id', message);
}

/** The approval has timed out, but the workflow has not failed the payout yet. */
function isExpired({ approvalReasons, approvalDueAt }: Payout, now: Date): boolean {
  return approvalDueAt !== null && approvalDueAt <= now && !isReleasedWhenDue(approvalReasons ?? []);
}

async function notWaiting(em: Em, kind: PayoutKind, before: Payout, now: Date) {
  const { id } = before;
  const { approval } = await em.findOneOrFail(PayoutEntity, { id }, { disableIdentityMap: true });
  const state = approval === 'WAITING' && isExpired(before, now) ? 'EXPIRED' : approval;
  const why = state === null ? 'needs no approval' : `is ${state} already`;
  return brokenRule(
    'NOT_WAITING',
    'id',
    `this ${WHAT[kind]} ${why}; only one that is WAITING can be decided`,
  );
}
