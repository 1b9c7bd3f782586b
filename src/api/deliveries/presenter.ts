import type { Delivery, DeliveryAttempt } from '../../database/entities/delivery.ts';
import type { RecordedEventName } from '../../domain/event.ts';
import type { DeliveryView } from './schema.ts';

/** A delivery with the event it carries and the attempts made, oldest first. */
export interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly event: RecordedEventName;
  readonly attempts: readonly DeliveryAttempt[];
}

/** A delivery as integrators see it. */
export function presentDelivery(
  { delivery, event, attempts }: DeliveryDetails,
  devMode: boolean,
): DeliveryView {
  return {
    id: delivery.id,
    event,
    webhookId: delivery.webhookId,
    devMode,
    status: delivery.status,
    attemptsCount: delivery.attempts,
    attempts: attempts.map(presentAttempt),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
  };
}

function presentAttempt(attempt: DeliveryAttempt): DeliveryView['attempts'][number] {
  const { startedAt, durationMs, statusCode, responseExcerpt, error } = attempt;
  return { startedAt: startedAt.toISOString(), durationMs, statusCode, responseExcerpt, error };
}
