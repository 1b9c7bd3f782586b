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
    maxPayoutCents !== null &&
      say(`No máximo ${amount(maxPayoutCents)} por envio.`, `At most ${amount(maxPayoutCents)} at a time.`),
    maxDayCents !== null &&
      say(`No máximo ${amount(maxDayCents)} por dia.`, `At most ${amount(maxDayCents)} a day.`),
    isToPixKey &&
      maxPayeeDayCents !== null &&
      say(
        `No máximo ${amount(maxPayeeDayCents)} por dia para a mesma chave Pix.`,
        `At most ${amount(maxPayeeDayCents)} a day to the same Pix key.`,
      ),
    approvalAboveCents !== null &&
      say(
        `Acima de ${amount(approvalAboveCents)}, só sai quando outra pessoa aprova.`,
        `Above ${amount(approvalAboveCents)}, someone else must approve it.`,
      ),
    isToPixKey &&
      newPayeeWaitHours !== null &&
      say(
        `Para uma chave Pix nova, espera ${newPayeeWaitHours} horas, ou a aprovação de outra pessoa.`,
        `To a new Pix key, it waits ${newPayeeWaitHours} hours or for someone else’s approval.`,
      ),
  ].filter((note) => note !== false);
  return notes.length === 0 ? null : html`<p>${notes.join(' ')}</p>`;
}
