import type { z } from 'zod';
import { type Operation, route } from '../frame/route.ts';
import { findPayment, type PaymentScope } from '../payments/find-payment.ts';
import { refundBody, refundRefused, refundView, requestRefund } from './request-refund.ts';

const RULES =
  'Refunds everything that remains of the payment, or `amount`, and returns your fee in proportion. ' +
  'Your balance must cover what you received, unless the payment has not settled yet. Repeating a request without `amount` ' +
  'returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is another refund, so send an ' +
  '`Idempotency-Key`. After a 503 ' +
  'the refund is made as soon as possible: repeat the request to get the result.';

/**
 * The refund endpoint of one resource. Resources differ in the payments that they accept (contract section
 * 3).
 */
export function refundRoute(resource: {
  readonly scope: Exclude<PaymentScope, 'any'>;
  readonly summary: string;
  /** Explains the accepted ids. */
  readonly description: string;
  readonly exampleId: string;
  /** The amount of the example payment. */
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
      return requestRefund(request, charge);
    },
  });
}
