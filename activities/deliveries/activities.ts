import type { DeliveryStatus } from '../../src/domain/delivery.ts';
import { deliveryBody } from '../../src/events/envelope.ts';
import type { PostResult } from '../../src/outbound/post-result.ts';
import { postWebhook } from '../../src/outbound/post-webhook.ts';
import { signWebhook, withWebhookSecret } from '../../src/outbound/signature.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeats } from '../heartbeats.ts';
import { EndpointLanes, type Lane } from './endpoint-lanes.ts';
import { type DeliveryAttemptInput, type DeliveryToAttempt, loadAttempt } from './load-attempt.ts';
import { failDelivery, recordAttempt } from './record-attempt.ts';

/**
 * Attempts at deliveries. What the endpoint does is a result; only our own failures are thrown and retried.
 */
export function createDeliveryActivities(deps: ActivityDeps) {
  const lanes = new EndpointLanes();
  return {
    /** One attempt at an endpoint that lately answered fast; null, and nothing done, for any other. */
    attemptFastDelivery: (input: DeliveryAttemptInput) => attempt(deps, lanes, 'fast', input),

    /**
     * One attempt at any endpoint. Answers PENDING where it failed and another one is due.
     * @throws EndpointBusy, retried soon, while the endpoint holds its full share of this worker's
     *   connections.
     */
    attemptDelivery: async (input: DeliveryAttemptInput): Promise<DeliveryStatus> => {
      const status = await withHeartbeats(() => attempt(deps, lanes, 'open', input));
      if (status === null) throw lanes.busy();
      return status;
    },
  };
}

async function attempt(
  deps: ActivityDeps,
  lanes: EndpointLanes,
  lane: Lane,
  input: DeliveryAttemptInput,
): Promise<DeliveryStatus | null> {
  const { database } = deps;
  const found = await loadAttempt(database, input.deliveryId, input.attemptKey);
  // An earlier run of this activity made the attempt and lost its answer, or an earlier workflow run
  // finished.
  if (found.recorded || (found.status !== 'PENDING' && !input.resend)) return found.status;
  if (!found.reachable) return failDelivery(database, input);

  const leave = lanes.enter(found.webhookId, lane);
  if (leave === null) return null;
  const result = await send(deps, found, input).finally(leave);
  lanes.report(found.webhookId, result);
  return recordAttempt(database, found, input, result);
}

function send(
  deps: ActivityDeps,
  found: DeliveryToAttempt,
  input: DeliveryAttemptInput,
): Promise<PostResult> {
  const body = deliveryBody(found, input.deliveryId);
  const sharedKey = deps.webhookCompatibilityKey;
  return postWebhook({
    url: sharedKey === null ? found.endpoint : withWebhookSecret(new URL(found.endpoint), found.secret),
    body,
    headers: signWebhook({
      deliveryId: input.deliveryId,
      body,
      secrets: [found.secret],
      timestampSeconds: Math.floor(Date.now() / 1000),
      ...(sharedKey !== null && { compatibility: { sharedKey } }),
    }),
    dispatcher: deps.dispatcher,
    userAgent: deps.userAgent,
  });
}
