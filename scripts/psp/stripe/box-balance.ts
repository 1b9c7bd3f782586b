import {
  type Answer,
  createdWithin,
  type Fields,
  type Json,
  type LocalstripeGaps,
  listOf,
} from './localstripe-gaps.ts';

/** Stripe's fee for a domestic card in Brazil: 3.99 % and R$ 0.39. */
const FEE_BASIS_POINTS = 399;
const FIXED_FEE_CENTS = 39;

/** Stripe's books with the shape of its OpenAPI document: what was charged, refunded and disputed. It pays nothing out. */
export class BoxBalance {
  readonly #stripe: LocalstripeGaps;
  readonly #disputes: () => readonly Json[];

  constructor(stripe: LocalstripeGaps, disputes: () => readonly Json[]) {
    this.#stripe = stripe;
    this.#disputes = disputes;
  }

  /** A request of the API; null if it is about something else. */
  async answer(method: string, path: string, fields: Fields): Promise<Answer | null> {
    if (method !== 'GET') return null;
    if (path === '/v1/payouts') return listOf([]);
    if (path !== '/v1/balance_transactions') return null;
    return listOf(createdWithin(await this.#transactions(), fields));
  }

  async #transactions(): Promise<Json[]> {
    const charges = [...(await this.#stripe.all('/v1/charges')), ...this.#stripe.boletoCharges.values()];
    const paid = charges.filter(({ status }) => status === 'succeeded');
    const refunds = await this.#stripe.all('/v1/refunds');
    const disputes = this.#disputes().flatMap((dispute) =>
      (dispute.balance_transactions as Json[]).map((money) => ({ ...money, source: dispute })),
    );
    return [
      ...paid.map((charge) => bookedAs('charge', charge, Number(charge.amount))),
      ...refunds.map((refund) => bookedAs('refund', refund, -Number(refund.amount))),
      ...disputes,
    ];
  }
}

function bookedAs(category: 'charge' | 'refund', source: Json, amount: number): Json {
  const fee = category === 'charge' ? Math.round((amount * FEE_BASIS_POINTS) / 10_000) + FIXED_FEE_CENTS : 0;
  return {
    id: `txn_${source.id}`,
    object: 'balance_transaction',
    ...{ amount, fee, net: amount - fee, currency: 'brl', created: source.created },
    reporting_category: category,
    source,
  };
}
