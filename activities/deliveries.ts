import type { ResendId } from '../src/domain/ids.ts';
import { deliveryAttempts } from '../src/webhooks/attempt-delivery.ts';
import type { WebhookDeps } from '../src/webhooks/effects.ts';
import type { DeliveryAttemptInput } from '../src/webhooks/load-attempt.ts';
import { type Progress, resendSome, stopResend } from '../src/webhooks/resend-range.ts';
import { withHeartbeats } from './heartbeats.ts';

/** Attempts at deliveries. */
export function createDeliveryActivities(deps: WebhookDeps) {
  const attempts = deliveryAttempts(deps);
  return {
    /** @see DeliveryAttempts.attemptFast */
    attemptFastDelivery: (input: DeliveryAttemptInput) => attempts.attemptFast(input),

    /** @see DeliveryAttempts.attempt */
    attemptDelivery: (input: DeliveryAttemptInput) => withHeartbeats(() => attempts.attempt(input)),
  };
}

interface Resending {
  readonly resendId: ResendId;
  /** The workflow's time, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** Resends ranges of deliveries. */
export function createResendActivities(deps: WebhookDeps) {
  return {
    /** @see resendSome */
    resendSome: ({ resendId, nowMs }: Resending): Promise<Progress> =>
      withHeartbeats(() => resendSome(deps, resendId, new Date(nowMs))),

    /** @see stopResend */
    stopResend: ({ resendId, nowMs }: Resending): Promise<void> =>
      stopResend(deps, resendId, new Date(nowMs)),
  };
}
