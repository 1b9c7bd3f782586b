import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import type { WebhookView } from '../../../api/webhooks/schema.ts';
import type { DeliveryStatus } from '../../../domain/delivery.ts';
import { visibleText } from '../../../domain/plain-text.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { badge, copyChip, exactTime, link, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { form } from '../frame/form.ts';
import type { Say } from '../frame/locale.ts';
import type { Reply } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { EVENT_WORDS } from './event-words.ts';
import { failureWords } from './failure-words.ts';

/** The characters of a response body that the page shows; the API returns up to 4 KiB. */
const MAX_BODY = 2_048;

const STATUSES = {
  DELIVERED: ['good', 'dashboard.delivered'],
  PENDING: ['waiting', 'dashboard.waiting'],
  FAILED: ['bad', 'dashboard.failed'],
} as const satisfies Record<DeliveryStatus, readonly [string, MessageKey]>;

export function statusName(status: DeliveryStatus, say: Say): string {
  return say(STATUSES[status][1]);
}

export function statusBadge(
  { status, attemptsCount }: Pick<DeliveryView, 'status' | 'attemptsCount'>,
  say: Say,
): Html {
  const isRetried = status === 'PENDING' && attemptsCount > 0;
  if (isRetried) return badge('bad', say('dashboard.webhooks.failedWillRetry'));
  return badge(STATUSES[status][0], statusName(status, say));
}

/** GET `/deliveries/:id`: all attempts, and the exact JSON sent to the endpoint. */
export function renderDelivery(
  visit: Visit,
  delivery: DeliveryView & { readonly payload: Readonly<Record<string, unknown>> },
  webhook: Pick<WebhookView, 'name' | 'endpoint'> | undefined,
): Reply {
  const { say } = visit;
  const { id, webhookId, eventId, sample, nextAttemptAt } = delivery;
  const rows: SideCard['rows'] = [
    [
      'Webhook',
      webhook === undefined
        ? html`<code>${webhookId}</code> ${say('dashboard.webhooks.deleted')}`
        : html`${link(visit, `/webhooks/${webhookId}`, webhook.name)} <code class="code-of">${webhook.endpoint}</code>`,
    ],
    [
      say('dashboard.event'),
      sample
        ? say('dashboard.webhooks.anExampleItHasNot')
        : link(visit, `/events/${eventId}`, say(EVENT_WORDS[delivery.event])),
    ],
    [say('dashboard.name'), html`<code>${delivery.event}</code>`],
    [say('dashboard.created2'), time(visit, delivery.createdAt)],
    nextAttemptAt === null ? null : [say('dashboard.webhooks.nextAttempt'), time(visit, nextAttemptAt)],
    ['Id', copyChip(visit, id)],
  ];
  const attempts = table({
    caption: say('dashboard.attempts'),
    headings: [
      say('dashboard.when'),
      say('dashboard.webhooks.took'),
      say('dashboard.webhooks.resultAndResponseBody'),
    ],
    rows: delivery.attempts.map(({ startedAt, durationMs, statusCode, responseExcerpt, error }) => [
      exactTime(visit, startedAt),
      `${durationMs} ms`,
      html`${error === null ? `${say('dashboard.webhooks.accepted')} (HTTP ${statusCode ?? ''})` : failureWords(error, say)}${responseExcerpt !== '' && html`<pre tabindex="0" aria-label="${say('dashboard.webhooks.responseBody')}">${visibleText(responseExcerpt, MAX_BODY)}</pre>`}`,
    ]),
    empty: say('dashboard.webhooks.noneYet'),
  });
  const resend = form(visit, {
    action: `/deliveries/${id}/resend`,
    submit: say('dashboard.webhooks.sendAgainNow'),
  });
  return detailPage(visit, {
    title: say(EVENT_WORDS[delivery.event]),
    active: 'webhooks',
    state: statusBadge(delivery, say),
    ...(visit.can('webhook:resend') && { actions: resend }),
    main: html`${section(say('dashboard.attempts'), attempts)}
${section(say('dashboard.webhooks.whatWeSend'), html`<pre tabindex="0">${JSON.stringify(delivery.payload, null, 2)}</pre>`)}`,
    cards: [{ title: say('dashboard.details'), rows }],
  });
}
