import { randomBytes } from 'node:crypto';
import { html } from '../../frame/html.ts';
import { section } from '../frame/components.ts';
import { form, type Problems, textField } from '../frame/form.ts';
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
${secretField(visit, problems)}${stepUpFields(visit, realMoneyStepUp(visit), problems)}`;
  const body = form(visit, {
    action: '/webhooks/new',
    fields,
    submit: say('Criar webhook', 'Create webhook'),
    isWide: true,
  });
  return page(visit, { title: say('Novo webhook', 'New webhook'), active: 'webhooks', body, status });
}

/** A refused form keeps the submitted secret, because it may already be in the receiver's system. */
export function secretField(visit: Visit, problems: Problems = {}) {
  const { say } = visit;
  return textField({
    name: 'secret',
    label: say('Segredo', 'Secret'),
    value: visit.field('secret') || randomBytes(24).toString('base64url'),
    hint: say(
      'Assina o que enviamos. Copie agora para o seu sistema: não será mostrado de novo.',
      'Signs what we send. Copy it into your system now: it will not be shown again.',
    ),
    maxLength: 256,
    problems,
  });
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
    submit: say('Salvar', 'Save'),
    isWide: true,
  });
  return page(visit, { title: say('Editar webhook', 'Edit webhook'), active: 'webhooks', body, status });
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
<p>${say('Os eventos vão de novo para este endereço, desde agora.', 'Events will be sent to this endpoint again.')}</p>
${form(visit, {
  action: `/webhooks/${id}/enable`,
  fields: html`${stepUpFields(visit, realMoneyStepUp(visit), problems)}`,
  submit: say('Ativar de novo', 'Enable again'),
})}`,
  );
  return page(visit, { title: say('Ativar webhook', 'Enable webhook'), active: 'webhooks', body, status });
}

function commonFields({ say }: Visit, typed: TypedWebhook, v2: boolean, problems: Problems) {
  return html`${textField({ name: 'name', label: say('Nome', 'Name'), value: typed.name, problems })}
${textField({
  name: 'endpoint',
  label: say('Endereço', 'Endpoint'),
  type: 'url',
  value: typed.endpoint,
  hint: say('Público e com https://', 'Public, and with https://'),
  maxLength: 2_048,
  problems,
})}
${eventPicker(say, { v2, chosen: typed.events, problems })}`;
}
