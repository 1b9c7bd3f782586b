import { createHmac } from 'node:crypto';
import type { Command } from 'commander';
import { EVENT_NAMES, type EventName } from '../../domain/event.ts';
import type { EventId } from '../../domain/ids.ts';
import { UsageError } from '../usage-error.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';
import type { Forwarded } from './forward.ts';
import type { StreamedEvent } from './listen.ts';

interface ListenOptions extends ApiOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly secret?: string;
}

/** `listen`. */
export function addListenCommand(root: Command, context: IntegratorContext): void {
  const { host, output } = context;
  apiCommand(root, 'listen')
    .description('Shows events as they happen, and forwards them to a local program as webhooks')
    .option(
      '--forward-to <url>',
      'where to post each event, signed like a delivery; no public address is needed',
    )
    .option('--events <names>', 'only these, separated by commas')
    .option('--secret <text>', 'the webhook secret; default: one derived from the API key, always the same')
    .addHelpText(
      'after',
      `
Needs the permission WEBHOOK:READ. If the service is unavailable, the command reconnects and misses
no event. Each event is forwarded once, without retries; "deliveries resend" is for registered endpoints.`,
    )
    .action(async (options: ListenOptions) => {
      const forwardTo = options.forwardTo === undefined ? null : webAddress(options.forwardTo);
      const names = options.events === undefined ? null : eventNames(options.events);
      const api = context.api(options);
      const secret = options.secret ?? secretOf(api.keyDigest);
      // Loaded here so that other commands do not wait for them.
      const [{ listen }, { Forwarder }] = await Promise.all([import('./listen.ts'), import('./forward.ts')]);
      const forwarder = forwardTo === null ? null : new Forwarder(forwardTo, secret);
      const line = (json: object, text: string) => output.answer(json, text);
      let isFirst = true;
      try {
        await listen({
          api,
          names,
          signal: host.signal ?? new AbortController().signal,
          onOpen() {
            const ready = { type: 'ready', apiUrl: api.url, devMode: api.isDevMode, forwardTo, secret };
            if (isFirst) line(ready, readyText(api.url, forwardTo?.href ?? null, secret));
            else line({ type: 'back' }, 'Listening again; what happened meanwhile follows.');
            isFirst = false;
          },
          onCut(reason, waitMs) {
            line({ type: 'cut', reason, waitMs }, `Cut off: ${reason}. Trying again in ${waitMs / 1_000} s`);
          },
          async onEvent(event) {
            const { id, name } = event;
            const time = new Date();
            const result = isForwarded(event) ? await forwarder?.forward(event) : undefined;
            const about = { type: 'event', time, id, event: name, createdAt: event.createdAt };
            line(
              result === undefined ? about : { ...about, ...result },
              [time.toTimeString().slice(0, 8), name.padEnd(26), id, resultText(result)].join('  ').trimEnd(),
            );
          },
        });
      } finally {
        await forwarder?.close();
      }
    });
}

/** Events that exist only in API v1 have no v2 format. */
function isForwarded(event: StreamedEvent): event is StreamedEvent & { id: EventId; name: EventName } {
  return (EVENT_NAMES as readonly string[]).includes(event.name);
}

/** Derived from the key without revealing it: the same for every run, so a receiver can be configured once. */
function secretOf(keyDigest: Buffer): string {
  return `whsec_${createHmac('sha256', keyDigest).update('recebe listen').digest('base64')}`;
}

function readyText(apiUrl: string, forwardTo: string | null, secret: string): string {
  const to = forwardTo === null ? '' : `, forwarding to ${forwardTo}\nThey are signed with ${secret}`;
  return `Listening to ${apiUrl}${to}\nCtrl-C ends it.`;
}

function resultText(result: Forwarded | undefined): string {
  if (result === undefined) return '';
  const { statusCode, durationMs, error } = result;
  return `${statusCode ?? '---'}  ${durationMs} ms${error === null ? '' : `  ${error}`}`;
}

function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(
    `--forward-to: must be a complete address, such as http://localhost:4000/hooks, not "${text}"`,
  );
}

/** @throws UsageError that names what is not an event. */
export function eventNames(text: string): string {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(EVENT_NAMES as readonly string[]).includes(name));
  if (unknown.length === 0) return names.join(',');
  throw new UsageError(`--events: there is no ${unknown.join(', ')}; known are ${EVENT_NAMES.join(', ')}`);
}
