import { z } from 'zod';
import { chargeWorkflowId } from '../../../workflows/charge.contract.ts';
import { type Charge, ChargeEntity } from '../../database/entities/charge.ts';
import { PAYMENT_METHODS } from '../../domain/charge.ts';
import type { ChargeId, CustomerId } from '../../domain/ids.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { amountCents, idText, metadata } from '../../wire/fields.ts';
import { metadataQuery, paginateWithMetadata } from '../frame/metadata-filter.ts';
import { presentEach } from '../frame/present-each.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, route } from '../frame/route.ts';
import { ownedBy } from '../frame/rows.ts';
import { createdRange, createdWithin } from '../frame/time-range.ts';
import { refundRoute } from '../refunds/refund-route.ts';
import { chargeAsItIs } from './charge-as-it-is.ts';
import { issueCharge, storeCharge } from './create-charge.ts';
import { decidedCard } from './decide-card.ts';
import { exampleBoletoBody, exampleCharge, exampleId, examplePaidCharge } from './examples.ts';
import { chargeIds, requireShownCharge } from './find-charge.ts';
import { cancelCharge, paySandboxCharge } from './pay-or-cancel.ts';
import { type Presentation, presentCharge } from './presenter.ts';
import { charge, chargeCheck, chargeStatus, createBody } from './schema.ts';
import { wrongValuesOfDraft } from './wrong-values.ts';

const byId = z.object({ id: idText(exampleId) });

/** Presents the charge of a request. */
export function presentOne(request: ApiRequest, row: Charge) {
  return presentCharge(row, presentationOfOne(request, row));
}

/** What the charge of a request is presented with. Adds its id and its workflow's to the request's log line. */
export function presentationOfOne(request: ApiRequest, row: Charge): Presentation {
  request.about.chargeId = row.id;
  request.about.workflowId = chargeWorkflowId(row.id);
  return presentationOf(request);
}

function presentationOf({ deps, key, now }: ApiRequest): Presentation {
  const { providers, publicUrl } = deps;
  return { providers, publicUrl, beneficiary: key.store, now };
}

export const listCharges = listRoute({
  path: '/transparents/list',
  summary: 'List charges, newest first',
  permission: 'CHECKOUT:READ',
  query: z.object({
    id: idText(exampleId).optional(),
    externalId: z.string().optional(),
    method: z.enum(PAYMENT_METHODS).optional(),
    status: chargeStatus.optional(),
    customerId: z.string().max(100).optional().meta({ description: 'The id of a customer.' }),
    ...createdRange,
    ...metadataQuery,
  }),
  response: charge,
  errors: [],
  example: { response: exampleCharge },
  async handler(request) {
    const { id, externalId, method, status, customerId, ...created } = request.query;
    const where = {
      ...ownedBy(request.key),
      checkoutId: null,
      ...(id !== undefined && { id: { $in: chargeIds(id) } }),
      ...(externalId !== undefined && { externalId }),
      ...(method !== undefined && { method }),
      ...(status !== undefined && { status }),
      ...(customerId !== undefined && { customerId: customerId as CustomerId }),
      ...createdWithin(created),
    };
    const page = await paginateWithMetadata(request, ChargeEntity, ['CHARGE'], ownedBy, () => where);
    return {
      ...page,
      items: await presentEach(page.items, (row) => presentCharge(row, presentationOf(request))),
    };
  },
});

export const simulateChargePayment = route({
  method: 'POST',
  path: '/transparents/simulate-payment',
  summary: 'Pay a charge in dev mode',
  description:
    'The sandbox bank pays the amount due now and notifies the service. A charge that is already paid is returned unchanged. ' +
    'A lower `amount` is returned to the payer: the charge stays unpaid, and you receive `payment.returned`. ' +
    '`metadata` is stored with the payment; events with a payment include it as `payment.metadata`.',
  permission: 'CHECKOUT:READ',
  waitsForWorkflow: true,
  query: byId,
  body: z.strictObject({
    metadata: metadata.nullish(),
    amount: amountCents.optional().meta({
      description: 'What the payer pays, in cents. By default the amount that is due now.',
    }),
  }),
  response: charge,
  errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
  example: { response: examplePaidCharge },
  handler: async (request) => {
    const { query, body } = request;
    return presentOne(request, await paySandboxCharge(request, query.id, body.metadata ?? null, body.amount));
  },
});

