import type { Api } from '../api.ts';
import type { IntegratorContext } from '../context.ts';
import { type Forwarded, Forwarder } from '../forward.ts';
import { listen, type StreamedEvent } from '../listen.ts';
import { instantBefore, positionAt } from '../since.ts';
import { storeTimeOver } from '../store-time.ts';
import { isForwarded, type Listener, resultText } from './listener.ts';
import { openDoor } from './listener-door.ts';
import { listenerFolder } from './listener-folder.ts';
import { ListenerMemory } from './listener-memory.ts';

/** Listens, shows and forwards until stopped. @throws ApiFailure if a retry cannot help, UsageError for a wrong `since`. */
export async function runListener(
  { host, output }: IntegratorContext,
  api: Api,
  { forwardTo, names, secret, since }: Listener,
): Promise<void> {
  const line = (json: object, text: string) => output.answer(json, text);
  const folder = listenerFolder(host.env, api);
  const memory = new ListenerMemory(folder, { forwardTo: forwardTo?.href ?? null, names });
  const after = await beginning();
  const forwarder = forwardTo === null ? null : new Forwarder(forwardTo, secret);
  const door = forwarder && (await openDoor(folder, forwardAgain).catch(() => null));
  let isFirst = true;
  try {
    await listen({
      api,
      names,
      after,
      signal: host.signal ?? new AbortController().signal,
      onOpen() {
        if (isFirst) showReady();
        else line({ type: 'back' }, 'Listening again; what happened meanwhile follows.');
        isFirst = false;
      },
      onCut(reason, waitMs) {
        line({ type: 'cut', reason, waitMs }, `Cut off: ${reason}. Trying again in ${waitMs / 1_000} s`);
      },
      onPosition: (id) => memory.write(id),
      onForgotten() {
        line({ type: 'forgotten' }, 'Missed events may have been deleted; listening to new ones.');
      },
      onEvent: async (event) => void (await handle(event, false)),
    });
  } finally {
    await door?.close();
    await forwarder?.close();
  }

  async function beginning(): Promise<string | null> {
    if (since === 'now') return null;
    if (since === undefined) return memory.read();
    const now = await storeTimeOver(api, (text) => output.note(text));
    return positionAt(api, instantBefore(since, now));
  }

  function showReady(): void {
    const to = forwardTo?.href ?? null;
    const ready = { type: 'ready', apiUrl: api.url, devMode: api.isDevMode, forwardTo: to, secret, after };
    const forwarding = to === null ? '' : `, forwarding to ${to}\nThey are signed with ${secret}`;
    const missed = after === null ? '' : '\nWhat was missed comes first; --since now leaves it out.';
    line(ready, `Listening to ${api.url}${forwarding}${missed}\nCtrl-C ends it.`);
  }

  async function handle(event: StreamedEvent, isAgain: boolean): Promise<Forwarded | undefined> {
    const { id, name } = event;
    const time = new Date();
    const result = isForwarded(event) ? await forwarder?.forward(event) : undefined;
    const about = { type: 'event', time, id, event: name, createdAt: event.createdAt };
    const words = [time.toTimeString().slice(0, 8), name.padEnd(26), id, resultText(result)];
    if (isAgain) words.push('again');
    line({ ...about, ...result, ...(isAgain && { again: true }) }, words.join('  ').trimEnd());
    return result;
  }

  /** @throws ApiFailure if there is no such event. */
  async function forwardAgain(id: string): Promise<Forwarded> {
    const event = await api.get<StreamedEvent>('events/get', { id });
    const result = await handle(event, true);
    if (result === undefined) throw new Error(`${event.name} is an event of API v1, which is not forwarded`);
    return result;
  }
}
