import { deliveryOperations } from '../../../api/deliveries/routes.ts';
import { eventOperations } from '../../../api/events/routes.ts';
import { RECORDED_EVENT_NAMES } from '../../../domain/event.ts';
import { html } from '../../frame/html.ts';
import { copyChip, facts, filters, guideLink, link, pager, section, time } from '../frame/components.ts';
import { selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import { statusBadge } from '../webhooks/delivery-page.ts';
import { EVENT_WORDS, eventWords } from '../webhooks/event-words.ts';

const list = dashboardRoute({
  method: 'GET',
  path: '/events',
  action: 'read',
  async handler(visit) {
    const { say } = visit;
    const { name = '', subjectId = '', after, before } = Object.fromEntries(visit.query);
    const query = { name, subjectId: subjectId.trim(), after, before, limit: '50' };
    const { items, pagination } = await read(visit, eventOperations.list, { query });
    const fields = html`${selectField({
      name: 'name',
      label: say('Evento', 'Event'),
      value: name,
      options: [
        ['', say('todos', 'all')],
        ...RECORDED_EVENT_NAMES.map((event) => [event, `${say(...EVENT_WORDS[event])} (${event})`] as const),
      ],
    })}
${textField({ name: 'subjectId', label: say('Sobre (qualquer id)', 'About (any id)'), value: subjectId, required: false, maxLength: 100 })}`;
    const body = html`${filters(visit, fields)}
${table({
  caption: say('Eventos', 'Events'),
  headings: [say('Evento', 'Event'), say('Quando', 'When'), say('Sobre', 'About')],
  rows: items.map((event) => ({
    href: visit.link(`/events/${event.id}`),
    cells: [
      eventWords(say, event.name),
      time(visit, event.createdAt),
      event.subjectIds[0] === undefined ? '' : copyChip(visit, event.subjectIds[0]),
    ],
  })),
  empty: emptyState({
    icon: 'activity',
    title: say('Nenhum evento aqui', 'No events here'),
    text: say(
      'Cada pagamento, reembolso e repasse registra um evento.',
      'Each payment, refund and payout records an event.',
    ),
    action: guideLink(visit, 'webhooks', say('Quais eventos existem', 'Which events exist')),
  }),
})}
${pager(visit, pagination)}`;
    return page(visit, { title: say('Eventos', 'Events'), active: 'events', body });
  },
});

const show = dashboardRoute({
  method: 'GET',
  path: '/events/:id',
  action: 'read',
  async handler(visit) {
    const { say } = visit;
    const { id = '' } = visit.params;
    const event = await read(visit, eventOperations.get, { query: { id } });
    const { items } = await read(visit, deliveryOperations.list, { query: { eventId: id, limit: '20' } });
    const body = html`${section(
      say('Sobre', 'About'),
      facts([
        [say('Nome', 'Name'), html`<code>${event.name}</code>`],
        [say('Quando', 'When'), time(visit, event.createdAt)],
        [
          say('Sobre', 'About'),
          html`${event.subjectIds.map((subject) => html`<a href="${visit.link('/events', { subjectId: subject })}"><code>${subject}</code></a> `)}`,
        ],
      ]),
    )}
${section(
  say('Quem foi avisado', 'Deliveries'),
  table({
    caption: say('Entregas', 'Deliveries'),
    headings: ['Webhook', say('Entrega', 'Delivery'), say('Estado', 'Status')],
    rows: items.map((delivery) => [
      link(visit, `/webhooks/${delivery.webhookId}`, html`<code>${delivery.webhookId}</code>`),
      link(visit, `/deliveries/${delivery.id}`, html`<code>${delivery.id}</code>`),
      statusBadge(delivery, say),
    ]),
    empty: say('Nenhum webhook pede este evento.', 'No webhook is subscribed to this event.'),
  }),
)}
${section(say('Dados', 'Data'), html`<pre tabindex="0">${JSON.stringify(event.data, null, 2)}</pre>`)}`;
    return page(visit, { title: say(...EVENT_WORDS[event.name]), active: 'events', body });
  },
});

export const eventPages: readonly DashboardRoute[] = [list, show];
