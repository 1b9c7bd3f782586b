import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { table } from '../present.ts';
import { UsageError } from '../usage-error.ts';
import type { Api } from './api.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';
import { instantBefore, SINCE } from './since.ts';
import { storeTimeOver } from './store-time.ts';

interface ShownDelivery {
  readonly id: string;
  readonly event: string;
  readonly status: string;
  readonly attemptsCount: number;
  readonly createdAt: string;
  readonly webhookId: string;
}

interface Resend {
  readonly id: string;
  readonly webhookId: string;
  readonly status: 'RUNNING' | 'DONE' | 'STOPPED';
  readonly resentCount: number;
}

interface ResendOptions extends ApiOptions {
  readonly since?: string;
  readonly webhook?: string;
  readonly status?: string;
}

const POLL_MS = 500;

/** `deliveries list` and `deliveries resend`. */
export function addDeliveryCommands(root: Command, { host, output, api }: IntegratorContext): void {
  const deliveries = root.command('deliveries').description('What was sent to registered endpoints');
  apiCommand(deliveries, 'list')
    .description('Lists deliveries, newest first')
    .option('--webhook <id>', 'of one endpoint')
    .option('--status <status>', 'PENDING, DELIVERED or FAILED')
    .option('--event <name>', 'of one event')
    .option('--limit <count>', 'how many, 1 to 100', '20')
    .action(
      async (options: ApiOptions & { webhook?: string; status?: string; event?: string; limit: string }) => {
        const { webhook: webhookId, status, event, limit } = options;
        const query = { webhookId, status, event, limit };
        const found = await api(options).get<ShownDelivery[]>('webhooks/deliveries', query);
        const rows = found.map((each) => [
          each.createdAt,
          each.event,
          each.status,
          String(each.attemptsCount),
          each.id,
          each.webhookId,
        ]);
        const headings = ['CREATED', 'EVENT', 'STATUS', 'ATTEMPTS', 'ID', 'WEBHOOK'];
        output.answer(found, table(headings, rows, 'No deliveries found.'));
      },
    );
  apiCommand(deliveries, 'resend')
    .description('Resends a delivery, or with --since all that failed since then')
    .argument('[id]', 'id of a delivery')
    .option('--since <time>', SINCE)
    .option('--webhook <id>', 'one endpoint; default: all enabled ones')
    .option(
      '--status <status>',
      'status of the deliveries to resend, such as DELIVERED; default: FAILED',
      'FAILED',
    )
    .action(async (id: string | undefined, options: ResendOptions) => {
      const { since, webhook, status } = options;
      if ((id === undefined) === (since === undefined))
        throw new UsageError('name a delivery, or give --since');
      const over = api(options);
      if (since === undefined) {
        const sent = await over.post<object>('webhooks/resend', { id });
        return output.answer(sent, `${id} is being resent.`);
      }
      const now = await storeTimeOver(over, (text) => output.note(text));
      const range = { from: instantBefore(since, now).toISOString(), to: now.toISOString(), status };
      const webhookIds = webhook === undefined ? await enabledWebhooks(over) : [webhook];
      const ended: Resend[] = [];
      for (const webhookId of webhookIds) {
        const begun = await over.post<Resend>('webhooks/resend', { webhookId, ...range });
        ended.push(await done(over, begun, host.signal));
        output.note(`${webhookId}: ${ended.at(-1)?.resentCount} resent`);
      }
      if (output.isJson) output.answer(ended, '');
      else if (ended.length === 0) output.note('There is no enabled endpoint.');
    });
}

async function enabledWebhooks(api: Api): Promise<string[]> {
  const webhooks = await api.get<{ id: string; disabledAt: string | null }[]>('webhooks/list', {
    limit: '100',
  });
  return webhooks.filter(({ disabledAt }) => disabledAt === null).map(({ id }) => id);
}

/** Ctrl-C stops waiting, but not the resend; `webhooks/resend/stop` stops that. */
async function done(api: Api, begun: Resend, signal: AbortSignal | undefined): Promise<Resend> {
  let resend = begun;
  while (resend.status === 'RUNNING' && signal?.aborted !== true) {
    await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    resend = await api.get<Resend>('webhooks/resend/get', { id: resend.id });
  }
  return resend;
}
