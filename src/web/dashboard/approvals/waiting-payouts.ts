import { nameOfActor } from '../../../audit-log/actor-names.ts';
import type { Payout } from '../../../database/entities/payout.ts';
import type { ApiKeyId, UserId } from '../../../domain/ids.ts';
import {
  type ApprovalReason,
  type ApprovalStatus,
  isReleasedWhenDue,
} from '../../../domain/payout-approval.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { badge, time } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';
import type { Visit } from '../frame/visit.ts';

/** How many are shown. More appear once some of these are decided. */
export const SHOWN = 100;

/** The display name of a key or a person. */
export async function actorName({ em, say }: Visit, id: ApiKeyId | UserId | null): Promise<string> {
  if (id === null) return '–';
  const { email, key } = await nameOfActor(em, id);
  return key === null ? (email ?? id) : `${say('dashboard.apiKey')} ${key.description} …${key.lastFour}`;
}

/** A BR Code is shown as the PIX key it contains, with the txid that the payment carries. */
export function payeeOf({ say }: Visit, { pixKey, payeeKey, payeeTxid, pixKeyType }: Payout): string {
  if (pixKey === null) return say('dashboard.approvals.theStoresAccount');
  const key = pixKeyType === 'BR_CODE' ? (payeeKey ?? pixKey) : pixKey;
  return payeeTxid === null ? key : `${key} (txid ${payeeTxid})`;
}

const REASONS: Readonly<Record<ApprovalReason, MessageKey>> = {
  AMOUNT: 'dashboard.approvals.reasons.amount',
  NEW_PAYEE: 'dashboard.approvals.reasons.newPayee',
  LOST_AUTHORITY: 'dashboard.approvals.reasons.lostAuthority',
};

export function reasonsText(reasons: readonly ApprovalReason[] | null, say: Say): string {
  return (reasons ?? []).map((reason) => say(REASONS[reason])).join(', ');
}

/** What happens when the time for a decision ends, and when that is. */
export function dueText(visit: Visit, { approvalReasons, approvalDueAt }: Payout): Html {
  const { say } = visit;
  const what = isReleasedWhenDue(approvalReasons ?? [])
    ? say('dashboard.approvals.ifNotApprovedSentAt')
    : say('dashboard.approvals.ifNotApprovedFailsAt');
  return html`${what} ${approvalDueAt === null ? '–' : time(visit, approvalDueAt)}`;
}

const APPROVALS: Readonly<Record<ApprovalStatus, readonly ['waiting' | 'good' | 'bad', MessageKey]>> = {
  WAITING: ['waiting', 'dashboard.approvals.approvals.waiting'],
  APPROVED: ['good', 'dashboard.approvals.approvals.approved'],
  RELEASED: ['good', 'dashboard.approvals.approvals.released'],
  REJECTED: ['bad', 'dashboard.approvals.approvals.rejected'],
  EXPIRED: ['bad', 'dashboard.approvals.approvals.expired'],
};

export function approvalBadge(approval: ApprovalStatus, say: Say): Html {
  const [kind, words] = APPROVALS[approval];
  return badge(kind, say(words));
}
