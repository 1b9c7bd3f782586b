import { z } from 'zod';
import { refundRequestsOf, requestRefund } from '../../charges/refunds/refund-requests.ts';
import { idText } from '../../wire/fields.ts';
import { notFound, requireDevMode } from '../frame/errors.ts';
import { type Route, route } from '../frame/route.ts';
import { startDeliveries } from '../frame/start-deliveries.ts';
import { findPayment } from '../payments/find-payment.ts';

const exampleId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

/** Simulates a payer who asks for a refund in the portal (contract section 8, our addition): dev mode only. */
const request = route({
  method: 'POST',
  path: '/dev/refunds/request',
  summary: 'Ask for a refund as a customer in dev mode',
  description:
    'Does what a customer does in the customer portal, whatever the settings of the portal: the request appears on the dashboard, and ' +
    'Recebe sends `refund.requested`. Nothing is refunded. A payment that was asked for before stays unchanged, and one that is not ' +
    '`PAID` gets a 404.',
  permission: 'REFUND:CREATE',
  body: z.strictObject({
    id: idText(exampleId).meta({
      description:
        'The id of a charge, or of the checkout that it paid. Payments of a payment link have ids of their own.',
    }),
  }),
  response: z
    .object({ id: z.string().meta({ description: 'The id of the charge.' }), devMode: z.boolean() })
    .meta({ id: 'RequestedRefund' }),
  errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT', 'NOT_ACCEPTABLE'],
  example: { body: { id: exampleId }, response: { id: exampleId, devMode: true } },
  async handler(asked) {
    const { em, key, body, deps, realNow, now } = asked;
    requireDevMode(key, 'refunds are asked for in');
    const charge = await findPayment(em, key, body.id, 'any');
    if (charge === null || charge.method === 'FREE') throw notFound('Paid payment');
    const { id } = charge;
    const at = { now: realNow, storeNow: now, publicUrl: deps.publicUrl };
    const deliveries = await asked.transaction((tx) => requestRefund(tx, charge, at));
    if (deliveries === null && !(await refundRequestsOf(asked.em, [id])).has(id))
      throw notFound('Paid payment');
    asked.afterCommit(() => startDeliveries(deps, deliveries ?? []));
    return { id, devMode: true };
  },
});

export const devRefundRoutes: readonly Route[] = [request];
