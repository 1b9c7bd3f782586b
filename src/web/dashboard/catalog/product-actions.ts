import { archiveProduct, deleteProduct, restoreProduct } from '../../../api/products/routes.ts';
import { carryOut } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';

function pathOf({ params }: Visit): `/${string}` {
  return `/products/${params.id}`;
}

/** Takes a product off sale. Its page then offers to undo that. */
const archive = formAction({
  path: '/products/:id/archive',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    await carryOut(visit, archiveProduct, { body: { id: visit.params.id } });
    const done = visit.say('dashboard.catalog.theProductWasArchived');
    return seeOther(visit.link(pathOf(visit)), done);
  },
});

const restore = formAction({
  path: '/products/:id/restore',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    await carryOut(visit, restoreProduct, { body: { id: visit.params.id } });
    const done = visit.say('dashboard.catalog.theProductIsOnSale');
    return seeOther(visit.link(pathOf(visit)), done);
  },
});

const remove = formAction({
  path: '/products/:id/delete',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    await carryOut(visit, deleteProduct, { query: { id: visit.params.id } });
    return seeOther(visit.link('/products'), visit.say('dashboard.catalog.theProductWasDeleted'));
  },
});

export const productActions: readonly DashboardRoute[] = [archive, restore, remove];
