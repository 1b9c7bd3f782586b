import type { WebhookView } from '../../../api/webhooks/schema.ts';
import type { WebhookId } from '../../../domain/ids.ts';
import { type EndpointHealth, endpointHealth, isFailing } from '../../../webhooks/endpoint-health.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, time } from '../frame/components.ts';
import type { Visit } from '../frame/visit.ts';
import { failureWords } from './failure-words.ts';

const PERIOD_MS = 24 * 60 * 60 * 1_000;

/** How the endpoints have answered in the last 24 hours, by id. */
export function healthOf(
  { em, store, storeNow, now }: Visit,
  webhooks: readonly Pick<WebhookView, 'id'>[],
): Promise<ReadonlyMap<string, EndpointHealth>> {
  const ids = webhooks.map(({ id }) => id as WebhookId);
  const since = new Date(storeNow.getTime() - PERIOD_MS);
  return endpointHealth(em, store.id, ids, { since, now });
}

/** One word for an endpoint: whether its events arrive. */
export function healthBadge(
  { say }: Visit,
  { disabledAt }: Pick<WebhookView, 'disabledAt'>,
  health: EndpointHealth | undefined,
): Html {
  if (disabledAt !== null) return badge('bad', say('dashboard.webhooks.disabled'));
  if (health === undefined) return badge('plain', say('dashboard.webhooks.nothingSent'));
  if (health.pausedUntil !== null) return badge('bad', say('dashboard.webhooks.doesNotRespond'));
  if (isFailing(health)) return badge('bad', say('dashboard.failing'));
  if (health.failed > 0) return badge('waiting', say('dashboard.webhooks.someFailed'));
  return health.lastSuccessAt === null
    ? badge('plain', say('dashboard.webhooks.nothingSent'))
    : badge('good', say('dashboard.webhooks.healthy'));
}

/** `18 de 20 entregues`; what waits for its first attempt is not counted. */
export function deliveredText({ say }: Visit, { delivered, failed }: EndpointHealth): string {
  const total = delivered + failed;
  return total === 0
    ? say('dashboard.webhooks.nothingSent')
    : say('dashboard.webhooks.ofDelivered', { delivered, total });
}

/** When the last event arrived. */
export function lastSuccess(visit: Visit, { lastSuccessAt }: EndpointHealth): Html {
  return lastSuccessAt === null ? html`${visit.say('dashboard.never')}` : time(visit, lastSuccessAt);
}

/** When and why an attempt failed last. */
export function lastFailure(visit: Visit, { lastFailureAt, lastError }: EndpointHealth): Html {
  if (lastFailureAt === null || lastError === null) return html`${visit.say('dashboard.webhooks.none')}`;
  return html`${failureWords(lastError, visit.say)} <span class="soft">${time(visit, lastFailureAt)}</span>`;
}
