import { z } from 'zod';
import { METHODS } from '../../charges/methods/index.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../domain/idempotency-window.ts';
import type { RefundId } from '../../domain/ids.ts';
import { type RefundRefusal, refundRefusalOf } from '../../domain/reversal.ts';
import { type RefundRequest, refundIdOf } from '../../ids.ts';
import { amountCents, idText, text } from '../../wire/fields.ts';
import { ApiError, fieldError, outOfReach } from '../frame/errors.ts';
import { reachTemporal, stillUnderWay } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';

/**
 * Body and response of a refund endpoint (contract section 3). @param exampleId the id shown in the API
 * reference.
 */
export function refundBody(exampleId: string) {
  return z.strictObject({
    id: idText(exampleId),
    amount: amountCents.optional().meta({
      description:
        'Cents to refund, at most what remains of the payment. Default: everything that remains. Our addition.',
      example: 1000,
    }),
    reason: text(1, 500).nullish().meta({
      description: "The refund's event includes it.",
      example: 'Pedido cancelado',
    }),
  });
}
export type RefundBody = z.output<ReturnType<typeof refundBody>>;

export const refundView = z
  .object({
    refundPublicId: z.string().meta({
      description: 'For a refund of everything that remains, repeated requests return the same id.',
    }),
    amount: z.int().meta({ description: 'Cents refunded. Our addition.' }),
    status: z.enum(['COMPLETED', 'PENDING']).meta({
      description: 'PENDING if the bank needs longer: an event reports the result. Our addition.',
    }),
  })
  .meta({ id: 'Refund' });

/** The response of a refund. Repeated requests return the same id. */
export interface RefundAnswer {
  readonly refundPublicId: RefundId;
  readonly amount: number;
  readonly status: 'COMPLETED' | 'PENDING';
}

/**
 * Refunds a charge's payment, or a part of it, and waits until the refund completes or the provider answers
 * that it needs longer (contract section 4). A charge has one refund of its whole remainder: repeated or
 * parallel requests for it return its id. Each request with an amount is a separate refund.
 *
 * @throws ApiError 422 with the code of the refusal; 503 if Temporal or every worker is unreachable: the
 * refund is then made later, and a repeated request joins it. A partial refund without an `Idempotency-Key`
 * cannot be joined; its 503 says so.
 */
export async function requestRefund(
  request: ApiRequest<unknown, RefundBody>,
  charge: Charge,
): Promise<RefundAnswer> {
  const { deps } = request;
  request.about.chargeId = charge.id;
  // A separate unit of work, because the workflow must see the row while the request's transaction may still
  // be open.
  const em = deps.database.em.fork();
  const current = request.body.amount === undefined ? await restOf(em, charge) : null;
  const refund = current ?? (await joinedOrNew(em, charge, request));
  request.about.refundId = refund.id;
  const unanswered = await carriedOut(request, charge, refund);
  const {
    status,
    amountCents: refundedCents,
    refusal,
  } = await em.findOneOrFail(RefundEntity, { id: refund.id }, { disableIdentityMap: true });
  if (refusal !== null) throw refundRefused(refusal);
  // PENDING: the amount is reserved, and the workflow polls the provider until it answers.
  if (status !== 'COMPLETED' && status !== 'PENDING')
    throw wantedRefund(charge, request).kind === 'PART' ? partUnderWay() : (unanswered ?? stillUnderWay());
  return { refundPublicId: refund.id, amount: refundedCents, status };
}

/**
 * The 503 for a stored partial refund that has not ended. Repeating it without an `Idempotency-Key` would
 * refund another part.
 */
function partUnderWay(): ApiError {
  return outOfReach(
    'Not finished in time: the refund is stored and continues by itself. Do not repeat the request: it has no ' +
      'Idempotency-Key and would be another refund. See `refunds` in payments/get',
  );
}

/** Makes the charge's workflow carry out a refund. @returns why it did not answer in time; otherwise null. */
async function carriedOut(
  request: ApiRequest<unknown, RefundBody>,
  charge: Charge,
  { id, status }: Refund,
): Promise<ApiError | null> {
  if (status !== 'REQUESTED' && status !== 'PENDING') return null;
  const { chargeUpdates } = request.deps;
  try {
    await reachTemporal(request, () => chargeUpdates.refund(charge, id, request.requestId));
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'TEMPORARILY_UNAVAILABLE') return error;
    throw error;
  }
}

/** The refund of the whole remainder that has not failed, if any. */
function restOf(em: Em, { id }: Charge): Promise<Refund | null> {
  const where = { chargeId: id, takesRest: true, status: { $ne: 'FAILED' as const } };
  return em.findOne(RefundEntity, where, { disableIdentityMap: true });
}

/**
 * Finds the refund that this request created before, including one whose row was restored from the bank's
 * records; otherwise creates one.
 */
