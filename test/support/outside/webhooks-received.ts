import type { ReceivedWebhook } from './webhook-sink.ts';

/** The charges that webhooks came for, each once. */
export function chargesToldOf(received: readonly ReceivedWebhook[]): Set<string> {
  return new Set(received.map(({ body }) => JSON.parse(body).data.transparent.id));
}
