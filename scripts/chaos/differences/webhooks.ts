import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../src/database/orm.ts';
import type { Book } from '../book.ts';
import type { Endpoint, ReceivedDelivery } from '../endpoints.ts';
import type { Found } from './rows.ts';

interface Sent {
  readonly id: string;
  readonly status: string;
  readonly event: string;
  readonly data: string;
}

/** Compares what an endpoint received with the deliveries that the service has recorded. */
export async function compareDeliveries(database: Database, endpoint: Endpoint): Promise<string[]> {
  const { url, manner, deliveries } = endpoint;
  const sent = await database.em.fork().execute<Sent[]>(
    `select deliveries.id, deliveries.status, events.name as event, events.data from deliveries
      join events on events.id = event_id join webhooks on webhooks.id = webhook_id where endpoint = ?`,
    [url],
  );
  const differences = [...endpoint.wrong];
  const differs = (what: string) => void differences.push(`${manner} endpoint ${url}: ${what}`);
  const ids = new Set(sent.map(({ id }) => id));
  for (const { deliveryId, event } of deliveries.values())
    if (!ids.has(deliveryId)) differs(`received ${deliveryId} (${event}), which is no delivery`);
  for (const { id, status, event, data } of sent) {
    const received = deliveries.get(id);
    if (manner === 'dead') {
      if (status !== 'PENDING') differs(`${id} is ${status}, and it never answers`);
    } else if (status !== 'DELIVERED' || received === undefined || received.taken === 0) {
      differs(`${id} (${event}) is ${status}, and was taken ${received?.taken ?? 0} times`);
    }
    if (received && (received.event !== event || !isDeepStrictEqual(received.data, JSON.parse(data))))
      differs(`${id} was received as ${received.event}, and is ${event}, or has other data`);
  }
  return differences;
}

/** Compares what an endpoint received with the events that clients know: each once, and nothing else. */
export function compareEvents(endpoint: Endpoint, book: Book, found: Found): string[] {
  return compareNotified(endpoint, [
    ...book.charges.flatMap((charge) =>
      (found.ends.get(charge)?.events ?? []).map(
        (event) => `${event === 'checkout.completed' ? charge.completedAs : event} of ${charge.id}`,
      ),
    ),
    ...found.renewals.map(({ chargeId }) => `subscription.renewed of ${chargeId}`),
    ...found.failedAttempts.map((chargeId) => `subscription.payment_failed of ${chargeId}`),
    ...book.subscriptions
      .filter(({ status }) => status === 'CANCELLED')
      .map(({ id }) => `subscription.cancelled of ${id}`),
    ...book.planChanges.map((id) => `subscription.plan_changed of ${id}`),
    ...book.payouts.map(({ id, kind, fails }) => `${kind}.${fails ? 'failed' : 'completed'} of ${id}`),
  ]);
}

/** Compares what an endpoint received with the expected `<event> of <id>` lines, as often as each occurred. */
export function compareNotified(endpoint: Endpoint, expected: readonly string[]): string[] {
  const received = [...endpoint.deliveries.values()].map((each) => `${each.event} of ${subjectOf(each)}`);
  const times = new Map<string, number>();
  for (const each of received) times.set(each, (times.get(each) ?? 0) + 1);
  for (const each of expected) times.set(each, (times.get(each) ?? 0) - 1);
  return [...times]
    .filter(([, count]) => count !== 0)
    .map(([what, count]) =>
      count > 0 ? `received ${count} times too often: ${what}` : `never received: ${what}`,
    );
}

function subjectOf({ event, data }: ReceivedDelivery): unknown {
  const { transparent, payment, subscription, update, withdraw, transfer } = data as Record<
    string,
    { id: string } | null
  >;
  if (event === 'subscription.cancelled') return subscription?.id;
  return (transparent ?? payment ?? update ?? withdraw ?? transfer)?.id;
}