async function joinedOrNew(
  em: Em,
  charge: Charge,
  request: ApiRequest<unknown, RefundBody>,
): Promise<Refund> {
  const wanted = wantedRefund(charge, request);
  const rows = await em.find(RefundEntity, { chargeId: charge.id }, { disableIdentityMap: true });
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (let nth = 0; ; nth += 1) {
    const id = refundIdOf(charge, wanted, nth);
    const there = byId.get(id);
    if (there !== undefined && !isSameRequest(there, wanted, request.now)) continue;
    if (there !== undefined) return claim(em, there, wanted);
    const made = await newRefund(em, charge, id, request);
    if (made !== null) return made;
    // A parallel request was first. A refund without a key is separate and never shares the result of
    // another.
    if (wanted.kind === 'REST') return newestRefund(em, charge);
    if (wanted.kind === 'KEYED_PART') return em.findOneOrFail(RefundEntity, { id });
  }
}

/**
 * @returns null if a parallel request was first.
 * @throws ApiError 422 if the charge cannot be refunded now; nothing is stored then.
 */
async function newRefund(
  em: Em,
  charge: Charge,
  id: RefundId,
  request: ApiRequest<unknown, RefundBody>,
): Promise<Refund | null> {
  const { body, now } = request;
  const refusal = refundRefusalOf(charge.status, METHODS[charge.method].refundRefusal);
  if (refusal !== null) throw refundRefused(refusal);
  const leftCents = (charge.paidAmountCents ?? 0) - charge.reversedCents;
  if (leftCents === 0) throw refundRefused('TRANSACTION_NOT_REFUNDABLE');
  const { amount } = body;
  if (amount !== undefined && amount > leftCents) throw refundRefused('REFUND_EXCEEDS_PAYMENT');
  const refund: Refund = {
    id,
    chargeId: charge.id,
    storeId: charge.storeId,
    devMode: charge.devMode,
    status: 'REQUESTED',
    amountCents: amount ?? leftCents,
    takesRest: amount === undefined,
    platformFeeCents: null,
    reason: body.reason ?? null,
    refusal: null,
    initiatedBy: 'STORE',
    revivedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  return em.transactional(async (tx) => {
    if (!(await insertNew(tx, RefundEntity, refund))) return null;
    await request.recordAction(tx, charge.id, { refund: id, amount: refund.amountCents });
    return refund;
  });
}

/**
 * The request's unique identity. A part with an `Idempotency-Key` is identified by it, because the first
 * request may have succeeded although its response was a 503 or was lost.
 */
function wantedRefund(
  { id }: Charge,
  { idempotencyKey, body }: ApiRequest<unknown, RefundBody>,
): RefundRequest {
  if (body.amount === undefined) return { kind: 'REST' };
  if (idempotencyKey === null) return { kind: 'PART', amountCents: body.amount };
  return { kind: 'KEYED_PART', seed: canonicalJson([id, idempotencyKey, body]) };
}

/**
 * Whether an existing refund belongs to this request. A refund restored from the bank's records matches for
 * one day, because clients retry unanswered requests. A key that is too old to be a retry (contract section
 * 1.14) is a new request.
 */
function isSameRequest(
  { initiatedBy, status, createdAt }: Refund,
  { kind }: RefundRequest,
  now: Date,
): boolean {
  const isTooOld = now.getTime() - createdAt.getTime() > IDEMPOTENCY_WINDOW_MS;
  if (kind === 'KEYED_PART') return !isTooOld;
  return initiatedBy === 'BANK' && status !== 'FAILED' && !isTooOld;
}

/** Binds a restored refund to this request, so that no second request receives it. */
async function claim(em: Em, refund: Refund, { kind }: RefundRequest): Promise<Refund> {
  if (refund.initiatedBy === 'STORE') return refund;
  const claimed = { initiatedBy: 'STORE', takesRest: kind === 'REST' } as const;
  await em.nativeUpdate(RefundEntity, { id: refund.id, initiatedBy: 'BANK' }, claimed);
  return { ...refund, ...claimed };
}

/**
 * The refund of the parallel request that was first. This request shares its result, even if it has failed by
 * now.
 */
async function newestRefund(em: Em, { id }: Charge): Promise<Refund> {
  const where = { chargeId: id, takesRest: true };
  const newestFirst = { createdAt: 'desc', id: 'desc' } as const;
  return em.findOneOrFail(RefundEntity, where, { orderBy: newestFirst, disableIdentityMap: true });
}

const WORDS: Readonly<Record<RefundRefusal, string>> = {
  TRANSACTION_NOT_REFUNDABLE: 'the payment cannot be refunded: nothing was paid, or it went back already',
  TRANSACTION_UNDER_DISPUTE: 'the payment is disputed and cannot be refunded; the dispute decides',
  INVALID_METHOD: 'a boleto cannot be refunded; send the money by pix/send instead',
  INSUFFICIENT_FUNDS: 'the available balance does not cover the refund',
  REFUND_EXCEEDS_PAYMENT: 'is more than is left of the payment after its other refunds',
};

/** The error for a refund that is refused. */
export function refundRefused(refusal: RefundRefusal): ApiError {
  const field = refusal === 'REFUND_EXCEEDS_PAYMENT' ? 'amount' : 'id';
  return fieldError(422, refusal, field, WORDS[refusal]);
}