export const cancelOpenCharge = route({
  method: 'POST',
  path: '/transparents/cancel',
  summary: 'Cancel an unpaid charge',
  description:
    'A charge that is already cancelled is returned unchanged. If it was paid first, you get a 422.',
  permission: 'CHECKOUT:DELETE',
  waitsForWorkflow: true,
  audited: true,
  body: z.strictObject({ id: idText(exampleId) }),
  response: charge,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: exampleId }, response: { ...exampleCharge, status: 'CANCELLED' } },
  handler: async (request) => presentOne(request, await cancelCharge(request, request.body.id)),
});

export const refundCharge = refundRoute({
  scope: 'transparents',
  summary: 'Refund a PIX or card charge',
  description: '`id` is the id of a paid charge.',
  exampleId: 'pix_char_01KAK0Y3PQ8V4T6R2W9ZB5XHMD',
  exampleCents: 2_500,
});

/** PIX charges, boletos and card charges (contract section 4). */
export const transparentRoutes = [
  route({
    method: 'POST',
    path: '/transparents/create',
    summary: 'Create a PIX charge, a boleto or a card charge',
    description:
      'A card is charged at once: the answer is `PAID`, or a 422 `CARD_DECLINED`. With an `actionUrl` the charge is `PENDING` ' +
      'until the payer has confirmed it there, and you receive `transparent.completed`.',
    permission: ['TRANSPARENT:CREATE', 'CHECKOUT:READ', 'CHECKOUT:CREATE'],
    givesWayToPayments: true,
    body: createBody,
    spellings: { data: { installmentCount: 'installments' } },
    draftRules: wrongValuesOfDraft,
    response: charge,
    errors: [
      'NO_PAYMENT_PROVIDER',
      'PROVIDER_REFUSED',
      'INVALID_TAX_ID',
      'NOT_ACCEPTABLE',
      'EXTERNAL_ID_CONFLICT',
      'NOT_FOUND',
      'CARD_NOT_ACCEPTED',
      'CARD_DECLINED',
    ],
    example: { body: exampleBoletoBody, response: exampleCharge },
    prepare: (request) => issueCharge(request, { body: request.body, customerPath: 'data.customer' }),
    handler: async (request, issued) => presentOne(request, await storeCharge(request, request.body, issued)),
    refresh: async (request, { id }) => {
      const row = await chargeAsItIs(request, id as ChargeId);
      if (row === null) return null;
      const isDecidedNow = METHOD_TRAITS[row.method].decidedBy === 'ISSUER';
      return presentOne(request, isDecidedNow ? await decidedCard(request, row) : row);
    },
  }),
  route({
    method: 'GET',
    path: '/transparents/get',
    summary: 'Get a charge',
    description: 'Also returns PIX charges that payers started on a hosted page.',
    permission: 'CHECKOUT:READ',
    query: byId,
    response: charge,
    errors: ['NOT_FOUND'],
    example: { response: exampleCharge },
    handler: async (request) =>
      presentOne(request, await requireShownCharge(request.on, request.key, request.query.id)),
  }),
  listCharges,
  route({
    method: 'GET',
    path: '/transparents/check',
    summary: 'Check the status of a charge',
    permission: 'CHECKOUT:READ',
    query: byId,
    response: chargeCheck,
    errors: ['NOT_FOUND'],
    example: {
      response: { id: exampleId, devMode: true, status: 'PAID', expiresAt: exampleCharge.expiresAt },
    },
    handler: async (request) => {
      const { id, devMode, status, expiresAt } = await requireShownCharge(
        request.on,
        request.key,
        request.query.id,
      );
      return { id, devMode, status, expiresAt: expiresAt.toISOString() };
    },
  }),
  simulateChargePayment,
  cancelOpenCharge,
  refundCharge,
];
