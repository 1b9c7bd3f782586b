import type { Command } from 'commander';
import { table } from '../present.ts';
import { type ApiOptions, apiCommand, type IntegratorContext } from './context.ts';

interface ListOptions extends ApiOptions {
  readonly limit: string;
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

/** `payments`. */
export function addPaymentCommands(root: Command, { output, api }: IntegratorContext): void {
  const details = (object: object) => output.answer(object, JSON.stringify(object, null, 2));
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
