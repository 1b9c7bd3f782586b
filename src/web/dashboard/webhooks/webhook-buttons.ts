import type { WebhookView } from '../../../api/webhooks/schema.ts';
import { DELIVERY_STATUSES } from '../../../domain/delivery.ts';
import { eventNamesFor } from '../../../domain/event-names.ts';
import { type Html, html } from '../../frame/html.ts';
import { linkButton } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { statusName } from './delivery-page.ts';
import { EVENT_WORDS } from './event-words.ts';
import { secretInput } from './webhook-form.ts';

/** The names of the dialogs whose forms are shown again if they are refused. */
export const [EXAMPLE, RESEND, SECRET, DELETE] = ['example', 'resend', 'secret', 'delete'] as const;

/** The actions that the reader's role allows. The first is what someone who has just created the webhook does. */
export function webhookButtons(visit: Visit, webhook: WebhookView): Html | null {
  const { id, disabledAt } = webhook;
  const { say } = visit;
  const isManaged = visit.can('webhook:manage');
  const toggle = () =>
    disabledAt === null
      ? disableDialog(visit, id)
      : linkButton(visit, `/webhooks/${id}/enable`, say('dashboard.webhooks.enableAgain'));
  const buttons = [
    isManaged && exampleDialog(visit, webhook),
    isManaged && linkButton(visit, `/webhooks/${id}/edit`, say('dashboard.webhooks.editWebhook')),
    visit.can('webhook:resend') && resendDialog(visit, id),
    isManaged && secretDialog(visit, id),
    isManaged && toggle(),
    isManaged && deleteDialog(visit, id),
  ].filter((button) => button !== false);
  return buttons.length === 0 ? null : html`${buttons}`;
}

function exampleDialog(visit: Visit, { id, v2, events }: WebhookView): Html {
  const { say } = visit;
  const field = fieldsOf(visit, EXAMPLE).select({
    name: 'event',
    label: say('dashboard.webhooks.exampleOf'),
    value: events[0] ?? '',
    options: eventNamesFor({ v2 }).map((name) => [name, `${say(EVENT_WORDS[name])} (${name})`]),
  });
  return formDialog(visit, {
    name: EXAMPLE,
    button: say('dashboard.webhooks.sendTheExample'),
    title: say('dashboard.webhooks.tryItOut'),
    action: `/webhooks/${id}/test`,
    fields: field,
  });
}

function resendDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  const { text, select } = fieldsOf(visit, RESEND);
  return formDialog(visit, {
    name: RESEND,
    button: say('dashboard.webhooks.sendARangeAgain'),
    style: 'quiet',
    title: say('dashboard.webhooks.sendARangeAgain'),
    action: `/webhooks/${id}/resend`,
    fields: html`${text({ name: 'from', label: say('dashboard.webhooks.fromTimeOfBrasilia'), type: 'datetime-local' })}
${text({ name: 'to', label: say('dashboard.to'), type: 'datetime-local' })}
${select({ name: 'status', label: say('dashboard.webhooks.thoseThatAre'), value: 'FAILED', options: DELIVERY_STATUSES.map((status) => [status, statusName(status, say)]) })}`,
    submit: say('dashboard.webhooks.sendAgain'),
  });
}

function secretDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  const { text, problems } = fieldsOf(visit, SECRET);
  return formDialog(visit, {
    name: SECRET,
    button: say('dashboard.webhooks.changeTheSecret'),
    style: 'quiet',
    title: say('dashboard.webhooks.changeTheSecret'),
    text: say('dashboard.webhooks.thePreviousOneAlsoSigns'),
    action: `/webhooks/${id}/rotate-secret`,
    fields: html`${text(secretInput(visit))}${stepUpFields(visit, realMoneyStepUp(visit), problems, SECRET)}`,
    submit: say('dashboard.webhooks.changeIt'),
  });
}

function disableDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'disable',
    button: say('dashboard.webhooks.disable'),
    title: say('dashboard.webhooks.disableTheWebhook'),
    text: say('dashboard.webhooks.disableMeans'),
    action: `/webhooks/${id}/disable`,
    style: 'quiet',
  });
}

/** Asks for the password in production. */
function deleteDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  const fields = stepUpFields(visit, realMoneyStepUp(visit), fieldsOf(visit, DELETE).problems, DELETE);
  return formDialog(visit, {
    name: DELETE,
    button: say('dashboard.webhooks.deleteTheWebhook'),
    title: `${say('dashboard.webhooks.deleteTheWebhook')}?`,
    text: html`<p>${say('dashboard.webhooks.nothingIsSentToIt')}</p>
<p>${say('dashboard.webhooks.deleteMeans')}</p>`,
    action: `/webhooks/${id}/delete`,
    ...(fields !== null && { fields }),
    isDangerous: true,
  });
}
