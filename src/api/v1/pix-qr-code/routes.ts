import { z } from 'zod';
import type { Charge } from '../../../database/entities/charge.ts';
import type { ChargeId } from '../../../domain/ids.ts';
import { metadata } from '../../../wire/fields.ts';
import { notFound } from '../../frame/errors.ts';
import type { ApiRequest } from '../../frame/request.ts';
import { type Route, route } from '../../frame/route.ts';
import { chargeAsItIs } from '../../transparents/charge-as-it-is.ts';
import { issueCharge, storeCharge } from '../../transparents/create-charge.ts';
import { requireShownCharge } from '../../transparents/find-charge.ts';
import { paySandboxCharge } from '../../transparents/pay-or-cancel.ts';
import { presentPix } from '../../transparents/presenter.ts';
import { presentationOfOne } from '../../transparents/routes.ts';
import type { CreateBody } from '../../transparents/schema.ts';
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
  "Finds every PIX charge of the store, including those that payers started on a billing's page. For a boleto or a " +
  'card payment you get a 404.';

/** @throws ApiError 404 unless it is a PIX charge of the caller. */
async function requirePix({ on, key, query }: ApiRequest<z.output<typeof byId>>): Promise<Charge> {
  const charge = await requireShownCharge(on, key, query.id);
  if (charge.method !== 'PIX') throw notFound('PIX QR code');
  return charge;
}

async function present(request: ApiRequest, row: Charge): Promise<PixQrCodeView> {
  const shown = await presentPix(row, presentationOfOne(request, row));
  const { id, amount, devMode, brCode, brCodeBase64, platformFee, createdAt, updatedAt, expiresAt } = shown;
  const codes = { brCode, brCodeBase64 };
  const times = { createdAt, updatedAt, expiresAt };
  const details = { method: 'PIX', description: row.description ?? '', metadata: row.metadata } as const;
  return { id, amount, status: V1_STATUS[row.status], devMode, ...details, ...codes, platformFee, ...times };
}

/** Converts the v1 body to v2. */
function asV2(body: z.output<typeof createPixQrCodeBody>): CreateBody {
  return { method: 'PIX', data: { ...body, dueDate: null, interest: null, fine: null } };
}

/** PIX charges of v2 in the v1 format (contract section 3.6). */
export const v1PixQrCodeRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/pixQrCode/create',
    summary: 'Create a PIX charge',
    description: 'The PIX code contains the `description`; v2 shows the customer.',
    permission: 'CHECKOUT:CREATE',
    givesWayToPayments: true,
    body: createPixQrCodeBody,
    spellings: { expires_in: 'expiresIn', customer: { tax_id: 'taxId' } },
    response: pixQrCodeView,
    errors: ['NO_PAYMENT_PROVIDER', 'PROVIDER_REFUSED', 'INVALID_TAX_ID', 'NOT_ACCEPTABLE'],
    example: {
      body: examplePixQrCodeBody,
      response: examplePixQrCode,
    },
    prepare: (request) => issueCharge(request, { body: asV2(request.body), customerPath: 'customer' }),
    handler: async (request, issued) =>
      present(request, await storeCharge(request, asV2(request.body), issued)),
    refresh: async (request, { id }) => {
      const row = await chargeAsItIs(request, id as ChargeId);
      return row && present(request, row);
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
    example: {
      response: { id: exampleId, devMode: true, status: 'PAID', expiresAt: examplePixQrCode.expiresAt },
    },
    async handler(request) {
      const charge = await requirePix(request);
      const { id, devMode, expiresAt } = charge;
      return { id, devMode, status: V1_STATUS[charge.status], expiresAt: expiresAt.toISOString() };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/pixQrCode/simulate-payment',
    summary: 'Pay a PIX charge in dev mode',
    description: `The sandbox bank pays it and notifies the service. A charge that is already paid is returned unchanged.
\`metadata\` is stored with the payment. ${ONLY_PIX}`,
    permission: 'CHECKOUT:READ',
    waitsForWorkflow: true,
    query: byId,
    body: z.strictObject({ metadata: metadata.nullish() }),
    response: pixQrCodeView,
    errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT', 'INVALID_STATE', 'TEMPORARILY_UNAVAILABLE'],
    example: { response: { ...examplePixQrCode, status: 'PAID' } },
    async handler(request) {
      const { id } = await requirePix(request);
      return present(request, await paySandboxCharge(request, id, request.body.metadata ?? null));
    },
  }),
];
