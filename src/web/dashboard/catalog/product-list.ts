import { listProducts } from '../../../api/products/routes.ts';
import type { ProductView } from '../../../api/products/schema.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { productColumns } from '../exports/raw-columns.ts';
import { productsSheet } from '../exports/sales-sheets.ts';
import { guideLink, time } from '../frame/components.ts';
import { dashboardRoute } from '../frame/route.ts';
import { emptyState, type LinkedRow } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { listPage, sortHeading } from '../lists/list-page.ts';
import { amountCell, amountHeading } from '../words.ts';
import { cycleText } from './cycle-text.ts';
import { statusTabs } from './status-tabs.ts';

/** The products that are sold, or the archived ones. */
export const productList = dashboardRoute({
  method: 'GET',
  path: '/products',
  action: 'read',
  handler(visit) {
    const { say, query } = visit;
    const isArchive = query.get('status') === 'ARCHIVED';
    return listPage(visit, {
      title: say('dashboard.products'),
      active: 'products',
      operation: listProducts,
      parameters: [],
      query: { status: isArchive ? 'ARCHIVED' : 'ACTIVE' },
      headings: [
        say('dashboard.name'),
        amountHeading(say('dashboard.catalog.price')),
        say('dashboard.catalog.charged'),
        say('dashboard.yourId'),
        sortHeading(visit, say('dashboard.created')),
      ],
      rows: (items) => items.map((product) => rowOf(visit, product)),
      sheet: productsSheet,
      columns: productColumns,
      empty: isArchive ? emptyArchive(visit) : noProducts(visit),
      above: statusTabs(visit, say('dashboard.catalog.whichProducts'), [
        ['', say('dashboard.catalog.onSale')],
        ['ARCHIVED', say('dashboard.catalog.archived')],
      ]),
      ...(visit.can('sell') && { actions: newButton(visit) }),
    });
  },
});

function rowOf(visit: Visit, { id, name, price, cycle, externalId, createdAt }: ProductView): LinkedRow {
  return {
    href: visit.link(`/products/${id}`),
    cells: [name, amountCell(price), cycleText(visit, cycle), externalId, time(visit, createdAt)],
  };
}

function newButton(visit: Visit) {
  return html`<a class="button" href="${visit.link('/new-product')}">${icon('plus')}${visit.say('dashboard.catalog.newProduct')}</a>`;
}

function noProducts(visit: Visit) {
  const { say } = visit;
  return emptyState({
    icon: 'package',
    title: say('dashboard.catalog.noProductsYet'),
    text: say('dashboard.catalog.aProductHasAName'),
    action: visit.can('sell')
      ? newButton(visit)
      : guideLink(visit, 'checkouts', say('dashboard.catalog.howProductsWork')),
  });
}

function emptyArchive({ say }: Visit) {
  return emptyState({
    icon: 'package',
    title: say('dashboard.catalog.nothingArchived'),
    text: say('dashboard.catalog.anArchivedProductIsNo'),
  });
}
