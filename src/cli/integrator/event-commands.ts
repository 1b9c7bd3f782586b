import type { Command } from 'commander';
import { table } from '../present.ts';
import { UsageError } from '../usage-error.ts';
import type { Api } from './api.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';
import { resultText } from './listener/listener.ts';
import { listenerFolder } from './listener/listener-folder.ts';

interface ListOptions extends ApiOptions {
  readonly name?: string;
  readonly about?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
}

interface ShownEvent {
  readonly id: string;
  readonly name: string;
  readonly subjectIds: readonly string[];
  readonly createdAt: string;
}

/** `events` and `events resend`. */
export function addEventCommands(root: Command, context: IntegratorContext): void {
  const { output, api } = context;
  const events = apiCommand(root, 'events')
    // `--to` of `events resend` is another option.
    .enablePositionalOptions()
    .description('Lists events, newest first; with an id, shows one')
    .argument('[id]', 'of an event')
    .option('--name <name>', 'such as transparent.completed')
    .option('--about <id>', 'the id of the object that an event is about')
    .option('--from <time>', 'starting at an instant or day')
    .option('--to <time>', 'ending at an instant or day')
    .option('--limit <count>', 'how many, 1 to 100', '20')
    .option('--json', 'prints JSON')
    .action(async (id: string | undefined, options: ListOptions) => {
      const { name, about: subjectId, from, to, limit } = options;
      if (id !== undefined) {
        const event = await api(options).get<object>('events/get', { id });
        return output.answer(event, JSON.stringify(event, null, 2));
      }
      const query = { name, subjectId, from, to, limit };
      const found = await api(options).get<ShownEvent[]>('events/list', query);
      const rows = found.map((event) => [event.createdAt, event.name, event.id, event.subjectIds[0] ?? '']);
      output.answer(found, table(['TIME', 'EVENT', 'ID', 'ABOUT'], rows, 'Nothing has happened yet.'));
    });
  apiCommand(events, 'resend')
    .description('Sends an event again, to a listener on this machine or to a registered endpoint')
    .argument('<id>', 'of an event')
    .requiredOption('--to <receiver>', '"listener" for each running "recebe listen", or the id of a webhook')
    .action(async (id: string, options: ApiOptions & { readonly to: string }) => {
      const over = api(options);
      if (options.to === 'listener') return toListeners(context, over, id);
      const sent = await over.post<{ id: string }>('webhooks/resend', {
        id: await deliveryTo(over, id, options.to),
      });
      output.answer(sent, `${id} is being sent to ${options.to} again, as ${sent.id}.`);
    });
}

/** @throws UsageError if no listener with this service and key runs on this machine. */
async function toListeners({ host, output }: IntegratorContext, over: Api, id: string): Promise<void> {
  const { askListeners } = await import('./listener/listener-door.ts');
  const results = await askListeners(listenerFolder(host.env, over), id);
  if (results.length === 0)
    throw new UsageError(
      '--to listener: none runs on this machine with this service and key; start "recebe listen --forward-to <url>" first',
    );
  output.answer(results, results.map((result) => `${id}  ${resultText(result)}`).join('\n'));
}

/** @throws UsageError if the event was never sent to the webhook. */
async function deliveryTo(over: Api, eventId: string, webhookId: string): Promise<string> {
  const query = { eventId, webhookId, limit: '1' };
  const [delivery] = await over.get<{ readonly id: string }[]>('webhooks/deliveries', query);
  if (delivery !== undefined) return delivery.id;
  throw new UsageError(
    `${eventId} was not sent to ${webhookId}: a webhook receives the events that it was subscribed to when they happened`,
  );
}
