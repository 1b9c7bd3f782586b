import type { z } from 'zod';
import { type Operation, route } from '../frame/route.ts';
import { findPayment, type PaymentScope } from '../payments/find-payment.ts';
import { refundBody, refundCharge, refundRefused, refundView } from './refund-charge.ts';

const RULES =
  'All that is left of the payment goes back to the payer, and the fee of it back to you; with `amount` that much of it. ' +
  'Your balance must cover what you received, unless the payment has not settled yet. Asking again without an `amount` ' +
  'answers with the same `refundPublicId` and refunds nothing twice; with one it is another refund, so send it with an ' +
  '`Idempotency-Key`. After a 503 ' +
  'the refund is made as soon as it can be: ask again to learn of its end.';

/** The refund endpoint of one resource: they differ in which payments they know (contract section 3). */
export function refundRoute(resource: {
  readonly scope: Exclude<PaymentScope, 'any'>;
  readonly summary: string;
  /** Which id is meant. */
  readonly description: string;
  readonly exampleId: string;
  /** What was paid by it. */
  readonly exampleCents: number;
}): Operation<z.output<typeof refundView>> {
  const { scope, summary, description, exampleId, exampleCents } = resource;
  return route({
    method: 'POST',
    path: `/${scope}/refund`,
    summary,
    description: `${description} ${RULES}`,
    permission: 'REFUND:CREATE',
    waitsForWorkflow: true,
    audited: true,
    body: refundBody(exampleId),
    response: refundView,
    errors: [
      'NOT_FOUND',
      'TRANSACTION_NOT_REFUNDABLE',
      'TRANSACTION_UNDER_DISPUTE',
      'INVALID_METHOD',
      'INSUFFICIENT_FUNDS',
      'REFUND_EXCEEDS_PAYMENT',
      'TEMPORARILY_UNAVAILABLE',
      ...(scope === 'transparents' ? [] : (['NOT_ACCEPTABLE'] as const)),
    ],
    example: {
      body: { id: exampleId, reason: 'Pedido cancelado' },
      response: {
        refundPublicId: 'tran_01KAM2F7X3C5D7E9F1G3H5J7KM',
        amount: exampleCents,
        status: 'COMPLETED',
      },
    },
    handler: async (request) => {
      const charge = await findPayment(request.em, request.key, request.body.id, scope);
      if (charge === null) throw refundRefused('TRANSACTION_NOT_REFUNDABLE');
      return refundCharge(request, charge);
    },
  });
}
