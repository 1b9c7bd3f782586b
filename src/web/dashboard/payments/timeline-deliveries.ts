import type { TimelineDelivery, TimelineEvent } from '../../../api/payments/timeline-events.ts';
import { failureWords } from '../webhooks/failure-words.ts';
import { type TimelineEntry, type TimelineFormatter, timelineEntry } from './timeline-entry.ts';

/** Deliveries of the payment's events to endpoints, with their responses. */
export function deliveryEntries(
  events: readonly TimelineEvent[],
  formatter: TimelineFormatter,
): TimelineEntry[] {
  return events.flatMap((event) => {
    if (event.deliveries.length > 0)
      return event.deliveries.map((delivery) => deliveryEntry(event, delivery, formatter));
    const text = formatter.say('dashboard.payments.nobodyWasNotifiedOf', { eventName: event.name });
    return [timelineEntry(event.createdAt, 'plain', text, `/events/${event.id}`)];
  });
}

function deliveryEntry(
  { name, createdAt }: TimelineEvent,
  delivery: TimelineDelivery,
  { say, when }: TimelineFormatter,
): TimelineEntry {
  const { status, webhookName, attempts, nextAttemptAt, finishedAt, isWebhookGone } = delivery;
  const path = `/deliveries/${delivery.id}`;
  const at = finishedAt === null ? createdAt : new Date(finishedAt);
  const answer = answerOf(delivery, { say });
  if (status === 'DELIVERED')
    return timelineEntry(at, 'good', say('dashboard.payments.received', { webhookName, name, answer }), path);
  const tried = say('dashboard.payments.attempts', { attempts, answer });
  if (status === 'FAILED') {
    const gone = isWebhookGone ? say('dashboard.payments.theWebhookWasDisabledOr') : '';
    return timelineEntry(
      at,
      'bad',
      say('dashboard.payments.didNotReceive', { webhookName, name, tried, gone }),
      path,
    );
  }
  if (attempts === 0 || nextAttemptAt === null)
    return timelineEntry(at, 'waiting', say('dashboard.payments.isBeingSentTo', { name, webhookName }), path);
  const next = when(new Date(nextAttemptAt));
  return timelineEntry(
    at,
    'waiting',
    say('dashboard.payments.hasNotReceivedYet', { webhookName, name, tried, next }),
    path,
  );
}

function answerOf(
  { statusCode, error, attempts }: TimelineDelivery,
  { say }: Pick<TimelineFormatter, 'say'>,
): string {
  if (statusCode !== null) return say('dashboard.payments.answer', { statusCode });
  if (error !== null) return failureWords(error, say);
  return attempts === 0 ? say('dashboard.payments.noAttempt') : say('dashboard.payments.noAnswer');
}
