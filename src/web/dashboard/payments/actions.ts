import { refundCheckoutPayment } from '../../../api/checkouts/routes.ts';
import type { Operation } from '../../../api/frame/route.ts';
import { getPayment } from '../../../api/payments/routes.ts';
import type { RefundAnswer } from '../../../api/refunds/request-refund.ts';
import { cancelOpenCharge, refundCharge, simulateChargePayment } from '../../../api/transparents/routes.ts';
import { declineRefund } from '../../../charges/refunds/refund-requests.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import { carryOut, read, type Sent } from '../frame/operation.ts';
import { FormRefused } from '../frame/refusals.ts';
import { type DashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amountProblem, centsIn, amount as money } from '../words.ts';
import { paymentDetail } from './detail.ts';

/** Actions on one payment, done by operations of the API. */
export const paymentActions: readonly DashboardRoute[] = [
  formAction({
    path: '/payments/:id/refund',
    action: 'refund',
    back,
    form: { name: 'refund', page: paymentDetail.handler },
    async work(visit) {
      const reason = visit.field('reason');
      const part = visit.field('amount');
      const amount = part === '' ? undefined : centsIn(part);
      const problem = part === '' ? null : amountProblem(part, visit.say);
      if (problem !== null) throw new FormRefused({ amount: problem });
      const body = {
        id: idOf(visit),
        ...(amount != null && { amount }),
        ...(reason !== '' && { reason }),
      };
      const refund = await carryOut(visit, await refundOf(visit), {
        body,
        subjectId: idOf(visit),
        readBy: getPayment,
      });
      return seeOther(visit.link(back(visit)), await refundDone(visit, refund));
    },
  }),
  formAction({
    path: '/payments/:id/decline-refund',
    action: 'refund',
    back,
    async work(visit) {
      // A payment of another store is not found.
      const { id: chargeId } = await read(visit, getPayment, { query: { id: idOf(visit) } });
      await visit.act('refunds/decline', 'of environment', async (em) => {
        await declineRefund(em, chargeId as ChargeId, visit.now);
        return chargeId;
      });
      return seeOther(visit.link(back(visit)), visit.say('dashboard.payments.requestDeclined'));
    },
  }),
  formAction({
    path: '/payments/:id/cancel',
    action: 'sell',
    back,
    form: { name: 'cancel', page: paymentDetail.handler },
    work(visit) {
      const done = visit.say('dashboard.payments.cancelled');
      return carriedOut(visit, cancelOpenCharge, { body: { id: idOf(visit) } }, done);
    },
  }),
  formAction({
    path: '/payments/:id/simulate',
    action: 'sandbox',
    devModeOnly: true,
    back,
    work(visit) {
      const done = visit.say('dashboard.payments.theSandboxBankHasPaid');
      return carriedOut(visit, simulateChargePayment, { query: { id: idOf(visit) } }, done);
    },
  }),
];

/** What was refunded, and how much of the payment the store keeps. */
async function refundDone(visit: Visit, refund: Pick<RefundAnswer, 'amount' | 'status'>): Promise<string> {
  const { say } = visit;
  const sent = money(refund.amount);
  const done =
    refund.status === 'COMPLETED'
      ? say('dashboard.payments.wasRefundedToThePayer', { sent })
      : say('dashboard.payments.isBeingRefunded', { sent });
  const { paidAmount, refundedAmount } = await read(visit, getPayment, { query: { id: idOf(visit) } });
  const keptCents = (paidAmount ?? 0) - refundedAmount;
  if (keptCents <= 0 || refund.status !== 'COMPLETED') return done;
  return `${done} ${say('dashboard.payments.theStoreKeeps', { kept: money(keptCents) })}`;
}

function idOf({ params }: Visit): string {
  return params.id ?? '';
}

function back(visit: Visit): `/${string}` {
  return `/payments/${idOf(visit)}`;
}

async function carriedOut(
  visit: Visit,
  operation: Operation<unknown>,
  sent: Sent,
  done: string,
): Promise<Reply> {
  await carryOut(visit, operation, { ...sent, subjectId: idOf(visit), readBy: getPayment });
  return seeOther(visit.link(back(visit)), done);
}

/** A payment of a checkout or payment link is refunded through that object. */
async function refundOf(visit: Visit): Promise<typeof refundCharge> {
  const { checkoutId } = await read(visit, getPayment, { query: { id: idOf(visit) } });
  return checkoutId === null ? refundCharge : refundCheckoutPayment;
}
