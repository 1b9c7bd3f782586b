import { z } from 'zod';
import { startBoxAdmin } from '../box-admin.ts';
import { adminPage } from './admin-page.ts';
import type { AsaasBox } from './asaas-box.ts';
import { CHARGEBACK_STATUSES } from './books.ts';

const paySchema = z.strictObject({
  reais: z.number().positive().optional(),
  atBank: z.boolean().optional(),
  isForced: z.boolean().optional(),
});
const cardSchema = z.strictObject({
  isRefused: z.boolean().optional(),
  isAnalyzed: z.boolean().optional(),
  isForced: z.boolean().optional(),
});
const chargebackSchema = z.strictObject({ status: z.enum(CHARGEBACK_STATUSES) });
const clockSchema = z.strictObject({ advanceMs: z.int().min(0) });

/** What commands the box, over plain HTTP on this machine: payers pay, the clock moves, faults are ordered. */
export function startAdmin(box: AsaasBox, port: number) {
  return startBoxAdmin({ page: () => adminPage(box), act: (...command) => act(box, ...command) }, port);
}

function act(box: AsaasBox, name: string, id: string, body: unknown): unknown {
  switch (name) {
    case 'GET state':
      return stateOf(box);
    case 'POST pay':
      return { paid: box.books.pay(id, paySchema.parse(body)) };
    case 'POST card':
      return { paid: box.books.payByCard(id, cardSchema.parse(body)) };
    case 'POST reprove':
      box.books.reprove(id);
      return { ok: true };
    case 'POST chargeback':
      return { done: box.books.chargeBack(id, chargebackSchema.parse(body).status) };
    case 'POST clock':
      box.books.advance(clockSchema.parse(body).advanceMs);
      return { now: box.books.now() };
    case 'GET faults':
      return { happened: Object.fromEntries(box.faults.happened) };
    case 'POST faults':
      if (id === 'clear') box.faults.clear();
      else box.faults.order(body);
      return { ok: true };
    default:
      return null;
  }
}

function stateOf({ books, queue }: AsaasBox) {
  return {
    now: books.now(),
    balance: books.balance,
    payments: [...books.payments.values()],
    transfers: [...books.transfers.values()],
    stops: queue.stops,
    webhooks: [...queue.webhooks.values()].map(({ id, url, interrupted }) => ({
      id,
      url,
      interrupted,
      waiting: queue.waitingFor(id),
    })),
  };
}
