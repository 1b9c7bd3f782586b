import { randomUUID } from 'node:crypto';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import type { Database } from '../../src/database/orm.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { UNREGISTERED_CPF } from '../../src/providers/sandbox/sandbox-transfers.ts';
import { type ApiAnswer, type ApiClient, dataOf } from '../support/api/api-client.ts';
import { eventually } from '../support/waiting/eventually.ts';
import {
  type ChargeAction,
  INSTALLMENTS,
  type Operation,
  PRODUCT_CENTS,
  partCentsOf,
  SELLERS,
  type Seller,
  settlesInParts,
  shareCentsOf,
  type View,
} from './money.model.ts';

/**
 * One store of the service, as the model's commands use it: over HTTP, and with a clock that may be movable.
 */
export interface MoneyService {
  readonly storeId: StoreId;
  readonly api: ApiClient;
  readonly database: Database;
  /** Null where time passes by itself only, and payouts end by themselves. */
  readonly time: MovableTime | null;
}

export interface MovableTime {
  /** Moves the clock and has happen what is due by then. */
  wait(ms: number): Promise<void>;
  /** Has the payouts that have been created end. */
  finishPayouts(): Promise<void>;
}

/** Long enough for no charge to expire where nobody can move the clock. */
const LONG_S = 86_400;

/** Each takes as long as the API waits for a workflow. */
const MAX_TRIES = 6;

/** Does operations, and remembers what the service called the things that came of them. */
export class MoneyUser {
  readonly service: MoneyService;
  readonly #charges: { readonly id: string; readonly isBought: boolean; readonly amountCents: number }[] = [];
  readonly #refunds = new Map<string, string>();
  #productId: string | undefined;

  constructor(service: MoneyService) {
    this.service = service;
  }

