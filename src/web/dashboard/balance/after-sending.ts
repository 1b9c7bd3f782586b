import { randomBytes } from 'node:crypto';
import type { ShownPayout, ShownTransfer } from '../../../api/payouts/schema.ts';
import { timeText } from '../../i18n/dates.ts';
import { reasonsText } from '../approvals/waiting-payouts.ts';
import { type Reply, refused, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

/**
 * The id that a form suggests, a new one each time it is shown. Submitting the same form twice sends money once, and a second
 * payout on the same day counts as a second one. An id that the user typed is kept.
 */
export function suggestedId(visit: Visit, prefix: string): string {
  return visit.field('externalId') || `${prefix}-${randomBytes(4).toString('hex')}`;
}

/**
 * Returns to the list with the result: sent, already sent under this id, or failed. An id used before returns the earlier payout
 * whatever its status, and sends nothing.
 */
export function afterSending(visit: Visit, to: string, sent: ShownPayout | ShownTransfer): Reply {
  const { say } = visit;
  const { externalId, reason, status } = sent;
  if (status === 'FAILED') {
    const why = say('dashboard.balance.thePayoutWithTheId', { externalId, reason: reason ?? '' });
    return refused(to, why);
  }
  const isNew = sent.createdAt === visit.storeNow.toISOString();
  if (sent.approval?.status === 'WAITING') return seeOther(to, waits(visit, sent, isNew));
  if (isNew) return seeOther(to, say('dashboard.balance.theMoneyIsOnIts'));
  const there =
    status === 'COMPLETE'
      ? say('dashboard.balance.aPayoutWithTheId', { externalId })
      : say('dashboard.balance.aPayoutWithTheIdAlready', { externalId });
  return seeOther(to, there);
}

/** Says why it waits and what ends the wait. */
function waits(visit: Visit, { approval, externalId }: ShownPayout | ShownTransfer, isNew: boolean): string {
  const { say } = visit;
  const reasons = reasonsText(approval?.reasons ?? [], say);
  const until = timeText(visit.locale, approval?.releasesAt ?? approval?.expiresAt ?? '');
  const unless =
    approval?.releasesAt === null
      ? say('dashboard.balance.ifNotApprovedItFails', { until })
      : say('dashboard.balance.ifNotApprovedItIs', { until });
  if (isNew) return say('dashboard.balance.nothingWasSentYet', { reasons, unless });
  return say('dashboard.balance.aPayoutWithTheIdAlreadyExists', { externalId, reasons, unless });
}
