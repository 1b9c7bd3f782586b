import type { Command } from 'commander';
import { table } from '../present.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';

interface ListOptions extends ApiOptions {
  readonly limit: string;
  readonly from?: string;
  readonly to?: string;
}

interface ShownEvent {
  readonly id: string;
  readonly name: string;
  readonly subjectIds: readonly string[];
  readonly createdAt: string;
}

interface ShownPayment {
  readonly id: string;
  readonly kind: string;
  readonly method: string;
  readonly status: string;
  readonly amount: number;
  readonly paidAmount: number | null;
  readonly createdAt: string;
}

const LIMIT = ['--limit <count>', 'how many, 1 to 100', '20'] as const;

/** `events` and `payments`. */
export function addReadCommands(root: Command, { output, api }: IntegratorContext): void {
  const details = (object: object) => output.answer(object, JSON.stringify(object, null, 2));
  apiCommand(root, 'events')
    .description('Lists events, newest first; with an id, shows one')
    .argument('[id]', 'of an event')
    .option('--name <name>', 'such as transparent.completed')
    .option('--about <id>', 'the id of the object that an event is about')
    .option('--from <time>', 'starting at an instant or day')
    .option('--to <time>', 'ending at an instant or day')
    .option(...LIMIT)
    .action(async (id: string | undefined, options: ListOptions & { name?: string; about?: string }) => {
      const { name, about: subjectId, from, to, limit } = options;
      if (id !== undefined) return details(await api(options).get<object>('events/get', { id }));
      const query = { name, subjectId, from, to, limit };
      const events = await api(options).get<ShownEvent[]>('events/list', query);
      const rows = events.map((event) => [event.createdAt, event.name, event.id, event.subjectIds[0] ?? '']);
      output.answer(events, table(['TIME', 'EVENT', 'ID', 'ABOUT'], rows, 'Nothing has happened yet.'));
    });
  apiCommand(root, 'payments')
    .description('Lists payments of every kind, newest first; with an id, shows one')
    .argument('[id]', 'of a payment')
    .option('--status <status>', 'such as PAID')
    .option('--method <method>', 'PIX, BOLETO, CARD or FREE')
    .option('--external-id <id>', 'your own id')
    .option(...LIMIT)
    .action(
      async (
        id: string | undefined,
        options: ListOptions & { status?: string; method?: string; externalId?: string },
      ) => {
        const { status, method, externalId, limit } = options;
        if (id !== undefined) return details(await api(options).get<object>('payments/get', { id }));
        const query = { status, method, externalId, limit };
        const payments = await api(options).get<ShownPayment[]>('payments/list', query);
        const rows = payments.map((payment) => [
          payment.createdAt,
          payment.method,
          payment.status,
          String(payment.paidAmount ?? payment.amount),
          payment.kind,
          payment.id,
        ]);
        const headings = ['CREATED', 'METHOD', 'STATUS', 'CENTS', 'KIND', 'ID'];
        output.answer(payments, table(headings, rows, 'No payments found.'));
      },
    );
}
