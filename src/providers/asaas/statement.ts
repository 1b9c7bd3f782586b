import { addDays, saoPauloDateOf } from '../../domain/civil-date.ts';
import type { StatementEntry, StatementKind } from '../../domain/statement-day.ts';
import type { StatementPort } from '../ports/statement.ts';
import type { AsaasClient } from './asaas-client.ts';
import type { AsaasPayments } from './payments.ts';
import { idOf, isOwn, paymentIdOf, readFinancialTransaction, readPage } from './wire.ts';

/** Asaas allows no more. */
const PAGE_SIZE = 100;

/** Asaas' types of movements (docs.asaas.com/reference/extrato). Fees are known by their name; all others are adjustments. */
const KINDS: Readonly<Record<string, StatementKind>> = {
  PAYMENT_RECEIVED: 'PAYMENT',
  PARTIAL_PAYMENT: 'PAYMENT',
  PAYMENT_REVERSAL: 'REFUND',
  PAYMENT_REFUND_CANCELLED: 'REFUND',
  REFUND_REQUEST_CANCELLED: 'REFUND',
  PIX_TRANSACTION_CREDIT_REFUND: 'REFUND',
  PIX_TRANSACTION_CREDIT_REFUND_CANCELLATION: 'REFUND',
  CHARGEBACK: 'DISPUTE',
  CHARGEBACK_REVERSAL: 'DISPUTE',
  TRANSFER: 'PAYOUT',
  TRANSFER_REVERSAL: 'PAYOUT',
  PIX_TRANSACTION_DEBIT: 'PAYOUT',
  PIX_TRANSACTION_DEBIT_REFUND: 'PAYOUT',
};
/** `PAYMENT_FEE`, `TRANSFER_FEE`, `PAYMENT_FEE_REVERSAL` and their like. */
const FEE = /_FEE(?:_|$)/;

type Movement = ReturnType<typeof readFinancialTransaction>;

/** The statement of an account at Asaas, which names days and no times. Asaas pays out nothing by itself. */
export function asaasStatement(client: AsaasClient, payments: AsaasPayments): StatementPort {
  const entryOf = async ({
    id,
    type,
    value,
    balance,
    paymentId: partId,
  }: Movement): Promise<StatementEntry> => {
    const about = partId === null ? null : await payments.originOf(partId);
    return {
      id,
      kind: KINDS[type] ?? (FEE.test(type) ? 'FEE' : 'ADJUSTMENT'),
      amountCents: value,
      feeCents: 0,
      providerPaymentId: about === null ? partId : paymentIdOf(about),
      installmentNumber: about?.installment == null ? null : about.installmentNumber,
      isOurs: about !== null && isOwn(about),
      balanceAfterCents: balance,
    };
  };
  return {
    async entries({ from, until }, cursor) {
      const offset = Number(cursor ?? 0);
      const query = {
        startDate: saoPauloDateOf(from),
        finishDate: addDays(saoPauloDateOf(until), -1),
        order: 'asc',
        limit: String(PAGE_SIZE),
        offset: String(offset),
      };
      const { data, hasMore } = readPage(
        await client.send({ method: 'GET', path: '/v3/financialTransactions', query }),
      );
      const items: StatementEntry[] = [];
      const unreadableIds: string[] = [];
      for (const item of data) {
        const movement = readable(item);
        if (movement === null) unreadableIds.push(idOf(item));
        else items.push(await entryOf(movement));
      }
      const nextCursor = hasMore && data.length > 0 ? String(offset + data.length) : null;
      return { items, unreadableIds, nextCursor };
    },
    payouts: async () => ({ items: [], nextCursor: null }),
  };
}

/** Null if it cannot be read: one line does not hide the others. */
function readable(item: unknown): Movement | null {
  try {
    return readFinancialTransaction(item);
  } catch {
    return null;
  }
}
