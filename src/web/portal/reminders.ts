import { sendsReminders } from '../../domain/reminders.ts';
import { chooseReminders, wantsReminders } from '../../reminders/unsubscribe.ts';
import { reminderSettingsOf } from '../../stores/reminder-settings.ts';
import { type Html, html } from '../frame/html.ts';
import { say } from '../frame/language.ts';
import { seeOther } from '../frame/page-context.ts';
import { type PayerVisit, requireSession } from './visit.ts';

/** The choice between reminders and none; null for a store that sends none to a customer who has never ended them. */
export async function renderReminderChoice(visit: PayerVisit): Promise<Html | null> {
  const { ctx, em, customer, path, csrfToken } = visit;
  const wants = await wantsReminders(em, customer.id, customer.email);
  if (wants && !sendsReminders(await reminderSettingsOf(em, customer))) return null;
  const isDone = ctx.query.reminders === (wants ? 'on' : 'off');
  return html`<section class="panel" aria-labelledby="reminders">
<h2 id="reminders">${say('portal.reminders.title')}</h2>
${isDone && html`<p class="portal__done" role="status">${say(wants ? 'portal.reminders.begun' : 'portal.reminders.ended')}</p>`}
<p>${say(wants ? 'portal.reminders.on' : 'portal.reminders.off', { address: customer.email })}</p>
<form method="post" action="${path}/reminders"><input type="hidden" name="csrf" value="${csrfToken}">
<button class="button portal__button" name="wants" value="${wants ? 'no' : 'yes'}">${say(wants ? 'portal.reminders.end' : 'portal.reminders.begin')}</button></form>
</section>`;
}

/** Ends reminders to the customer's address, or begins them again. A form that is sent twice changes nothing more. */
export async function takeReminderChoice(visit: PayerVisit, form: URLSearchParams): Promise<void> {
  const { ctx, em, customer, path, now } = visit;
  const wants = form.get('wants') === 'yes';
  await em.fork().transactional(async (tx) => {
    await requireSession(tx, visit);
    await chooseReminders(tx, customer, wants, now);
  });
  seeOther(ctx, `${path}?reminders=${wants ? 'on' : 'off'}#reminders`);
}
