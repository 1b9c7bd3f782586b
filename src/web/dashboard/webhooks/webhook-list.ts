import { webhookOperations } from '../../../api/webhooks/routes.ts';
import type { WebhookView } from '../../../api/webhooks/schema.ts';
import type { DeliveryStatus } from '../../../domain/delivery.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, guideLink, pager } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import { read } from '../frame/operation.ts';
import type { Reply } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { weakSecretIds } from './weak-secrets.ts';

/** How many recent deliveries determine an endpoint's health. */
const LOOKED_AT = 20;

/** GET `/webhooks`. */
export async function renderWebhooks(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const { after, before } = Object.fromEntries(visit.query);
  const { items, pagination } = await read(visit, webhookOperations.list, {
    query: { after, before, limit: '50' },
  });
  const [lately, weak] = [await latelyOf(visit, items), await weakSecretIds(visit)];
  const body = html`${table({
    caption: 'Webhooks',
    headings: [
      say('Nome', 'Name'),
      say('Endereço', 'Endpoint'),
      say('Eventos', 'Events'),
      say('Saúde', 'Health'),
    ],
    rows: items.map((webhook) => ({
      href: visit.link(`/webhooks/${webhook.id}`),
      cells: [
        webhook.name,
        html`<code class="endpoint">${webhook.endpoint}</code>`,
        String(webhook.events.length),
        html`${healthOf(visit, webhook, lately.get(webhook.id) ?? [])}${
          weak.has(webhook.id) && html` ${badge('bad', say('segredo fraco', 'weak secret'))}`
        }`,
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

/** The result of the last deliveries of each endpoint: a few rows of an index for each. */
async function latelyOf(
  visit: Visit,
  webhooks: readonly WebhookView[],
): Promise<Map<string, DeliveryStatus[]>> {
  if (webhooks.length === 0) return new Map();
  const rows = await visit.em.execute<{ webhookId: string; statuses: DeliveryStatus[] }[]>(
    `select webhook.id as "webhookId", array(
       select status from deliveries where webhook_id = webhook.id order by created_at desc, id desc limit ${LOOKED_AT}
     ) as statuses
     from webhooks webhook where webhook.store_id = :storeId and webhook.id in (:ids)`,
    { storeId: visit.store.id, ids: webhooks.map(({ id }) => id) } as never,
  );
  return new Map(rows.map(({ webhookId, statuses }) => [webhookId, statuses]));
}

function healthOf({ say }: Visit, { disabledAt }: WebhookView, statuses: readonly DeliveryStatus[]): Html {
  if (disabledAt !== null) return badge('bad', say('desativado', 'disabled'));
  if (statuses.length === 0) return badge('plain', say('nada enviado', 'nothing sent'));
  const countOf = (wanted: DeliveryStatus) => statuses.filter((status) => status === wanted).length;
  const [failed, pending] = [countOf('FAILED'), countOf('PENDING')];
  const text = say(
    `${countOf('DELIVERED')} de ${statuses.length} entregues`,
    `${countOf('DELIVERED')} of ${statuses.length} delivered`,
  );
  return badge(failed > 0 ? 'bad' : pending > 0 ? 'waiting' : 'good', text);
}
