import { deliveryOperations } from '../../../api/deliveries/routes.ts';
import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import type { Page } from '../../../api/frame/pagination.ts';
import type { WebhookView } from '../../../api/webhooks/schema.ts';
import { DELIVERY_STATUSES } from '../../../domain/delivery.ts';
import { eventNamesFor, eventVersionOf } from '../../../domain/event-names.ts';
import type { EndpointHealth } from '../../../webhooks/endpoint-health.ts';
import { facts } from '../../frame/facts.ts';
import { type Problems, selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { deliveriesSheet } from '../exports/money-sheets.ts';
import { deliveryColumns } from '../exports/raw-columns.ts';
import { filters, pager, section, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Say } from '../frame/locale.ts';
import type { Reply } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import { type Shown, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { fileLinks } from '../lists/list-files.ts';
import { statusBadge, statusName } from './delivery-page.ts';
import { EVENT_WORDS, eventWords } from './event-words.ts';
import { failureWords } from './failure-words.ts';
import { deliveredText, healthBadge, lastFailure, lastSuccess } from './health.ts';
import { secretField } from './webhook-form.ts';

/** The name of the dialog that deletes the webhook. */
export const DELETE = 'delete';

/** The files of a webhook's deliveries. */
export const DELIVERY_FILES = {
  operation: deliveryOperations.list,
  name: 'deliveries',
  sheet: deliveriesSheet,
  columns: deliveryColumns,
};

interface Standing {
  readonly health: EndpointHealth | undefined;
  readonly hasWeakSecret: boolean;
  /** Of the form that changes the secret. */
  readonly problems: Problems;
  readonly status: number;
}

/** GET `/webhooks/:id`: its settings, deliveries and actions. */
export function renderWebhook(
  visit: Visit,
  webhook: WebhookView,
  deliveries: Page<DeliveryView>,
  { health, hasWeakSecret, problems, status }: Standing,
): Reply {
  const { say } = visit;
  const body = html`${hasWeakSecret && weakSecretNote(visit)}${section(say('dashboard.about'), aboutOf(visit, webhook, health))}
${section(say('dashboard.deliveries'), deliveriesOf(visit, deliveries))}
<div class="columns">${visit.can('webhook:resend') && section(say('dashboard.webhooks.sendARangeAgain'), resendForm(visit, webhook))}
${visit.can('webhook:manage') && manageForms(visit, webhook, problems)}</div>`;
  return page(visit, { title: webhook.name, active: 'webhooks', body, status });
}

/** Only for people who can change it: others would learn which secret to guess. */
function weakSecretNote({ say }: Visit): Html {
  return html`<div class="answer answer--bad"><p>${say('dashboard.webhooks.thisWebhooksSecretIsToo')} <a href="#secret">${say('dashboard.webhooks.changeItToTheOne')}</a></p></div>
`;
}

function aboutOf(visit: Visit, webhook: WebhookView, health: EndpointHealth | undefined): Html {
  const { say } = visit;
  return facts([
    [say('dashboard.webhooks.endpoint'), html`<code>${webhook.endpoint}</code>`],
    [
      say('dashboard.state'),
      html`${healthBadge(visit, webhook, health)}${
        webhook.disabledAt !== null &&
        html` ${say('dashboard.webhooks.since')} ${time(visit, webhook.disabledAt)}`
      }`,
    ],
    ...(health === undefined ? [] : healthFacts(visit, health)),
    [
      say('dashboard.events'),
      html`<ul class="plain">${webhook.events.map((name) => html`<li>${eventWords(say, name)}</li>`)}</ul>`,
    ],
    [say('dashboard.webhooks.apiVersion'), eventVersionOf(webhook)],
    ...(webhook.previousSecretUntil === null
      ? []
      : [
          [
            say('dashboard.webhooks.previousSecretValidUntil'),
            time(visit, webhook.previousSecretUntil),
          ] as const,
        ]),
  ]);
}

function healthFacts(visit: Visit, health: EndpointHealth): readonly (readonly [string, Shown])[] {
  const { say } = visit;
  const { pausedUntil, waiting } = health;
  return [
    [say('dashboard.webhooks.in24Hours'), deliveredText(visit, health)],
    ...(waiting > 0 ? [[say('dashboard.waiting'), String(waiting)] as const] : []),
    [say('dashboard.webhooks.lastSuccess'), lastSuccess(visit, health)],
    [say('dashboard.webhooks.lastFailure'), lastFailure(visit, health)],
    ...(pausedUntil === null
      ? []
      : [[say('dashboard.webhooks.pausedUntil'), time(visit, pausedUntil)] as const]),
  ];
}

function deliveriesOf(visit: Visit, { items, pagination }: Page<DeliveryView>): Html {
  const { say } = visit;
  return html`${filters(
    visit,
    selectField({
      name: 'status',
      label: say('dashboard.status2'),
      value: visit.query.get('status') ?? '',
      options: [
        ['', say('dashboard.all2')],
        ...DELIVERY_STATUSES.map((status) => [status, statusName(status, say)] as const),
      ],
    }),
  )}
${items.length > 0 && html`<p class="buttons">${fileLinks(visit, DELIVERY_FILES)}</p>`}
${table({
  caption: say('dashboard.deliveries'),
  headings: [
    say('dashboard.event'),
    say('dashboard.when'),
    say('dashboard.status2'),
    say('dashboard.lastResponse'),
  ],
  rows: items.map((delivery) => ({
    href: visit.link(`/deliveries/${delivery.id}`),
    cells: [
      eventWords(say, delivery.event),
      time(visit, delivery.createdAt),
      statusBadge(delivery, say),
      lastAnswer(delivery, say),
    ],
  })),
  empty: say('dashboard.webhooks.nothingWasSent'),
})}
${pager(visit, pagination)}`;
}

function lastAnswer({ attempts }: DeliveryView, say: Say): string {
  const last = attempts.at(-1);
  if (last === undefined) return '–';
  if (last.error !== null) return failureWords(last.error, say);
  return `HTTP ${last.statusCode} · ${last.durationMs} ms`;
}

function resendForm(visit: Visit, { id }: WebhookView): Html {
  const { say } = visit;
  const fields = html`${textField({ name: 'from', label: say('dashboard.webhooks.fromTimeOfBrasilia'), type: 'datetime-local' })}
${textField({ name: 'to', label: say('dashboard.to'), type: 'datetime-local' })}
${selectField({ name: 'status', label: say('dashboard.webhooks.thoseThatAre'), value: 'FAILED', options: DELIVERY_STATUSES.map((status) => [status, statusName(status, say)]) })}`;
  return form(visit, {
    action: `/webhooks/${id}/resend`,
    fields,
    submit: say('dashboard.webhooks.sendAgain'),
    style: 'plain',
  });
}

function manageForms(
  visit: Visit,
  { id, v2, events, disabledAt }: WebhookView,
  problems: Standing['problems'],
): Html {
  const { say } = visit;
  const testFields = selectField({
    name: 'event',
    label: say('dashboard.webhooks.exampleOf'),
    value: events[0] ?? '',
    options: eventNamesFor({ v2 }).map((name) => [name, `${say(EVENT_WORDS[name])} (${name})`]),
  });
  const isOn = disabledAt === null;
  return html`${section(say('dashboard.webhooks.tryItOut'), form(visit, { action: `/webhooks/${id}/test`, fields: testFields, submit: say('dashboard.webhooks.sendTheExample') }))}
${section(
  say('dashboard.change'),
  html`<div class="buttons"><a class="button button--quiet" href="${visit.link(`/webhooks/${id}/edit`)}">${say('dashboard.webhooks.editNameEndpointAndEvents')}</a>
${
  isOn
    ? disableDialog(visit, id)
    : html`<a class="button button--quiet" href="${visit.link(`/webhooks/${id}/enable`)}">${say('dashboard.webhooks.enableAgain2')}</a>`
}</div>`,
)}
${section(
  say('dashboard.webhooks.changeTheSecret'),
  html`<p>${say('dashboard.webhooks.thePreviousOneAlsoSigns')}</p>
${form(visit, { action: `/webhooks/${id}/rotate-secret`, fields: html`${secretField(visit, problems)}${stepUpFields(visit, realMoneyStepUp(visit), problems)}`, submit: say('dashboard.webhooks.changeIt') })}`,
)}
${section(
  say('dashboard.delete'),
  html`<p>${say('dashboard.webhooks.nothingIsSentToIt')}</p>
<div class="buttons">${deleteDialog(visit, id)}</div>`,
)}`;
}

function disableDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'disable',
    button: say('dashboard.webhooks.disable'),
    style: 'quiet',
    title: say('dashboard.webhooks.disableTheWebhook'),
    text: say('dashboard.webhooks.disableMeans'),
    action: `/webhooks/${id}/disable`,
    isDangerous: true,
  });
}

/** Asks for the password in production. */
function deleteDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  const fields = stepUpFields(visit, realMoneyStepUp(visit), fieldsOf(visit, DELETE).problems, DELETE);
  return formDialog(visit, {
    name: DELETE,
    button: say('dashboard.webhooks.deleteTheWebhook'),
    style: 'danger',
    title: `${say('dashboard.webhooks.deleteTheWebhook')}?`,
    text: say('dashboard.webhooks.deleteMeans'),
    action: `/webhooks/${id}/delete`,
    ...(fields !== null && { fields }),
    isDangerous: true,
  });
}
