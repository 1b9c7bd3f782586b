import { createHmac } from 'node:crypto';
import type { Command } from 'commander';
import { EVENT_NAMES } from '../../domain/event-names.ts';
import { UsageError } from '../usage-error.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';
import { SINCE } from './since.ts';

interface ListenOptions extends ApiOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly event: readonly string[];
  readonly secret?: string;
  readonly since?: string;
}

/** `listen`. */
export function addListenCommand(root: Command, context: IntegratorContext): void {
  apiCommand(root, 'listen')
    .description('Shows events as they happen, and forwards them to a local program as webhooks')
    .option(
      '--forward-to <url>',
      'where to post each event, signed like a delivery; no public address is needed',
    )
    .option('--event <name>', 'only this one; may be repeated', (name, all: string[]) => [...all, name], [])
    .option('--events <names>', 'only these, separated by commas')
    .option('--since <time>', `begin with the events since then: ${SINCE}; or "now"`)
    .option('--secret <text>', 'the webhook secret; default: one derived from the API key, always the same')
    .addHelpText(
      'after',
      `
Needs the permission WEBHOOK:READ. If the service is unavailable, the command reconnects and misses
no event. Without --since, it first receives what happened since the same command last ran on this machine.
Each event is forwarded once, without retries; "events resend <id> --to listener" forwards one again.`,
    )
    .action(async (options: ListenOptions) => {
      const { forwardTo, since } = options;
      const api = context.api(options);
      const listener = {
        forwardTo: forwardTo === undefined ? null : webAddress(forwardTo),
        names: namesOf(options),
        secret: options.secret ?? secretOf(api.keyDigest),
        since,
      };
      // Loaded here so that other commands do not wait for it.
      const { runListener } = await import('./listener/run-listener.ts');
      await runListener(context, api, listener);
    });
}

/** Derived from the key without revealing it: the same for every run, so a receiver can be configured once. */
function secretOf(keyDigest: Buffer): string {
  return `whsec_${createHmac('sha256', keyDigest).update('recebe listen').digest('base64')}`;
}

function webAddress(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(
    `--forward-to: must be a complete address, such as http://localhost:4000/hooks, not "${text}"`,
  );
}

function namesOf({ events, event }: ListenOptions): string | null {
  const listed = events === undefined ? [] : eventNames('--events', events.split(','));
  const names = [...listed, ...eventNames('--event', event)];
  return names.length === 0 ? null : [...new Set(names)].join(',');
}

/** @throws UsageError that names what is not an event. */
function eventNames(option: string, given: readonly string[]): string[] {
  const names = given.map((name) => name.trim());
  const unknown = names.filter((name) => !(EVENT_NAMES as readonly string[]).includes(name));
  if (unknown.length === 0) return names;
  throw new UsageError(`${option}: there is no ${unknown.join(', ')}; known are ${EVENT_NAMES.join(', ')}`);
}
