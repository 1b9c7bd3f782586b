import {
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
  workflowRandom,
} from '@temporalio/workflow';
import type { DeliveryAttemptInput } from '../activities/deliveries/load-attempt.ts';
import { type DeliveryStatus, retryDelayMs } from '../src/domain/delivery.ts';
import { fastLane, openLane } from './activity-options.ts';
import { isOutage } from './lasting-activities.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import { deliveryStateQuery, resendUpdate, type WebhookDeliveryInput } from './webhook-delivery.contract.ts';

/**
 * One run stands for one event on its way to one endpoint. It ends when the endpoint took it, when the
 * schedule of about three days is exhausted, or when the endpoint is gone. It is durable because an endpoint
 * may be down for days while workers come and go, and the attempt that is due must still be made, and no
 * other.
 *
 * Asking for a finished delivery again opens a new run under the same id, with the whole schedule before it.
 * Where a run was lost, another one is started asleep until the attempt that is due next.
 */
export async function webhookDelivery({
  deliveryId,
  resend,
  attemptsMade = 0,
}: WebhookDeliveryInput): Promise<DeliveryStatus> {
  let status: DeliveryStatus = 'PENDING';
  let attempts = attemptsMade;
  let nextAttemptAtMs: number | null = null;
  let wantedNow = false;

  setHandler(deliveryStateQuery, () => ({
    status,
    attempts,
    nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
  }));
  setHandler(resendUpdate, () => {
    wantedNow = true;
  });

  while (status === 'PENDING') {
    attempts += 1;
    wantedNow = false;
    const delayMs = retryDelayMs(attempts, workflowRandom.random());
    const attemptKey = `${workflowInfo().runId}-${attempts}`;
    const attempt = { deliveryId, resend, attemptKey, retryDelayMs: delayMs, nowMs: Date.now() };
    status = (await attemptedFast(attempt)) ?? (await openLane.attemptDelivery(attempt));
    if (status !== 'PENDING' || delayMs === null) break;

    nextAttemptAtMs = Date.now() + delayMs;
    setCurrentDetails(`Attempt ${attempts} failed. Next one at ${new Date(nextAttemptAtMs).toISOString()}.`);
    await condition(() => wantedNow, delayMs, { summary: `attempt ${attempts + 1}` });
  }

  nextAttemptAtMs = null;
  upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
  setCurrentDetails(`Delivery is **${status}** after ${attempts} attempt(s).`);
  await condition(allHandlersFinished);
  return status;
}

/** Null where the fast lane is closed, or Postgres is away: the open lane then waits for as long as it takes. */
async function attemptedFast(attempt: DeliveryAttemptInput): Promise<DeliveryStatus | null> {
  try {
    return await fastLane.attemptFastDelivery(attempt);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return null;
  }
}
