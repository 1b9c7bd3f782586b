import { webhookOperations } from '../../../api/webhooks/routes.ts';
import type { EndpointHealth } from '../../../webhooks/endpoint-health.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, guideLink, pager } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import { read } from '../frame/operation.ts';
import type { Reply } from '../frame/route.ts';
import { emptyState, type Shown, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { deliveredText, healthBadge, healthOf, lastFailure, lastSuccess } from './health.ts';
import { weakSecretIds } from './weak-secrets.ts';

/** GET `/webhooks`. */
export async function renderWebhooks(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const { after, before } = Object.fromEntries(visit.query);
  const { items, pagination } = await read(visit, webhookOperations.list, {
    query: { after, before, limit: '50' },
  });
  const [health, weak] = [await healthOf(visit, items), await weakSecretIds(visit)];
  const body = html`${table({
    caption: 'Webhooks',
    headings: [
      say('dashboard.name'),
      say('dashboard.webhooks.endpoint'),
      say('dashboard.state'),
      say('dashboard.webhooks.in24Hours'),
      say('dashboard.webhooks.lastSuccess'),
      say('dashboard.webhooks.lastFailure'),
    ],
    rows: items.map((webhook) => ({
      href: visit.link(`/webhooks/${webhook.id}`),
      cells: [
        webhook.name,
        html`<code class="endpoint">${webhook.endpoint}</code>`,
        html`${healthBadge(visit, webhook, health.get(webhook.id))}${
          weak.has(webhook.id) && html` ${badge('bad', say('dashboard.webhooks.weakSecret'))}`
        }`,
        ...answersOf(visit, health.get(webhook.id)),
      ],
    })),
    empty: emptyState({
      icon: 'webhook',
      title: say('dashboard.webhooks.noWebhookYet'),
      text: say('dashboard.webhooks.aWebhookNotifiesYourProgram'),
      action: guideLink(visit, 'webhooks', say('dashboard.webhooks.howToReceiveWebhooks')),
    }),
  })}
${pager(visit, pagination)}`;
  const make = html`<a class="button" href="${visit.link('/webhooks/new')}">${icon('plus')}${say('dashboard.webhooks.createAWebhook')}</a>`;
  return page(visit, {
    title: 'Webhooks',
    active: 'webhooks',
    body,
    ...(visit.can('webhook:manage') && { actions: make }),
  });
}

function answersOf(visit: Visit, health: EndpointHealth | undefined): readonly Shown[] {
  if (health === undefined) return ['–', '–', '–'];
  return [deliveredText(visit, health), lastSuccess(visit, health), lastFailure(visit, health)];
}
