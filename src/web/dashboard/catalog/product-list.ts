import { listProducts } from '../../../api/products/routes.ts';
import type { ProductView } from '../../../api/products/schema.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { guideLink } from '../frame/components.ts';
import { dashboardRoute } from '../frame/route.ts';
import { emptyState, type LinkedRow } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { listPage } from '../lists/list-page.ts';
import { amountCell, amountHeading, perCycle } from '../words.ts';
import { tabs } from './tabs.ts';

/** The products that are sold, or the archived ones. */
export const productList = dashboardRoute({
  method: 'GET',
  path: '/products',
  action: 'read',
  handler(visit) {
    const { say, query } = visit;
    const isArchive = query.get('status') === 'ARCHIVED';
    return listPage(visit, {
      title: say('Produtos', 'Products'),
      active: 'products',
      operation: listProducts,
      parameters: [],
      query: { status: isArchive ? 'ARCHIVED' : 'ACTIVE' },
      headings: [
        say('Nome', 'Name'),
        amountHeading(say('Preço', 'Price')),
        say('Cobrança', 'Charged'),
        say('Seu id', 'Your id'),
      ],
      rows: (items) => items.map((product) => rowOf(visit, product)),
      empty: isArchive ? emptyArchive(visit) : noProducts(visit),
      above: tabs(visit, say('Quais produtos', 'Which products'), [
        ['', say('À venda', 'On sale')],
        ['ARCHIVED', say('Arquivados', 'Archived')],
      ]),
      ...(visit.can('sell') && { actions: newButton(visit) }),
    });
  },
});

function rowOf(visit: Visit, { id, name, price, cycle, externalId }: ProductView): LinkedRow {
  return {
    href: visit.link(`/products/${id}`),
    cells: [name, amountCell(price), cycleText(visit, cycle), externalId],
  };
}

/** `uma vez`, `por mês`. */
export function cycleText({ say }: Pick<Visit, 'say'>, cycle: ProductView['cycle']): string {
  return cycle === null ? say('uma vez', 'once') : perCycle(cycle, say);
}

function newButton(visit: Visit) {
  return html`<a class="button" href="${visit.link('/new-product')}">${icon('plus')}${visit.say('Novo produto', 'New product')}</a>`;
}

function noProducts(visit: Visit) {
  const { say } = visit;
  return emptyState({
    icon: 'package',
    title: say('Nenhum produto ainda', 'No products yet'),
    text: say(
      'Um produto tem um nome e um preço, e é vendido por checkouts e links.',
      'A product has a name and a price, and is sold by checkouts and links.',
    ),
    action: visit.can('sell')
      ? newButton(visit)
      : guideLink(visit, 'checkouts', say('Como produtos funcionam', 'How products work')),
  });
}

function emptyArchive({ say }: Visit) {
  return emptyState({
    icon: 'package',
    title: say('Nada arquivado', 'Nothing archived'),
    text: say(
      'Um produto arquivado não é mais vendido, e pode ser restaurado aqui.',
      'An archived product is no longer sold, and can be restored here.',
    ),
  });
}
