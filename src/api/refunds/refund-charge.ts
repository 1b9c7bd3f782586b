import { z } from 'zod';
import { METHODS } from '../../charges/methods/index.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import type { RefundId } from '../../domain/ids.ts';
import { type RefundRefusal, refundRefusalOf } from '../../domain/reversal.ts';
import { mintId } from '../../ids.ts';
import { idText, text } from '../../wire/fields.ts';
import { type ApiError, fieldError } from '../frame/errors.ts';
import { reachTemporal, temporalOutOfReach } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';

/**
 * The body of a refund endpoint (contract section 3), and its answer. @param exampleId the id that the API
 * reference shows.
 */
export function refundBody(exampleId: string) {
  return z.strictObject({
    id: idText(exampleId),
    reason: text(1, 500).nullish().meta({
      description: 'Told in the event of the refund.',
      example: 'Pedido cancelado',
    }),
  });
}
export type RefundBody = z.output<ReturnType<typeof refundBody>>;

export const refundView = z
  .object({
    refundPublicId: z.string().meta({ description: 'The same however often the refund is asked for.' }),
  })
  .meta({ id: 'Refund' });

/** What a refund answers: the same id however often it is asked for. */
export interface RefundAnswer {
  readonly refundPublicId: RefundId;
}

/**
 * Sends a charge's payment back to its payer, in full, and waits until it is back (contract section 4). A charge has one
 * refund that works: whoever asks again, or at the same time, gets its id.
 *
 * @throws ApiError 422 with the code of the refusal; 503 where Temporal or the provider is out of reach: the refund is then
 *   made as soon as it can be, and asking again joins it.
 */
export async function refundCharge(
  request: ApiRequest<unknown, RefundBody>,
  charge: Charge,
): Promise<RefundAnswer> {
  const { deps, requestId } = request;
  request.about.chargeId = charge.id;
  // Its own unit of work: the workflow must see the row while this request's transaction, if it has one, is
  // still open.
  const em = deps.database.em.fork();
  const refund = (await currentRefund(em, charge)) ?? (await newRefund(em, charge, request));
  request.about.refundId = refund.id;
  if (refund.status === 'REQUESTED' || refund.status === 'PENDING') {
    await reachTemporal(request, () => deps.chargeUpdates.refund(charge, refund.id, requestId));
  }
  const { status, refusal } = await em.findOneOrFail(
    RefundEntity,
    { id: refund.id },
    { disableIdentityMap: true },
  );
  if (refusal !== null) throw refundRefused(refusal);
  if (status !== 'COMPLETED') throw temporalOutOfReach();
  return { refundPublicId: refund.id };
}

function currentRefund(em: Em, { id }: Charge): Promise<Refund | null> {
  const where = { chargeId: id, status: { $ne: 'FAILED' as const } };
  return em.findOne(RefundEntity, where, { disableIdentityMap: true });
}

/** @throws ApiError 422 where the charge, as it is, cannot be refunded; nothing is stored then. */
async function newRefund(
  em: Em,
  charge: Charge,
  { body, now }: ApiRequest<unknown, RefundBody>,
): Promise<Refund> {
  const refusal = refundRefusalOf(charge.status, METHODS[charge.method].refundRefusal);
  if (refusal !== null) throw refundRefused(refusal);
  const refund: Refund = {
    id: mintId<RefundId>('refund', now),
    chargeId: charge.id,
    storeId: charge.storeId,
    devMode: charge.devMode,
    status: 'REQUESTED',
    amountCents: charge.paidAmountCents ?? 0,
    reason: body.reason ?? null,
    refusal: null,
    createdAt: now,
    updatedAt: now,
  };
  return (await insertNew(em, RefundEntity, refund)) ? refund : newestRefund(em, charge);
}

/**
 * The refund of another request that was faster: this one shares its end, also where it has failed by now.
 */
async function newestRefund(em: Em, { id }: Charge): Promise<Refund> {
  const where = { chargeId: id };
  const newestFirst = { createdAt: 'desc', id: 'desc' } as const;
  return em.findOneOrFail(RefundEntity, where, { orderBy: newestFirst, disableIdentityMap: true });
}

const WORDS: Readonly<Record<RefundRefusal, string>> = {
  TRANSACTION_NOT_REFUNDABLE: 'the payment cannot be refunded: nothing was paid, or it went back already',
  TRANSACTION_UNDER_DISPUTE: 'the payment is disputed and cannot be refunded; the dispute decides',
  INVALID_METHOD: 'a boleto cannot be refunded; send the money by pix/send instead',
  INSUFFICIENT_FUNDS: 'the available balance does not cover the refund',
};

/** The answer to whoever asks for a refund that cannot be. */
export function refundRefused(refusal: RefundRefusal): ApiError {
  return fieldError(422, refusal, 'id', WORDS[refusal]);
}
