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
    const text = formatter.say(
      `Ninguém foi avisado de ${event.name}: nenhum webhook está inscrito nele.`,
      `Nobody was notified of ${event.name}: no webhook is subscribed to it.`,
    );
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
    return timelineEntry(
      at,
      'good',
      say(`${webhookName} recebeu ${name} (${answer}).`, `${webhookName} received ${name} (${answer}).`),
      path,
    );
  const tried = say(
    `${attempts} ${attempts === 1 ? 'tentativa' : 'tentativas'}, ${answer}`,
    `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${answer}`,
  );
  if (status === 'FAILED') {
    const gone = isWebhookGone
      ? say(' O webhook foi desligado ou apagado.', ' The webhook was disabled or deleted.')
      : '';
    return timelineEntry(
      at,
      'bad',
      say(
        `${webhookName} não recebeu ${name}: ${tried}.${gone}`,
        `${webhookName} did not receive ${name}: ${tried}.${gone}`,
      ),
      path,
    );
  }
  if (attempts === 0 || nextAttemptAt === null)
    return timelineEntry(
      at,
      'waiting',
      say(`${name} está sendo enviado a ${webhookName}.`, `${name} is being sent to ${webhookName}.`),
      path,
    );
  const next = when(new Date(nextAttemptAt));
  return timelineEntry(
    at,
    'waiting',
    say(
      `${webhookName} ainda não recebeu ${name}: ${tried}; próxima tentativa em ${next}.`,
      `${webhookName} has not received ${name} yet: ${tried}; next attempt on ${next}.`,
    ),
    path,
  );
}

function answerOf(
  { statusCode, error, attempts }: TimelineDelivery,
  { say }: Pick<TimelineFormatter, 'say'>,
): string {
  if (statusCode !== null) return say(`resposta ${statusCode}`, `answer ${statusCode}`);
  if (error !== null) return failureWords(error, say);
  return attempts === 0 ? say('nenhuma tentativa', 'no attempt') : say('sem resposta', 'no answer');
}
