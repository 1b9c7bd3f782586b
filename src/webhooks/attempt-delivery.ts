import { activityInfo } from '@temporalio/activity';
import type { Database } from '../database/orm.ts';
import type { DeliveryStatus } from '../domain/delivery.ts';
import { deliveryBody } from '../events/envelope.ts';
import type { PostResult } from '../outbound/post-result.ts';
import { inSpan, traceHeaders } from '../tracing/span.ts';
import { passageTo, reportToBreaker } from './circuit-breaker.ts';
import { disableWebhook } from './disable-webhook.ts';
import type { WebhookDeps } from './effects.ts';
import { dispatcherFor } from './endpoint-dispatcher.ts';
import {
  type DeliveryAttemptInput,
  type DeliveryToAttempt,
  type FailedAttempt,
  loadAttempt,
} from './load-attempt.ts';
import { postWebhook } from './post-webhook.ts';
import { failDelivery, recordAttempt } from './record-attempt.ts';
import { signWebhook, withWebhookSecret } from './signature.ts';

/** The longest postponement. After this a paused endpoint gets an attempt anyway, so that its deliveries end. */
const POSTPONED_AT_MOST_MS = 60 * 60_000;

/** How a delivery stands after an attempt. */
type Attempted = DeliveryStatus | FailedAttempt;

/** Attempts at deliveries, with the queues that all attempts of this worker share. */
export interface DeliveryAttempts {
  /** One attempt at an endpoint that has been fast lately; null, with nothing done, for any other. */
  attemptFast(input: DeliveryAttemptInput): Promise<Attempted | null>;
  /**
   * One attempt at any endpoint. Returns PENDING if it failed and another one is due.
   * @throws EndpointBusy, retried later, while the endpoint uses its full share of this worker's connections or is
   *   paused. That does not count as an attempt.
   */
  attempt(input: DeliveryAttemptInput): Promise<Attempted>;
}

/** An endpoint's failure is a result; only our own failures are thrown and retried. */
export function deliveryAttempts(deps: WebhookDeps): DeliveryAttempts {
  const { database, endpoints } = deps;
  const { queues, backlog } = endpoints;

  /** @returns null, with nothing done, if the endpoint has not answered fast lately. */
  const attemptFastDelivery = async (input: DeliveryAttemptInput): Promise<Attempted | null> => {
    const crowded = backlog.crowdedBefore(input.deliveryId);
    if (crowded !== null && !queues.isFast(crowded.webhookId)) return null;
    const found = await loadAttempt(database, input.deliveryId, input.attemptKey);
    const ended = await endedBefore(database, found, input);
    if (ended !== null) return ended;
    // An endpoint that hung is not fast, even if this worker does not know it yet.
    const leave = found.hasHung ? null : queues.enter(found.webhookId, 'fast', found.storeId);
    return leave && made(found, input, false).finally(leave);
  };

  const attemptOpenDelivery = async (input: DeliveryAttemptInput): Promise<Attempted> => {
    const { deliveryId, nowMs } = input;
    const crowded = backlog.crowdedBefore(deliveryId);
    // Thousands of deliveries may wait for one endpoint, so this check comes before any query.
    if (crowded !== null && !queues.hasRoom(crowded.webhookId, 'open')) throw endpoints.leaveFor(crowded);
    const found = await loadAttempt(database, deliveryId, input.attemptKey);
    backlog.left(deliveryId);
    const ended = await endedBefore(database, found, input);
    if (ended !== null) return ended;
    const { webhookId, storeId } = found;
    const delivery = { deliveryId, webhookId, storeId };
    const leave = queues.enter(webhookId, 'open', storeId);
    if (leave === null) throw endpoints.leaveFor(delivery);
    try {
      const isFree = found.pausedUntil === null || isLongPostponed();
      const passage = isFree ? 'FREE' : await passageTo(database, found, nowMs);
      if (typeof passage === 'object') throw endpoints.leaveFor(delivery, passage.pausedForMs);
      return await made(found, input, passage === 'PROBE');
    } finally {
      leave();
    }
  };

  async function made(
    found: DeliveryToAttempt,
    input: DeliveryAttemptInput,
    isProbe: boolean,
  ): Promise<Attempted> {
    const result = await send(deps, found, input);
    queues.report(found.webhookId, result);
    await reportToBreaker(database, found, result, { nowMs: input.nowMs, isProbe });
    if (result.outcome === 'gone') await disableWebhook(deps, found.webhookId, result, new Date(input.nowMs));
    const status = await recordAttempt(database, input, result);
    if (status !== 'DELIVERED') notifyFailed(deps, found, input, result, status);
    return status === 'DELIVERED' ? status : { status, said: failureTextOf(found, result) };
  }

  return { attemptFast: attemptFastDelivery, attempt: attemptOpenDelivery };
}

