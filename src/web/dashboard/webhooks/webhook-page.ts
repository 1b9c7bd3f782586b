import { deliveryOperations } from '../../../api/deliveries/routes.ts';
import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import type { Page } from '../../../api/frame/pagination.ts';
import type { WebhookView } from '../../../api/webhooks/schema.ts';
import { DELIVERY_STATUSES } from '../../../domain/delivery.ts';
import { eventVersionOf } from '../../../domain/event-names.ts';
import type { EndpointHealth } from '../../../webhooks/endpoint-health.ts';
import { selectField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { deliveriesSheet } from '../exports/money-sheets.ts';
import { deliveryColumns } from '../exports/raw-columns.ts';
import { copyChip, filters, pager, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { openDialog } from '../frame/dialog.ts';
import type { Say } from '../frame/locale.ts';
import type { Reply } from '../frame/route.ts';
import { type Shown, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { fileLinks } from '../lists/list-files.ts';
import { statusBadge, statusName } from './delivery-page.ts';
import { eventWords } from './event-words.ts';
import { failureWords } from './failure-words.ts';
import { deliveredText, healthBadge, lastFailure, lastSuccess } from './health.ts';
import { SECRET, webhookButtons } from './webhook-buttons.ts';

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
}

/** GET `/webhooks/:id`: its deliveries, its settings beside them, and its actions. */
export function renderWebhook(
  visit: Visit,
  webhook: WebhookView,
  deliveries: Page<DeliveryView>,
  { health, hasWeakSecret }: Standing,
): Reply {
  const { say } = visit;
  return detailPage(visit, {
    title: webhook.name,
    active: 'webhooks',
    state: healthBadge(visit, webhook, health),
    actions: html`${webhookButtons(visit, webhook)}`,
    main: html`${hasWeakSecret && weakSecretNote(visit, webhook)}
${section(say('dashboard.deliveries'), deliveriesOf(visit, deliveries))}`,
    cards: [
      { title: say('dashboard.details'), rows: aboutOf(visit, webhook, health) },
      { title: say('dashboard.events'), rows: [], below: eventList(visit, webhook) },
    ],
  });
}

/** Only for people who can change it: others would learn which secret to guess. */
function weakSecretNote(visit: Visit, { id }: WebhookView): Html {
  const { say } = visit;
  return html`<div class="answer answer--bad"><p>${say('dashboard.webhooks.thisWebhooksSecretIsToo')} <a href="${visit.link(openDialog(`/webhooks/${id}`, SECRET))}">${say('dashboard.webhooks.changeItToTheOne')}</a></p></div>
`;
}

function eventList({ say }: Visit, { events }: WebhookView): Html {
  return html`<ul class="plain">${events.map((name) => html`<li>${eventWords(say, name)}</li>`)}</ul>`;
}

function aboutOf(visit: Visit, webhook: WebhookView, health: EndpointHealth | undefined): SideCard['rows'] {
  const { say } = visit;
  const { disabledAt, previousSecretUntil } = webhook;
  return [
    [say('dashboard.webhooks.endpoint'), html`<code>${webhook.endpoint}</code>`],
    disabledAt === null ? null : [say('dashboard.webhooks.disabled'), time(visit, disabledAt)],
    ...(health === undefined ? [] : healthFacts(visit, health)),
    [say('dashboard.webhooks.apiVersion'), eventVersionOf(webhook)],
    previousSecretUntil === null
      ? null
      : [say('dashboard.webhooks.previousSecretValidUntil'), time(visit, previousSecretUntil)],
    ['Id', copyChip(visit, webhook.id)],
  ];
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
