import { checkoutSummaries } from '../../../api/checkouts/checkout-summaries.ts';
import { listCheckouts } from '../../../api/checkouts/routes.ts';
import { listPaymentLinks } from '../../../api/payment-links/routes.ts';
import { CHECKOUT_STATUSES, itemsText } from '../../../domain/checkout.ts';
import type { ShownCheckout } from '../../../wire/checkout.ts';
import { textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { checkoutColumns } from '../exports/raw-columns.ts';
import { checkoutsSheet, linksSheet } from '../exports/sales-sheets.ts';
import { copyButton, guideLink, time } from '../frame/components.ts';
import { dashboardRoute } from '../frame/route.ts';
import { emptyState, type LinkedRow } from '../frame/table.ts';
import { tabs } from '../frame/tabs.ts';
import type { Visit } from '../frame/visit.ts';
import { choice, dayFields, listPage, sortHeading } from '../lists/list-page.ts';
import { amountCell, amountHeading, statusName } from '../words.ts';
import { standingOf } from './standing.ts';

export const checkoutList = dashboardRoute({
  method: 'GET',
  path: '/checkouts',
  action: 'read',
  handler(visit) {
    const { say, query } = visit;
    const isLinks = query.get('kind') === 'links';
    const title = isLinks ? say('dashboard.checkouts.paymentLinks') : say('dashboard.checkoutsAndLinks');
    const statuses = CHECKOUT_STATUSES.map((status) => [status, statusName(status, say)] as const);
    return listPage(visit, {
      title,
      active: 'checkouts',
      operation: isLinks ? listPaymentLinks : listCheckouts,
      parameters: ['status', 'externalId', 'customerId', 'createdFrom', 'createdTo'],
      fields: html`${isLinks && html`<input type="hidden" name="kind" value="links">`}${choice(visit, { name: 'status', label: say('dashboard.status'), options: statuses })}
${textField({ name: 'externalId', label: say('dashboard.yourId'), required: false, value: query.get('externalId') ?? '' })}${dayFields(visit)}`,
      above: kinds(visit, isLinks),
      headings: [
        sortHeading(visit, say('dashboard.created')),
        amountHeading(say('dashboard.amount')),
        say('dashboard.status'),
        say('dashboard.what'),
        say('dashboard.customer'),
        say('dashboard.yourId'),
        'Link',
      ],
      rows: (items) => rowsOf(visit, items),
      sheet: isLinks ? linksSheet : checkoutsSheet,
      columns: checkoutColumns,
      ...(isLinks && { file: 'payment-links' }),
      empty: noCheckouts(visit),
      ...(visit.can('sell') && { actions: newButton(visit) }),
    });
  },
});

function kinds(visit: Visit, isLinks: boolean) {
  const { say } = visit;
  return tabs(say('dashboard.checkouts.whatToShow'), [
    { href: visit.link('/checkouts'), text: say('dashboard.all3'), isCurrent: !isLinks },
    {
      href: visit.link('/checkouts', { kind: 'links' }),
      text: say('dashboard.checkouts.paymentLinksOnly'),
      isCurrent: isLinks,
    },
  ]);
}

async function rowsOf(visit: Visit, items: readonly ShownCheckout[]): Promise<LinkedRow[]> {
  const ids = items.map(({ id }) => id);
  const summaries = await checkoutSummaries(visit.em, visit.caller, ids);
  return items.map((item) => {
    const summary = summaries.get(item.id);
    return {
      href: visit.link(`/checkouts/${item.id}`),
      cells: [
        time(visit, item.createdAt),
        amountCell(item.amount),
        standingOf(visit, item, summary),
        itemsText(summary?.items ?? []),
        summary?.customerName ?? '',
        item.externalId ?? '',
        copyButton(visit, item.url),
      ],
    };
  });
}

function newButton(visit: Visit) {
  return html`<a class="button" href="${visit.link('/new-checkout')}">${icon('plus')}${visit.say('dashboard.checkouts.new')}</a>`;
}

function noCheckouts(visit: Visit) {
  const { say } = visit;
  return emptyState({
    icon: 'shopping-cart',
    title: say('dashboard.checkouts.noCheckoutsHere'),
    text: say('dashboard.checkouts.createACheckoutOrA'),
    action: guideLink(visit, 'checkouts', say('dashboard.checkouts.howCheckoutsAndLinksWork')),
  });
}
