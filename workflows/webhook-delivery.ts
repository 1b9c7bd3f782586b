import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
  workflowRandom,
} from '@temporalio/workflow';
import { type DeliveryStatus, retryDelayMs } from '../src/domain/delivery.ts';
import type { DeliveryAttemptInput, FailedAttempt } from '../src/webhooks/load-attempt.ts';
import { fastDeliveries, openDeliveries } from './lib/activity-options.ts';
import { failedOutcome } from './lib/failed-outcome.ts';
import { isOutage } from './lib/lasting-activities.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import {
  deliveryStateQuery,
  resendUpdate,
  WEBHOOK_GIVEN_UP,
  type WebhookDeliveryInput,
} from './webhook-delivery.contract.ts';

/**
 * One run delivers one event to one endpoint. It ends as Completed when the endpoint acknowledged the event. It
 * ends as Failed when the schedule of about three days is exhausted, or the endpoint was deleted. It is durable
 * because an endpoint may be down for days while workers restart, and each due attempt must be made exactly as
 * scheduled.
 *
 * A resend request for a waiting delivery makes an extra attempt and leaves the schedule unchanged. For a finished
 * delivery it opens a new run under the same id, with a full schedule; so does a request during the last attempt,
 * if that attempt fails. If a run was lost, its successor starts with a delay until the next due attempt.
 */
export async function webhookDelivery({
  deliveryId,
  resend,
  attemptsMade = 0,
}: WebhookDeliveryInput): Promise<DeliveryStatus> {
  let status: DeliveryStatus = 'PENDING';
  /** Scheduled attempts. Attempts on request are counted in `resends`. */
  let attempts = attemptsMade;
  let resends = 0;
  let nextAttemptAtMs: number | null = null;
  let wantedNow = false;
  const hasFailed = () => status === 'FAILED';
  /** How the last attempt failed. */
  let failure = '';

  setHandler(deliveryStateQuery, () => ({
    status,
    attempts: attempts + resends,
    nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
  }));
  setHandler(resendUpdate, () => {
    wantedNow = true;
  });

  const attempted = async (number: string, delayMs: number | null) => {
    wantedNow = false;
    const attemptKey = `${workflowInfo().runId}-${number}`;
    const attempt = { deliveryId, resend, attemptKey, retryDelayMs: delayMs, nowMs: Date.now() };
    const outcome = (await attemptedFast(attempt)) ?? (await openDeliveries.attemptDelivery(attempt));
    status = typeof outcome === 'string' ? outcome : outcome.status;
    failure = typeof outcome === 'string' ? '' : `${outcome.said}. `;
  };

  /** Waits for the next scheduled attempt. Requested attempts are made meanwhile and do not move it. */
  const waitUntil = async (dueMs: number) => {
    for (let number = 1; status === 'PENDING'; number += 1) {
      const dueAt = new Date(dueMs).toISOString();
      setCurrentDetails(`${failure}Attempt ${attempts} failed. Next attempt at ${dueAt}.`);
      await condition(() => wantedNow, dueMs - Date.now(), { summary: `attempt ${attempts + 1}` });
      if (!wantedNow || Date.now() >= dueMs) return;
      resends += 1;
      await attempted(`${attempts}.${number}`, dueMs - Date.now());
      if (Date.now() >= dueMs) return;
    }
  };

  while (status === 'PENDING') {
    attempts += 1;
    const delayMs = retryDelayMs(attempts, workflowRandom.random());
    await attempted(String(attempts), delayMs);
    if (status !== 'PENDING' || delayMs === null) break;
    nextAttemptAtMs = Date.now() + delayMs;
    await waitUntil(nextAttemptAtMs);
  }

  // No other run would resend: the caller of the resend already has the answer that it succeeded.
  if (wantedNow && hasFailed()) {
    await condition(allHandlersFinished);
    await continueAsNew<typeof webhookDelivery>({ deliveryId, resend: true });
  }

  nextAttemptAtMs = null;
  // Completed alone means DELIVERED. FAILED distinguishes a delivery that was given up from other failures.
  if (hasFailed()) upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
  setCurrentDetails(`${failure}Delivery is **${status}** after ${attempts + resends} attempt(s).`);
  await condition(allHandlersFinished);
  if (hasFailed())
    throw failedOutcome(`${failure}Given up after ${attempts + resends} attempt(s).`, WEBHOOK_GIVEN_UP);
  return status;
}

/**
 * @returns null if the fast queue refuses the attempt, or Postgres is unavailable. The open queue then waits as
 *   long as it takes.
 */
async function attemptedFast(attempt: DeliveryAttemptInput): Promise<DeliveryStatus | FailedAttempt | null> {
  try {
    return await fastDeliveries.attemptFastDelivery(attempt);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return null;
  }
}
