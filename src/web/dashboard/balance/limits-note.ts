import { payoutControlsOf } from '../../../payouts/payout-controls.ts';
import { type Html, html } from '../../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';

/** What the store's controls mean for money sent now; null if they have no effect. @param isToPixKey true for transfers. */
export async function limitsNote(visit: Visit, isToPixKey: boolean): Promise<Html | null> {
  const { say, em, caller } = visit;
  const controls = await payoutControlsOf(em, caller);
  const { maxPayoutCents, maxDayCents, maxPayeeDayCents, approvalAboveCents, newPayeeWaitHours } = controls;
  const notes = [
    maxPayoutCents !== null && say('dashboard.balance.atMostAtATime', { maxPayout: amount(maxPayoutCents) }),
    maxDayCents !== null && say('dashboard.balance.atMostADay', { maxDay: amount(maxDayCents) }),
    isToPixKey &&
      maxPayeeDayCents !== null &&
      say('dashboard.balance.atMostADayTo', { maxPayeeDay: amount(maxPayeeDayCents) }),
    approvalAboveCents !== null &&
      say('dashboard.balance.aboveSomeoneElseMustApprove', { approvalAbove: amount(approvalAboveCents) }),
    isToPixKey && newPayeeWaitHours !== null && say('dashboard.balance.toANewPixKey', { newPayeeWaitHours }),
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : html`<p>${notes.join(' ')}</p>`;
}
