import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { closed, listening } from '../../../scripts/psp/local-server.ts';
import { buildBarCode, digitableLine } from '../../../src/domain/boleto.ts';
import { civilDate } from '../../../src/domain/civil-date.ts';
import { buildBrCode } from '../../../src/domain/pix.ts';

export const API_KEY = '$aact_hmlg_stand_in';

/** What goes wrong with one request that matches. LAG hides the newest payment from the list. */
export type AsaasFault = 'DROP_AFTER_EFFECT' | 'DROP_BEFORE' | 'TOO_MANY' | 'UNAVAILABLE' | 'LAG';

type Row = Record<string, unknown> & { id: string; status: string; deleted: boolean; value: number };
type Refund = { dateCreated: string; status: string; value: number; description: string | null };

/** A stateful stand-in for Asaas, from its OpenAPI document: payments, refunds, customers and webhooks. */
export class AsaasStandIn {
  readonly payments = new Map<string, Row & { refunds: Refund[] }>();
  readonly customers = new Map<string, Record<string, unknown>>();
  readonly webhooks = new Map<string, Record<string, unknown>>();
  readonly transactions = new Map<string, Record<string, unknown>>();
  /** Bodies of the requests that made payments. */
  readonly ordered: Record<string, unknown>[] = [];
  readonly #faults: { on: string; fault: AsaasFault }[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #count = 0;

