import { z } from 'zod';
import { METHODS } from '../../charges/methods/index.ts';
import type { Charge } from '../../database/entities/charge.ts';
import { type Refund, RefundEntity } from '../../database/entities/refund.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import type { RefundId } from '../../domain/ids.ts';
import { REPLAY_MS } from '../../domain/retention.ts';
import { type RefundRefusal, refundRefusalOf } from '../../domain/reversal.ts';
import { type RefundRequest, refundIdOf } from '../../ids.ts';
import { amountCents, idText, text } from '../../wire/fields.ts';
import { canonicalJson } from '../frame/canonical-json.ts';
import { ApiError, fieldError, outOfReach } from '../frame/errors.ts';
import { reachTemporal, stillUnderWay } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';

/**
 * The body of a refund endpoint (contract section 3), and its answer. @param exampleId the id that the API
 * reference shows.
 */
export function refundBody(exampleId: string) {
  return z.strictObject({
    id: idText(exampleId),
    amount: amountCents.optional().meta({
      description:
        'Cents that go back: a part of what is left of the payment, or all of it. Left out: all of it. Ours.',
      example: 1000,
    }),
    reason: text(1, 500).nullish().meta({
      description: 'Told in the event of the refund.',
      example: 'Pedido cancelado',
    }),
  });
}
export type RefundBody = z.output<ReturnType<typeof refundBody>>;

export const refundView = z
  .object({
    refundPublicId: z
      .string()
      .meta({ description: 'Of a refund of all that is left, the same however often it is asked for.' }),
    amount: z.int().meta({ description: 'Cents that go back with it. Ours.' }),
    status: z.enum(['COMPLETED', 'PENDING']).meta({
      description: 'PENDING where the bank needs longer: an event tells how it ends. Ours.',
    }),
  })
  .meta({ id: 'Refund' });

/** What a refund answers: the same id however often it is asked for. */
export interface RefundAnswer {
  readonly refundPublicId: RefundId;
  readonly amount: number;
  readonly status: 'COMPLETED' | 'PENDING';
}

/**
 * Sends a charge's payment back to its payer, or a part of it, and waits until it is back, or the rail has said that it
 * needs longer (contract section 4). A charge has one refund of all that is left: whoever asks for that again, or at the
 * same time, gets its id. Each request with an amount is a refund of its own.
 *
 * @throws ApiError 422 with the code of the refusal; 503 where Temporal or every worker is out of reach: the refund is then
 *   made as soon as it can be, and asking again joins it. A part without an `Idempotency-Key` cannot be joined: its 503 says so.
 */
export async function refundCharge(
  request: ApiRequest<unknown, RefundBody>,
  charge: Charge,
): Promise<RefundAnswer> {
  const { deps } = request;
  request.about.chargeId = charge.id;
  // Its own unit of work: the workflow must see the row while this request's transaction, if it has one, is
  // still open.
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
  // PENDING: its money is set aside, and the run asks the provider until it knows, however slow the provider is.
  if (status !== 'COMPLETED' && status !== 'PENDING')
    throw wantedRefund(charge, request).kind === 'PART' ? partUnderWay() : (unanswered ?? stillUnderWay());
  return { refundPublicId: refund.id, amount: refundedCents, status };
}

/** The answer to a part that is stored and has not ended: a repeat without an `Idempotency-Key` would refund another part. */
function partUnderWay(): ApiError {
  return outOfReach(
    'Not finished in time: the refund is stored and continues by itself. Do not repeat the request: it has no ' +
      'Idempotency-Key and would be another refund. See `refunds` in payments/get',
  );
}

/** Has the charge's workflow carry a refund out. @returns why it did not answer in time; null where it did. */
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

/** The refund of all that is left, where there is one that has not failed. */
function restOf(em: Em, { id }: Charge): Promise<Refund | null> {
  const where = { chargeId: id, takesRest: true, status: { $ne: 'FAILED' as const } };
  return em.findOne(RefundEntity, where, { disableIdentityMap: true });
}

/**
 * The refund that this request stands for: one that it has made before, also where a restore lost the row and the bank's
 * books brought it back; else a new one.
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
    // Another request was faster. One without a key is a refund of its own, and shares the end of no other.
    if (wanted.kind === 'REST') return newestRefund(em, charge);
    if (wanted.kind === 'KEYED_PART') return em.findOneOrFail(RefundEntity, { id });
  }
}

/**
 * @returns null where another request was faster.
 * @throws ApiError 422 where the charge, as it is, cannot be refunded; nothing is stored then.
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
 * What makes the request unique. A part with an `Idempotency-Key` is known by the key: the first request may have been
 * carried out although its answer was a 503 or got lost.
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
 * Whether a refund that is there stands for this request. One that the bank's books brought back after a restore does for
 * a day: whoever asked for it repeats what was not answered. A key that is too old to stand for the earlier request
 * (contract section 1.14) is a new one.
 */
function isSameRequest(
  { initiatedBy, status, createdAt }: Refund,
  { kind }: RefundRequest,
  now: Date,
): boolean {
  const isTooOld = now.getTime() - createdAt.getTime() > REPLAY_MS;
  if (kind === 'KEYED_PART') return !isTooOld;
  return initiatedBy === 'BANK' && status !== 'FAILED' && !isTooOld;
}

/** From now on the refund is the store's own, so that no second request is answered with it. */
async function claim(em: Em, refund: Refund, { kind }: RefundRequest): Promise<Refund> {
  if (refund.initiatedBy === 'STORE') return refund;
  const claimed = { initiatedBy: 'STORE', takesRest: kind === 'REST' } as const;
  await em.nativeUpdate(RefundEntity, { id: refund.id, initiatedBy: 'BANK' }, claimed);
  return { ...refund, ...claimed };
}

/**
 * The refund of another request that was faster: this one shares its end, also where it has failed by now.
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

/** The answer to whoever asks for a refund that cannot be. */
export function refundRefused(refusal: RefundRefusal): ApiError {
  const field = refusal === 'REFUND_EXCEEDS_PAYMENT' ? 'amount' : 'id';
  return fieldError(422, refusal, field, WORDS[refusal]);
}
