import { deliveryOperations } from '../../../api/deliveries/routes.ts';
import { eventOperations } from '../../../api/events/routes.ts';
import { RECORDED_EVENT_NAMES } from '../../../domain/event-names.ts';
import { type NamedWebhook, namedWebhooks } from '../../../webhooks/webhook-names.ts';
import { selectField, textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { subjectNames } from '../audit/subject-names.ts';
import { copyChip, exactTime, filters, guideLink, link, pager, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { page } from '../frame/layout.ts';
import { read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';
import { emptyState, type Shown, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
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
    const names = await subjectNames(
      visit,
      items.flatMap(({ subjectIds }) => subjectIds.slice(0, 1)),
    );
    const fields = html`${selectField({
      name: 'name',
      label: say('dashboard.event'),
      value: name,
      options: [
        ['', say('dashboard.all')],
        ...RECORDED_EVENT_NAMES.map((event) => [event, `${say(EVENT_WORDS[event])} (${event})`] as const),
      ],
    })}
${textField({ name: 'subjectId', label: say('dashboard.events.aboutAnyId'), value: subjectId, required: false, maxLength: 100 })}`;
    const body = html`${filters(visit, fields)}
${table({
  caption: say('dashboard.events'),
  headings: [say('dashboard.event'), say('dashboard.when'), say('dashboard.about')],
  rows: items.map((event) => ({
    href: visit.link(`/events/${event.id}`),
    cells: [
      eventWords(say, event.name),
      time(visit, event.createdAt),
      aboutWhat(visit, event.subjectIds[0], names),
    ],
  })),
  empty: emptyState({
    icon: 'activity',
    title: say('dashboard.events.noEventsHere'),
    text: say('dashboard.events.eachPaymentRefundAndPayout'),
    action: guideLink(visit, 'webhooks', say('dashboard.events.whichEventsExist')),
  }),
})}
${pager(visit, pagination)}`;
    return page(visit, { title: say('dashboard.events'), active: 'events', body });
  },
});

type Names = ReadonlyMap<string, string>;

/** Its name above its id, as in the audit log. */
function aboutWhat(visit: Visit, subjectId: string | undefined, names: Names): Shown {
  if (subjectId === undefined) return '';
  const name = names.get(subjectId);
  return html`${name ? html`${name}<br>` : null}${copyChip(visit, subjectId)}`;
}

const show = dashboardRoute({
  method: 'GET',
  path: '/events/:id',
  action: 'read',
  async handler(visit) {
    const { say } = visit;
    const { id = '' } = visit.params;
    const event = await read(visit, eventOperations.get, { query: { id } });
    const { items } = await read(visit, deliveryOperations.list, { query: { eventId: id, limit: '20' } });
    const webhooks = await namedWebhooks(
      visit.em,
      visit.caller,
      items.map(({ webhookId }) => webhookId),
    );
    const names = await subjectNames(visit, event.subjectIds);
    const main = html`${section(
      say('dashboard.events.deliveries'),
      table({
        caption: say('dashboard.deliveries'),
        headings: [say('dashboard.events.delivery'), 'Webhook', say('dashboard.status2')],
        rows: items.map((delivery) => [
          link(visit, `/deliveries/${delivery.id}`, time(visit, delivery.createdAt)),
          webhookOf(visit, delivery.webhookId, webhooks.get(delivery.webhookId)),
          statusBadge(delivery, say),
        ]),
        empty: say('dashboard.events.noWebhookIsSubscribedTo'),
      }),
    )}
${section(say('dashboard.events.data'), html`<pre tabindex="0">${JSON.stringify(event.data, null, 2)}</pre>`)}`;
    return detailPage(visit, {
      title: say(EVENT_WORDS[event.name]),
      active: 'events',
      main,
      cards: [
        {
          title: say('dashboard.details'),
          rows: [
            [say('dashboard.name'), html`<code>${event.name}</code>`],
            [say('dashboard.when'), exactTime(visit, event.createdAt)],
            [
              say('dashboard.about'),
              html`${event.subjectIds.map((subject) => html`<div>${names.get(subject) ?? ''} <a href="${visit.link('/events', { subjectId: subject })}"><code>${subject}</code></a></div>`)}`,
            ],
            ['Id', copyChip(visit, event.id)],
          ],
        },
      ],
    });
  },
});

/** Its name, with a link to its page if it has one. */
function webhookOf(visit: Visit, id: string, webhook: NamedWebhook | undefined): Html {
  if (webhook === undefined) return html`<code>${id}</code>`;
  if (webhook.deletedAt === null) return link(visit, `/webhooks/${id}`, webhook.name);
  return html`${webhook.name} ${visit.say('dashboard.webhooks.deleted')}`;
}

export const eventPages: readonly DashboardRoute[] = [list, show];
