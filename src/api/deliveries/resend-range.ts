import { type Resend, ResendEntity } from '../../database/entities/resend.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { DeliveryStatus } from '../../domain/delivery.ts';
import type { ResendId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { resendStart } from '../../temporal/resend.ts';
import { brokenRule, invalid } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { requireActive, requireWebhook } from '../webhooks/queries.ts';
import type { ResendBody } from './schema.ts';

/** The deliveries of a webhook to resend. */
interface Range {
  readonly webhookId: string;
  readonly from: Date;
  readonly to: Date;
  readonly status: DeliveryStatus;
}

/** @throws ApiError VALIDATION_ERROR that names the field, if the range is invalid. */
export function rangeOf({ webhookId, from, to, status = 'FAILED' }: ResendBody): Range {
  if (webhookId === undefined) throw invalid('webhookId', 'is required, or else the id of a delivery');
  if (from === undefined) throw invalid('from', 'is required with webhookId');
  if (to === undefined) throw invalid('to', 'is required with webhookId');
  if (to <= from) throw invalid('to', 'must be later than from');
  return { webhookId, from, to, status };
}

/** @throws ApiError VALIDATION_ERROR if the request has both a range and a delivery. */
export function requireNoRange(body: ResendBody): void {
  const field = (['webhookId', 'from', 'to', 'status'] as const).find((name) => body[name] !== undefined);
  if (field !== undefined) throw invalid(field, 'must not be sent together with id');
}

/**
 * Starts a bulk resend. Requesting the same range again, in parallel or later, returns the running one.
 * @throws ApiError NOT_FOUND, WEBHOOK_INACTIVE, and INVALID_STATE while another range of the webhook is
 * running: an endpoint receives one bulk resend at a time.
 */
export async function resendRange(
  request: ApiRequest,
  { webhookId, from, to, status }: Range,
): Promise<Resend> {
  const { em, key, now, realNow } = request;
  const webhook = await requireWebhook(em, key, webhookId);
  requireActive(webhook);
  const resend: Resend = {
    id: mintId<ResendId>('resend', now),
    storeId: key.storeId,
    devMode: key.devMode,
    webhookId: webhook.id,
    fromAt: from,
    toAt: to,
    deliveryStatus: status,
    status: 'RUNNING',
    resentCount: 0,
    lastCreatedAt: null,
    lastId: null,
    createdAt: now,
    progressAt: realNow,
    finishedAt: null,
    workflowStartedAt: null,
  };
  if (await insertResend(request, resend)) return resend;
  const running = await em.findOne(
    ResendEntity,
    { webhookId: webhook.id, status: 'RUNNING' },
    { disableIdentityMap: true },
  );
  // The other resend has just ended.
  if (running === null) return resendRange(request, { webhookId, from, to, status });
  const isSame =
    running.fromAt.getTime() === from.getTime() &&
    running.toAt.getTime() === to.getTime() &&
    running.deliveryStatus === status;
  if (isSame) return running as Resend;
  const message = `another bulk resend is running, ${running.id}; wait for it, or stop it with webhooks/resend/stop`;
  throw brokenRule('RESEND_IN_PROGRESS', 'webhookId', message);
}

/** @returns false if another resend of the webhook is running. */
function insertResend(request: ApiRequest, resend: Resend): Promise<boolean> {
  const { id, webhookId, fromAt, toAt } = resend;
  return request.transaction(async (tx) => {
    if (!(await insertNew(tx, ResendEntity, resend))) return false;
    request.afterCommit(() => request.deps.starter.startSoon(resendStart(resend)));
    const range = { from: fromAt.toISOString(), to: toAt.toISOString() };
    await request.recordAction(tx, webhookId, { resend: id, ...range });
    return true;
  });
}