/** The status of a delivery that must not be attempted; null if it must. */
async function endedBefore(
  database: Database,
  found: DeliveryToAttempt,
  input: DeliveryAttemptInput,
): Promise<DeliveryStatus | null> {
  // An earlier run of this activity made the attempt and lost its answer, or an earlier workflow run finished the
  // delivery.
  if (found.recorded || (found.status !== 'PENDING' && !input.resend)) return found.status;
  return found.reachable ? null : failDelivery(database, input);
}

function isLongPostponed(): boolean {
  const { scheduledTimestampMs, currentAttemptScheduledTimestampMs } = activityInfo();
  return currentAttemptScheduledTimestampMs - scheduledTimestampMs > POSTPONED_AT_MOST_MS;
}

function send(deps: WebhookDeps, found: DeliveryToAttempt, input: DeliveryAttemptInput): Promise<PostResult> {
  const ids = { 'recebe.delivery_id': input.deliveryId, 'recebe.webhook_id': found.webhookId };
  const event = { 'recebe.event_id': found.eventId, 'recebe.event_name': found.eventName };
  return inSpan('POST webhook', { ...ids, ...event }, async (span) => {
    const result = await post(deps, found, input);
    span.setAttributes({ 'recebe.outcome': result.outcome });
    if (result.statusCode !== null) span.setAttribute('http.response.status_code', result.statusCode);
    return result;
  });
}

function post(deps: WebhookDeps, found: DeliveryToAttempt, input: DeliveryAttemptInput): Promise<PostResult> {
  const body = deliveryBody(found, input.deliveryId);
  const sharedKey = deps.webhookCompatibilityKey;
  const [secret, ...previous] = secretsOf(deps, found);
  return postWebhook({
    url: sharedKey === null ? found.endpoint : withWebhookSecret(new URL(found.endpoint), secret),
    body,
    headers: {
      ...traceHeaders(),
      ...signWebhook({
        deliveryId: input.deliveryId,
        body,
        secrets: [secret, ...previous],
        timestampSeconds: Math.floor(Date.now() / 1000),
        ...(sharedKey !== null && { compatibility: { sharedKey } }),
      }),
    },
    dispatcher: dispatcherFor(deps, found),
    userAgent: deps.userAgent,
  });
}

/** Logs neither the endpoint's address nor its response, which may contain anything. */
function notifyFailed(
  { log }: WebhookDeps,
  { webhookId, eventId, eventName }: DeliveryToAttempt,
  { deliveryId }: DeliveryAttemptInput,
  { statusCode, durationMs, error }: PostResult,
  status: DeliveryStatus,
): void {
  const ids = { deliveryId, webhookId, eventId, eventName };
  log.warn(
    { ...ids, statusCode, durationMs: Math.round(durationMs), reason: error },
    status === 'FAILED' ? 'webhook delivery given up' : 'webhook delivery failed',
  );
}

/** For example `checkout.completed of bill_…: HTTP 500 in 84 ms`. */
function failureTextOf({ eventName, about }: DeliveryToAttempt, { error, durationMs }: PostResult): string {
  return `${eventName} of ${about}: ${error ?? 'no answer'} in ${Math.round(durationMs)} ms`;
}

/** The secrets to sign with: the current one, and for a day after a rotation also the previous one. */
function secretsOf({ secretsKeys }: WebhookDeps, found: DeliveryToAttempt): [string, ...string[]] {
  const { webhookId, previousSecret, previousSecretKeyId: secretKeyId, previousSecretUntil } = found;
  const secret = secretsKeys.decrypt(found, webhookId);
  const isOver = previousSecretUntil === null || previousSecretUntil.getTime() <= Date.now();
  if (previousSecret === null || isOver) return [secret];
  return [secret, secretsKeys.decrypt({ secret: previousSecret, secretKeyId }, webhookId)];
}
