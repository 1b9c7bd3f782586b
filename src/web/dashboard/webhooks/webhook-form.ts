import { randomBytes } from 'node:crypto';
import { type Problems, textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Reply } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { chosenEvents, eventPicker } from './event-picker.ts';

/** The submitted fields of a webhook. */
export interface TypedWebhook {
  readonly name: string;
  readonly endpoint: string;
  readonly events: readonly string[];
}

const NEW_WEBHOOK: TypedWebhook = {
  name: '',
  endpoint: '',
  events: ['transparent.completed', 'checkout.completed'],
};

export function typedWebhook(visit: Visit): TypedWebhook {
  return {
    name: visit.field('name'),
    endpoint: visit.field('endpoint'),
    events: chosenEvents(visit),
  };
}

/** The form contains a random secret. The user copies it to the receiver; it is not shown again. */
export function renderNewWebhook(
  visit: Visit,
  typed = NEW_WEBHOOK,
  problems: Problems = {},
  status = 200,
): Reply {
  const { say } = visit;
  const fields = html`${commonFields(visit, typed, true, problems)}
${textField({ ...secretInput(visit), problems })}${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = form(visit, {
    action: '/webhooks/new',
    fields,
    submit: say('dashboard.webhooks.createWebhook'),
    isWide: true,
  });
  return page(visit, { title: say('dashboard.webhooks.newWebhook'), active: 'webhooks', body, status });
}

/** A refused form keeps the submitted secret, because it may already be in the receiver's system. */
export function secretInput(visit: Visit) {
  const { say } = visit;
  return {
    name: 'secret',
    label: say('dashboard.webhooks.secret'),
    value: visit.field('secret') || randomBytes(24).toString('base64url'),
    hint: say('dashboard.webhooks.signsWhatWeSend'),
    maxLength: 256,
  };
}

export function renderEditWebhook(
  visit: Visit,
  { id, v2 }: { readonly id: string; readonly v2: boolean },
  typed: TypedWebhook,
  problems: Problems = {},
  status = 200,
): Reply {
  const { say } = visit;
  const fields = html`${commonFields(visit, typed, v2, problems)}${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = form(visit, {
    action: `/webhooks/${id}/edit`,
    fields,
    submit: say('dashboard.save'),
    isWide: true,
  });
  return page(visit, { title: say('dashboard.webhooks.editWebhook'), active: 'webhooks', body, status });
}

/** GET `/webhooks/:id/enable`. */
export function renderEnableWebhook(
  visit: Visit,
  { id, name, endpoint }: { readonly id: string; readonly name: string; readonly endpoint: string },
  problems: Problems = {},
  status = 200,
): Reply {
  const { say } = visit;
  const body = section(
    name,
    html`<p><code>${endpoint}</code></p>
<p>${say('dashboard.webhooks.eventsWillBeSentTo')}</p>
${form(visit, {
  action: `/webhooks/${id}/enable`,
  fields: html`${stepUpFields(visit, realMoneyStepUp(visit), problems)}`,
  submit: say('dashboard.webhooks.enableAgain'),
})}`,
  );
  return page(visit, { title: say('dashboard.webhooks.enableWebhook'), active: 'webhooks', body, status });
}

function commonFields({ say }: Visit, typed: TypedWebhook, v2: boolean, problems: Problems) {
  return html`${textField({ name: 'name', label: say('dashboard.name'), value: typed.name, problems })}
${textField({
  name: 'endpoint',
  label: say('dashboard.webhooks.endpoint'),
  type: 'url',
  value: typed.endpoint,
  hint: say('dashboard.webhooks.publicAndWithHttps'),
  maxLength: 2_048,
  problems,
})}
${eventPicker(say, { v2, chosen: typed.events, problems })}`;
}