  async open(): Promise<this> {
    await listening(this.#server, 0);
    return this;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  close(): Promise<void> {
    return closed(this.#server);
  }

  /** The next request such as `POST /v3/payments` meets the fault. */
  order(on: string, fault: AsaasFault): void {
    this.#faults.push({ on, fault });
  }

  /** A payer pays by PIX, or at a bank for another amount. @returns whether the code could be paid. */
  pay(id: string, paid: { readonly reais?: number; readonly atBank?: boolean } = {}): boolean {
    const payment = this.payments.get(id);
    if (payment === undefined || payment.deleted || !['PENDING', 'OVERDUE'].includes(payment.status))
      return false;
    const today = localNow().slice(0, 10);
    if (paid.reais !== undefined && paid.reais !== payment.value)
      Object.assign(payment, {
        originalValue: payment.value,
        interestValue: paid.reais - payment.value,
        value: paid.reais,
      });
    Object.assign(payment, { status: 'RECEIVED', paymentDate: today, clientPaymentDate: today });
    if (paid.atBank === true) return true;
    const transaction = `pix-${id}`;
    payment.pixTransaction = transaction;
    this.transactions.set(transaction, {
      id: transaction,
      endToEndIdentifier: `E19540550${id.slice(4)}`,
      effectiveDate: localNow(),
      externalAccount: { name: 'Ana Souza', cpfCnpj: '***.982.247-**' },
    });
    return true;
  }

  live(externalReference: unknown): string[] {
    const rows = [...this.payments.values()].filter((row) => row.externalReference === externalReference);
    return rows.filter(({ deleted }) => !deleted).map(({ id }) => id);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://asaas');
    const on = `${request.method} ${url.pathname}`;
    const at = this.#faults.findIndex((each) => on.startsWith(each.on));
    const [met] = at < 0 ? [] : this.#faults.splice(at, 1);
    if (met?.fault === 'DROP_BEFORE') return void request.socket.destroy();
    if (met?.fault === 'TOO_MANY') return answer(response, 429, null, { 'retry-after': '1' });
    if (met?.fault === 'UNAVAILABLE') return answer(response, 503, null);
    const body = request.method === 'GET' || request.method === 'DELETE' ? {} : await json(request);
    const [status, said] =
      request.headers.access_token === API_KEY
        ? this.#handle(on, url, body as Record<string, unknown>, met?.fault === 'LAG')
        : [401, refused('invalid_access_token', 'A chave de API fornecida é inválida')];
    if (met?.fault === 'DROP_AFTER_EFFECT') return void request.socket.destroy();
    answer(response, status, said);
  }

  #handle(on: string, url: URL, body: Record<string, unknown>, isLate: boolean): readonly [number, unknown] {
    const [, , kind = '', id = '', part = ''] = url.pathname.split('/');
    if (on === 'GET /v3/payments') return [200, this.#list(url, isLate)];
    if (on === 'POST /v3/payments') return this.#create(body);
    if (kind === 'customers') return this.#customers(on, url, body);
    if (kind === 'webhooks') return this.#webhooks(on, id, body);
    if (kind === 'pix') return found(this.transactions.get(part));
    const payment = this.payments.get(id);
    if (payment === undefined) return [404, null];
    if (part === '' && on.startsWith('GET')) return [200, payment];
    if (part === '' && on.startsWith('DELETE')) return this.#remove(payment);
    if (part === 'refund') return this.#refund(payment, body);
    if (part === 'pixQrCode')
      return [200, { payload: payment.code, expirationDate: `${payment.dueDate} 23:59:59` }];
    if (part === 'identificationField' && payment.billingType === 'BOLETO')
      return [
        200,
        {
          identificationField: digitableLine(String(payment.barCode)),
          barCode: payment.barCode,
          nossoNumero: payment.nossoNumero,
        },
      ];
    return [404, null];
  }

  #list(url: URL, isLate: boolean) {
    const wanted = url.searchParams.get('externalReference');
    // Removed payments are not listed.
    const rows = [...this.payments.values()].filter(
      (row) => row.externalReference === wanted && !row.deleted,
    );
    if (isLate) rows.pop();
    const [offset, limit] = [
      Number(url.searchParams.get('offset') ?? 0),
      Number(url.searchParams.get('limit') ?? 10),
    ];
    return {
      object: 'list',
      hasMore: rows.length > offset + limit,
      totalCount: rows.length,
      limit,
      offset,
      data: rows.slice(offset, offset + limit),
    };
  }

  #create(body: Record<string, unknown>): readonly [number, unknown] {
    this.ordered.push(body);
    const [value, dueDate] = [Number(body.value), String(body.dueDate)];
    if (!this.customers.has(String(body.customer)))
      return [400, refused('invalid_customer', 'Cliente inválido ou não informado.')];
    if (!(value >= (body.billingType === 'BOLETO' ? 5 : 0.01)))
      return [400, refused('invalid_value', 'O valor é menor que o mínimo.')];
    if (dueDate < localNow().slice(0, 10))
      return [400, refused('invalid_dueDate', 'Não é permitido data de vencimento inferior a hoje.')];
    this.#count += 1;
    const id = `pay_${String(this.#count).padStart(16, '0')}`;
    const [amountCents, nossoNumero] = [Math.round(value * 100), String(this.#count)];
    const code = buildBrCode({
      key: 'pix@asaas.example',
      merchantName: 'Loja Azul',
      merchantCity: 'SAO PAULO',
      amountCents,
      txid: id.replace('_', ''),
    });
    const freeField = nossoNumero.padStart(25, '0');
    const barCode = buildBarCode({ bankCode: '461', dueDate: civilDate(dueDate), amountCents, freeField });
    const payment = {
      object: 'payment',
      ...body,
      id,
      value,
      dateCreated: localNow().slice(0, 10),
      status: 'PENDING',
      deleted: false,
      nossoNumero,
      refunds: [],
      code,
      barCode,
    } as Row & { refunds: Refund[] };
    this.payments.set(id, payment);
    return [200, payment];
  }

  #remove(payment: Row): readonly [number, unknown] {
    if (!['PENDING', 'OVERDUE'].includes(payment.status))
      return [400, refused('invalid_action', 'Não é possível remover uma cobrança paga.')];
    payment.deleted = true;
    return [200, { deleted: true, id: payment.id }];
  }

  #refund(payment: Row & { refunds: Refund[] }, body: Record<string, unknown>): readonly [number, unknown] {
    const gone = payment.refunds.reduce((sum, refund) => sum + refund.value, 0);
    const value = Number(body.value ?? payment.value - gone);
    if (payment.status !== 'RECEIVED' || gone + value > payment.value + 1e-9)
      return [400, refused('invalid_action', 'O valor do estorno é maior que o disponível.')];
    payment.refunds.push({
      dateCreated: localNow(),
      status: 'DONE',
      value,
      description: String(body.description ?? '') || null,
    });
    if (Math.abs(gone + value - payment.value) < 1e-9) payment.status = 'REFUNDED';
    return [200, payment];
  }

  #customers(on: string, url: URL, body: Record<string, unknown>): readonly [number, unknown] {
    if (on === 'POST /v3/customers') {
      const id = `cus_${String(this.customers.size + 1).padStart(12, '0')}`;
      this.customers.set(id, { ...body, id, deleted: false });
      return [200, this.customers.get(id)];
    }
    const rows = [...this.customers.values()].filter(
      (row) => row.cpfCnpj === url.searchParams.get('cpfCnpj'),
    );
    return [
      200,
      { object: 'list', hasMore: false, totalCount: rows.length, limit: 10, offset: 0, data: rows },
    ];
  }

  #webhooks(on: string, id: string, body: Record<string, unknown>): readonly [number, unknown] {
    if (on.startsWith('GET'))
      return [200, { object: 'list', hasMore: false, data: [...this.webhooks.values()] }];
    const own = id === '' ? `hook-${this.webhooks.size + 1}` : id;
    this.webhooks.set(own, { ...this.webhooks.get(own), ...body, id: own });
    return [200, this.webhooks.get(own)];
  }
}

const refused = (code: string, description: string) => ({ errors: [{ code, description }] });
const found = (row: unknown): readonly [number, unknown] => (row === undefined ? [404, null] : [200, row]);

function localNow(): string {
  return new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}

function answer(
  response: ServerResponse,
  status: number,
  said: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(said === null ? '' : JSON.stringify(said));
}
