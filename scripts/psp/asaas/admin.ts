import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ZodError, z } from 'zod';
import { closed, listening } from '../local-server.ts';
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
export async function startAdmin(
  box: AsaasBox,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown, type = 'application/json') => {
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    try {
      if (request.method === 'GET' && request.url === '/') return answer(200, adminPage(box), 'text/html');
      const done = await act(box, request);
      answer(done === null ? 404 : 200, done ?? { error: 'there is no such path' });
    } catch (error) {
      const message = error instanceof ZodError ? z.prettifyError(error) : String(error);
      answer(422, { error: message });
    }
  });
  await listening(server, port);
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => closed(server),
  };
}

/** @returns what to answer; null if nothing is known by this path. */
async function act(box: AsaasBox, request: IncomingMessage): Promise<unknown> {
  const { method = '', url = '' } = request;
  const [, what = '', id = ''] = url.split('/').map(decodeURIComponent);
  const sent = await text(request);
  const body: unknown = sent === '' ? {} : JSON.parse(sent);
  switch (`${method} ${what}`) {
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
    webhooks: [...queue.webhooks.values()].map(({ id, url, interrupted }) => ({
      id,
      url,
      interrupted,
      waiting: queue.waitingFor(id),
    })),
  };
}
