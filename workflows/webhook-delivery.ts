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
import type { DeliveryAttemptInput, FailedAttempt } from '../activities/deliveries/load-attempt.ts';
import { type DeliveryStatus, retryDelayMs } from '../src/domain/delivery.ts';
import { fastDeliveries, openDeliveries } from './activity-options.ts';
import { failedOutcome } from './failed-outcome.ts';
import { isOutage } from './lasting-activities.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import { resendsAreCountedApart, resendsOutliveTheSchedule } from './versions.ts';
import {
  deliveryStateQuery,
  resendUpdate,
  WEBHOOK_GIVEN_UP,
  type WebhookDeliveryInput,
} from './webhook-delivery.contract.ts';

/**
 * One run stands for one event on its way to one endpoint. It ends Completed when the endpoint took it, and Failed
 * when the schedule of about three days is exhausted or the endpoint is gone. It is durable because an endpoint
 * may be down for days while workers come and go, and the attempt that is due must still be made, and no
 * other.
 *
 * Asking for one that waits makes an attempt besides the schedule. Asking for a finished delivery again opens a
 * new run under the same id, with the whole schedule before it, and so does asking during the last attempt that
 * then fails. Where a run was lost, another one is started asleep until the attempt that is due next.
 */
export async function webhookDelivery({
  deliveryId,
  resend,
  attemptsMade = 0,
  failsWhenGivenUp,
}: WebhookDeliveryInput): Promise<DeliveryStatus> {
  let status: DeliveryStatus = 'PENDING';
  /** Those of the schedule, and those that were asked for besides. */
  let attempts = attemptsMade;
  let resends = 0;
  let nextAttemptAtMs: number | null = null;
  let wantedNow = false;
  const hasFailed = () => status === 'FAILED';
  /** How the last attempt failed; a status alone is what a release before has recorded. */
  let said = '';

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
    const terms = { deliveryId, resend, attemptKey, retryDelayMs: delayMs, nowMs: Date.now() };
    const attempt = { ...terms, inWords: true } as const;
    const outcome = (await attemptedFast(attempt)) ?? (await openDeliveries.attemptDelivery(attempt));
    status = typeof outcome === 'string' ? outcome : outcome.status;
    said = typeof outcome === 'string' ? '' : `${outcome.said}. `;
  };

  /** Waits for the next attempt. Those that are asked for meanwhile are made besides it, and leave it as it is. */
  const waitUntil = async (dueMs: number) => {
    for (let number = 1; status === 'PENDING'; number += 1) {
      const dueAt = new Date(dueMs).toISOString();
      setCurrentDetails(`${said}Attempt ${attempts} failed. Next one at ${dueAt}.`);
      await condition(() => wantedNow, dueMs - Date.now(), { summary: `attempt ${attempts + 1}` });
      if (!wantedNow || !resendsAreCountedApart() || Date.now() >= dueMs) return;
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

  // Nobody else would go on: whoever asked has been told that it is done.
  if (wantedNow && hasFailed() && resendsOutliveTheSchedule()) {
    await condition(allHandlersFinished);
    await continueAsNew<typeof webhookDelivery>({
      deliveryId,
      resend: true,
      ...(failsWhenGivenUp && { failsWhenGivenUp }),
    });
  }

  nextAttemptAtMs = null;
  // That the run is Completed says DELIVERED. FAILED tells one that was given up from one that failed otherwise.
  if (!failsWhenGivenUp || hasFailed())
    upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
  setCurrentDetails(`${said}Delivery is **${status}** after ${attempts + resends} attempt(s).`);
  await condition(allHandlersFinished);
  if (failsWhenGivenUp && hasFailed())
    throw failedOutcome(`${said}Given up after ${attempts + resends} attempt(s).`, WEBHOOK_GIVEN_UP);
  return status;
}

/** Null where the fast lane is closed, or Postgres is away: the open lane then waits for as long as it takes. */
async function attemptedFast(attempt: DeliveryAttemptInput): Promise<DeliveryStatus | FailedAttempt | null> {
  try {
    return await fastDeliveries.attemptFastDelivery(attempt);
  } catch (error) {
    if (!isOutage(error)) throw error;
    return null;
  }
}
