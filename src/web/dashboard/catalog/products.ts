import { createProduct, deleteProduct, listProducts } from '../../../api/products/routes.ts';
import { PRODUCT_CYCLES } from '../../../domain/cycle.ts';
import { html } from '../../frame/html.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { carryOut } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { listPage } from '../lists/list-page.ts';
import { amountCell, amountHeading, centsIn, perCycle } from '../words.ts';

const list = dashboardRoute({
  method: 'GET',
  path: '/products',
  action: 'read',
  handler(visit) {
    const { say } = visit;
    const maySell = visit.can('sell');
    return listPage(visit, {
      title: say('Produtos', 'Products'),
      active: 'products',
      operation: listProducts,
      parameters: [],
      headings: [
        say('Nome', 'Name'),
        amountHeading(say('Preço', 'Price')),
        say('Cobrança', 'Charged'),
        say('Seu id', 'Your id'),
        ...(maySell ? [''] : []),
      ],
      rows: (items) =>
        items.map(({ id, name, price, cycle, externalId }) => [
          name,
          amountCell(price),
          cycle === null ? say('uma vez', 'once') : perCycle(cycle, say),
          externalId,
          ...(maySell
            ? [
                form(visit, {
                  action: `/products/${id}/delete`,
                  submit: say('Apagar', 'Delete'),
                  style: 'quiet',
                }),
              ]
            : []),
        ]),
      empty: emptyState({
        icon: 'package',
        title: say('Nenhum produto ainda', 'No products yet'),
        text: say(
          'Um produto tem um nome e um preço, e é vendido por checkouts e links.',
          'A product has a name and a price, and is sold by checkouts and links.',
        ),
      }),
      ...(maySell && { actions: newProduct(visit) }),
    });
  },
});

function newProduct(visit: Visit) {
  const { say } = visit;
  const cycles = PRODUCT_CYCLES.map((cycle) => [cycle, perCycle(cycle, say)] as const);
  const fields = fieldsOf(visit, 'new-product');
  return formDialog(visit, {
    name: 'new-product',
    button: say('Novo produto', 'New product'),
    title: say('Novo produto', 'New product'),
    action: '/products',
    fields: html`${fields.text({ name: 'name', label: say('Nome', 'Name') })}
${fields.text({ name: 'price', label: say('Preço, como 49,90', 'Price, such as 49,90') })}
${fields.text({ name: 'externalId', label: say('Seu id (SKU)', 'Your id (SKU)'), maxLength: 100 })}
${fields.select({ name: 'cycle', label: say('Cobrança', 'Charged'), value: '', options: [['', say('uma vez', 'once')], ...cycles] })}`,
    submit: say('Criar', 'Create'),
  });
}

const create = formAction({
  path: '/products',
  action: 'sell',
  back: () => '/products',
  form: { name: 'new-product', page: list.handler },
  async work(visit) {
    const price = centsIn(visit.field('price'));
    const body = {
      name: visit.field('name'),
      externalId: visit.field('externalId'),
      price,
      currency: 'BRL',
      cycle: visit.field('cycle') || null,
    };
    await carryOut(visit, createProduct, { body });
    return seeOther(visit.link('/products'), visit.say('O produto foi criado.', 'The product was created.'));
  },
});

const remove = formAction({
  path: '/products/:id/delete',
  action: 'sell',
  back: () => '/products',
  async work(visit) {
    await carryOut(visit, deleteProduct, { query: { id: visit.params.id } });
    return seeOther(visit.link('/products'), visit.say('O produto foi apagado.', 'The product was deleted.'));
  },
});

export const productPages: readonly DashboardRoute[] = [list, create, remove];
