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
      say('Nome', 'Name'),
      say('Endereço', 'Endpoint'),
      say('Estado', 'State'),
      say('Em 24 horas', 'In 24 hours'),
      say('Último sucesso', 'Last success'),
      say('Última falha', 'Last failure'),
    ],
    rows: items.map((webhook) => ({
      href: visit.link(`/webhooks/${webhook.id}`),
      cells: [
        webhook.name,
        html`<code class="endpoint">${webhook.endpoint}</code>`,
        html`${healthBadge(visit, webhook, health.get(webhook.id))}${
          weak.has(webhook.id) && html` ${badge('bad', say('Segredo fraco', 'Weak secret'))}`
        }`,
        ...answersOf(visit, health.get(webhook.id)),
      ],
    })),
    empty: emptyState({
      icon: 'webhook',
      title: say('Nenhum webhook ainda', 'No webhook yet'),
      text: say(
        'Um webhook avisa o seu programa de cada pagamento. Sem ele, ninguém é avisado.',
        'A webhook notifies your program of each payment. Without one, nobody is notified.',
      ),
      action: guideLink(visit, 'webhooks', say('Como receber webhooks', 'How to receive webhooks')),
    }),
  })}
${pager(visit, pagination)}`;
  const make = html`<a class="button" href="${visit.link('/webhooks/new')}">${icon('plus')}${say('Criar webhook', 'Create a webhook')}</a>`;
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