  /**
   * @returns `ok` or the error's code. @throws where the answer is neither, or contradicts an earlier one.
   */
  async do(operation: Operation): Promise<string> {
    switch (operation.do) {
      case 'createPix': {
        const expiresIn = this.service.time === null ? LONG_S : operation.expiresInS;
        const splits = await this.#splitsOf(operation);
        return this.#create({
          method: 'PIX',
          data: { amount: operation.amountCents, expiresIn, ...(splits.length > 0 && { splits }) },
        });
      }
      case 'createBoleto': {
        const customer = { name: 'Maria Souza', taxId: '529.982.247-25' };
        return this.#create({ method: 'BOLETO', data: { amount: operation.amountCents, customer } });
      }
      case 'buy':
        return this.#buy(operation);
      case 'payout':
        return this.#post('payouts/create', { amount: operation.amountCents, externalId: randomUUID() });
      case 'transfer':
        return this.#post('pix/send', {
          amount: operation.amountCents,
          externalId: randomUUID(),
          pix: { type: 'EMAIL', key: operation.fails ? 'conta-encerrada@example.com' : 'ana@example.com' },
        });
      case 'withdraw':
        return this.#post('sub-accounts/withdraw', {
          id: await this.#sellerId(operation.seller),
          amount: operation.amountCents,
          externalId: randomUUID(),
        });
      case 'finishPayouts':
        await this.#finishPayouts();
        return 'ok';
      case 'wait':
        await this.service.time?.wait(operation.ms);
        return 'ok';
      default:
        return this.#act(operation.do, operation.charge);
    }
  }

  /** The store as it is seen from outside: its balance by the API, all else in what the API reads from. */
  async look(): Promise<View> {
    const { api, database, storeId } = this.service;
    const [store, rows] = await Promise.all([
      api.get('/v2/store/get'),
      database.em.fork().execute<{ readonly seen: Seen }[]>(SEEN, Array(5).fill(storeId)),
    ]);
    const seen = rows[0]?.seen ?? { charges: [], checkouts: [], payouts: [], events: [], sellers: {} };
    const statusOf = new Map(seen.charges.map(({ id, status }) => [id, status]));
    return {
      balance: dataOf<Pick<View, 'balance'>>(store).balance,
      sellers: SELLERS.map((seller) => seen.sellers[TAX_IDS[seller]] ?? 0),
      // One that nobody has created shows as one too many.
      charges: [...new Set([...this.#charges.map(({ id }) => id), ...statusOf.keys()])].map(
        (id) => (statusOf.get(id) ?? 'MISSING') as View['charges'][number],
      ),
      checkouts: seen.checkouts,
      payouts: seen.payouts.toSorted(),
      events: seen.events.toSorted(),
    };
  }

  async #splitsOf(operation: Operation & { do: 'createPix' }): Promise<object[]> {
    const amount = shareCentsOf(operation);
    return amount === 0 ? [] : [{ subAccountId: await this.#sellerId(operation.seller ?? 0), amount }];
  }

  async #sellerId(seller: Seller): Promise<string> {
    const body = { name: TAX_IDS[seller], taxId: TAX_IDS[seller] };
    return dataOf<{ id: string }>(await this.service.api.post('/v2/sub-accounts/create', body)).id;
  }

  async #create(body: Creation): Promise<string> {
    const { id } = dataOf<{ id: string }>(await this.service.api.post('/v2/transparents/create', body));
    this.#charges.push({ id, isBought: false, amountCents: body.data.amount });
    return 'ok';
  }

  async #buy(operation: Operation & { do: 'buy' }): Promise<string> {
    const { method, quantity, isDeclined } = operation;
    const isInParts = settlesInParts(operation);
    const { api } = this.service;
    this.#productId ??= dataOf<{ id: string }>(await api.post('/v2/products/create', PRODUCT)).id;
    const items = [{ id: this.#productId, quantity }];
    const { id } = dataOf<{ id: string }>(
      await api.post('/v2/checkouts/create', {
        items,
        ...(isInParts && { card: { maxInstallments: INSTALLMENTS } }),
      }),
    );
    this.#charges.push({ id, isBought: true, amountCents: quantity * PRODUCT_CENTS });
    const accepted = isInParts ? '4000000000000036' : '4242424242424242';
    const number = isDeclined ? '4000000000000002' : accepted;
    const body = {
      id,
      method,
      ...(method === 'CARD' && { card: { number } }),
      ...(isInParts && { installments: INSTALLMENTS }),
    };
    // Never twice: each is a payment of its own.
    return answerOf(await api.post('/v2/checkouts/simulate-payment', body));
  }

  async #act(action: ChargeAction, index: number): Promise<string> {
    const charge = this.#charges[index] ?? { id: '', isBought: false, amountCents: 0 };
    const { id, isBought } = charge;
    switch (action) {
      case 'pay':
        return this.#post(`transparents/simulate-payment?id=${id}`, {});
      case 'cancel':
        return this.#post('transparents/cancel', { id });
      case 'refund':
        return this.#refund(id, isBought);
      case 'refundPart':
        return this.#post(
          `${isBought ? 'checkouts' : 'transparents'}/refund`,
          {
            id,
            amount: partCentsOf(charge),
          },
          randomUUID(),
        );
      case 'openDispute':
        return this.#post('dev/disputes/open', { id, reason: 'Não reconheço' });
      case 'disputeAll':
        return this.#post('dev/disputes/open', { id, amount: charge.amountCents });
      case 'winDispute':
        return this.#post('dev/disputes/win', { id });
      default:
        return this.#post('dev/disputes/lose', { id });
    }
  }

  async #refund(id: string, isBought: boolean): Promise<string> {
    const answer = await this.#ask(`${isBought ? 'checkouts' : 'transparents'}/refund`, { id });
    if (answer.status !== 200) return answerOf(answer);
    const { refundPublicId } = dataOf<{ refundPublicId: string }>(answer);
    const known = this.#refunds.get(id) ?? refundPublicId;
    this.#refunds.set(id, known);
    return known === refundPublicId ? 'ok' : `${id} has two refunds: ${known} and ${refundPublicId}`;
  }

  async #finishPayouts(): Promise<void> {
    const { time, database, storeId } = this.service;
    if (time !== null) return time.finishPayouts();
    await eventually(async () => {
      if ((await database.em.fork().count(PayoutEntity, { storeId, status: 'PENDING' })) > 0)
        throw new Error('payouts are still pending');
    });
  }

  async #post(path: string, body: object, idempotencyKey?: string): Promise<string> {
    return answerOf(await this.#ask(path, body, idempotencyKey));
  }

  /** Asks again where the machine is too busy for a workflow to answer in time, as the 503 says. */
  async #ask(path: string, body: object, idempotencyKey?: string): Promise<ApiAnswer> {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    for (let tries = 1; ; tries += 1) {
      const answer = await this.service.api.post(`/v2/${path}`, body, { headers });
      if (answer.status !== 503 || tries === MAX_TRIES) return answer;
    }
  }
}

interface Creation {
  readonly method: string;
  readonly data: { readonly amount: number; readonly [field: string]: unknown };
}

function answerOf({ status, json, text }: ApiAnswer): string {
  return status === 200 ? 'ok' : (json.code ?? text);
}

/** The sellers' tax ids, which are also their names: the second one is no PIX key. */
const TAX_IDS = { 0: '52998224725', 1: UNREGISTERED_CPF } as const;

const PRODUCT = { externalId: 'shirt', name: 'Camiseta', price: PRODUCT_CENTS, currency: 'BRL' };

interface Seen extends Pick<View, 'checkouts' | 'payouts' | 'events'> {
  readonly charges: readonly { readonly id: string; readonly status: string }[];
  readonly sellers: Readonly<Record<string, number>>;
}

/**
 * Reads everything in one round trip. A checkout has one charge here, which is shown with the checkout's id.
 * The number of failed refunds is left out: two concurrent requests may share one refund.
 */
const SEEN = `select json_build_object(
    'charges', (select coalesce(json_agg(json_build_object('id', coalesce(checkout_id, id), 'status', status || ', ' || refunded_cents || ' back')), '[]')
      from charges where store_id = ?),
    'checkouts', (select coalesce(json_agg(status order by created_at, id), '[]') from checkouts where store_id = ?),
    'payouts', (select coalesce(json_agg(lower(kind) || ' ' || amount_cents || ' ' || status), '[]')
      from payouts where store_id = ?),
    'sellers', (select coalesce(json_object_agg(name, balance_cents), '{}') from sub_accounts where store_id = ?),
    'events', (select coalesce(json_agg(name), '[]') from events where store_id = ? and name <> 'refund.failed')
  ) as seen`;
