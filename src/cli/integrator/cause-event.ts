import { setTimeout as sleep } from 'node:timers/promises';
import type { EventName } from '../../domain/event-names.ts';
import type { Api } from './api.ts';
import type { Make } from './cause-steps.ts';

/**
 * Causes an event and waits until it is recorded. Subscribes first to events that are recorded only while someone listens.
 * @throws ApiFailure
 */
export async function causeEvent(
  api: Api,
  name: EventName,
  cause: Make,
): Promise<{ id: string; subjectId: string }> {
  await api.get('events/list', { name, limit: '1' });
  return recorded(api, name, await cause(api));
}

/** An event that is not recorded by then will not arrive. */
const PATIENCE_MS = 60_000;
const POLL_MS = 250;

async function recorded(api: Api, name: EventName, subjectId: string) {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const event = await newestEvent(api, name, subjectId);
    if (event !== undefined) return { id: event.id, subjectId };
    if (performance.now() > deadlineMs)
      throw new Error(
        `${subjectId} was created, but ${name} did not happen within a minute: is a worker running?`,
      );
    await sleep(POLL_MS);
  }
}

interface ListedEvent {
  readonly id: string;
  readonly data: { readonly webhook?: { readonly id: string } };
}

/** Events about webhooks are listed by name only. */
async function newestEvent(api: Api, name: EventName, subjectId: string): Promise<ListedEvent | undefined> {
  const isOfWebhook = name === 'webhook.disabled';
  const query = { name, ...(!isOfWebhook && { subjectId }), limit: isOfWebhook ? '100' : '1' };
  const events = await api.get<ListedEvent[]>('events/list', query);
  return events.find(({ data }) => !isOfWebhook || data.webhook?.id === subjectId);
}
