import { z } from 'zod';
import type { Charge } from '../../../database/charge.ts';
import { metadata } from '../../../wire/fields.ts';
import { notFound } from '../../errors.ts';
import type { ApiRequest } from '../../request.ts';
import { type Route, route } from '../../route.ts';
import { createCharge } from '../../transparents/create-charge.ts';
import { findCharge } from '../../transparents/find-charge.ts';
import { presentOne } from '../../transparents/routes.ts';
import { simulatePayment } from '../../transparents/transitions.ts';
import {
  byId,
  createPixQrCodeBody,
  exampleId,
  examplePixQrCode,
  examplePixQrCodeBody,
  type PixQrCodeView,
  pixQrCodeCheck,
  pixQrCodeView,
  V1_STATUS,
} from './schema.ts';

const ONLY_PIX =
  'Only PIX charges made by `pixQrCode/create` or `/v2/transparents/create` are found here: a boleto, or a payment of a ' +
  'billing, answers 404.';

/** @throws ApiError 404 where it is not a transparent PIX charge of the caller's. */
async function requirePix({ em, key, query }: ApiRequest<z.output<typeof byId>>): Promise<Charge> {
  const charge = await findCharge(em, key, query.id);
  if (charge.method !== 'PIX') throw notFound('PIX QR code');
  return charge;
}

async function present(request: ApiRequest, row: Charge): Promise<PixQrCodeView> {
  const { id, amount, devMode, brCode, brCodeBase64, platformFee, createdAt, updatedAt, expiresAt } =
    await presentOne(request, row);
  const codes = { brCode, brCodeBase64 };
  const times = { createdAt, updatedAt, expiresAt };
  return { id, amount, status: V1_STATUS[row.status], devMode, ...codes, platformFee, ...times };
}

/** The PIX charges of v2, in the shape of v1 (spec; contract section 3, "v1"). */
export const v1PixQrCodeRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/pixQrCode/create',
    summary: 'Create a PIX charge',
    description: 'The `description` is in the PIX code; `metadata` and the customer are shown in v2.',
    permission: 'CHECKOUT:CREATE',
    body: createPixQrCodeBody,
    response: pixQrCodeView,
    errors: ['NO_PAYMENT_PROVIDER', 'INVALID_TAX_ID'],
    example: {
      body: examplePixQrCodeBody,
      response: examplePixQrCode,
    },
    async handler(request) {
      const order = { body: { method: 'PIX', data: request.body }, customerPath: 'customer' } as const;
      return present(request, await createCharge(request, order));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/pixQrCode/check',
    summary: 'Check the status of a PIX charge',
    description: ONLY_PIX,
    permission: 'CHECKOUT:READ',
    query: byId,
    response: pixQrCodeCheck,
    errors: ['NOT_FOUND'],
    example: { response: { id: exampleId, status: 'PAID', expiresAt: examplePixQrCode.expiresAt } },
    async handler(request) {
      const charge = await requirePix(request);
      const { id, expiresAt } = charge;
      return { id, status: V1_STATUS[charge.status], expiresAt: expiresAt.toISOString() };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/pixQrCode/simulate-payment',
    summary: 'Pay a PIX charge in dev mode',
    description: `The sandbox bank pays it and notifies the service. A charge that is paid already is returned as it is.
\`metadata\` is accepted and has no effect. ${ONLY_PIX}`,
    permission: 'CHECKOUT:READ',
    query: byId,
    body: z.strictObject({ metadata: metadata.optional() }),
    response: pixQrCodeView,
    errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
    example: { response: { ...examplePixQrCode, status: 'PAID' } },
    async handler(request) {
      const { id } = await requirePix(request);
      return present(request, await simulatePayment(request, id));
    },
  }),
];
