import { archiveProduct, deleteProduct, restoreProduct } from '../../../api/products/routes.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { carryOut } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';

function pathOf({ params }: Visit): `/${string}` {
  return `/products/${params.id}`;
}

/** Changes a product by an operation of the API, and returns to its page. */
function change(name: string, operation: typeof archiveProduct, done: MessageKey): DashboardRoute {
  return formAction({
    path: `/products/:id/${name}`,
    action: 'sell',
    back: pathOf,
    async work(visit) {
      await carryOut(visit, operation, { body: { id: visit.params.id } });
      return seeOther(visit.link(pathOf(visit)), visit.say(done));
    },
  });
}

const remove = formAction({
  path: '/products/:id/delete',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    await carryOut(visit, deleteProduct, { query: { id: visit.params.id } });
    return seeOther(visit.link('/products'), visit.say('dashboard.catalog.theProductWasDeleted'));
  },
});

export const productActions: readonly DashboardRoute[] = [
  // The page then offers to undo it.
  change('archive', archiveProduct, 'dashboard.catalog.theProductWasArchived'),
  change('restore', restoreProduct, 'dashboard.catalog.theProductIsOnSale'),
  remove,
];
