import { cancelCheckout, getCheckout } from '../../../api/checkouts/routes.ts';
import { carryOut } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { checkoutList } from './checkout-list.ts';
import { checkoutPage } from './checkout-page.ts';
import { newCheckoutPages } from './new-checkout.ts';

const cancel = formAction({
  path: '/checkouts/:id/cancel',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    const { id = '' } = visit.params;
    await carryOut(visit, cancelCheckout, { body: { id }, subjectId: id, readBy: getCheckout });
    return seeOther(visit.link(pathOf(visit)), visit.say('dashboard.checkouts.itCanNoLongerBe'));
  },
});

function pathOf({ params }: Visit): `/${string}` {
  return `/checkouts/${params.id}`;
}

export const checkoutPages: readonly DashboardRoute[] = [
  checkoutList,
  ...newCheckoutPages,
  checkoutPage,
  cancel,
];
