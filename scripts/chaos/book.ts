import {
  apply,
  at,
  type ChargeAction,
  emptyMoney,
  type ModelCharge,
  type Money,
  type Seller,
} from '../../test/model/money.model.ts';
import type { Answer } from './integrator.ts';

/**
 * What the clients know from their answers, and therefore the expected final state. The model of the money says what each
 * answer means. If answers leave a doubt, there are several possible final states.
 */
export class Book {
  readonly charges: KnownCharge[] = [];
  readonly checkouts: KnownCheckout[] = [];
  readonly subscriptions: KnownSubscription[] = [];
  /** Ids of changes of plan. */
  readonly planChanges: string[] = [];
  readonly payouts: KnownPayout[] = [];
  readonly coupons: KnownCoupon[] = [];
  /** External ids of payouts that were refused after a try without an answer. They may still be carried out. */
  readonly refusedInDoubt = new Set<string>();
  /** Answers that contradict every order of the requests, and scenarios that did not end. */
  readonly contradictions: string[] = [];
}

export interface KnownCheckout {
  readonly id: string;
  readonly isLink: boolean;
  /** PAID and REFUNDED follow from its payment. */
  readonly end: 'CANCELLED' | KnownCharge;
}

export interface KnownSubscription {
  readonly id: string;
  readonly checkoutId: string;
  readonly amountCents: number;
  readonly feeCents: number;
  /** Payments after the first one. Null if a cancellation came at any time between them. */
  readonly renewals: number | null;
  readonly status: 'ACTIVE' | 'CANCELLED';
  readonly failedAttempts: number;
}

export interface KnownPayout {
  readonly id: string;
  readonly kind: 'payout' | 'transfer';
  /** The owner of the money; null for the store. */
  readonly seller: Seller | null;
  readonly amountCents: number;
  readonly fails: boolean;
}

export interface KnownCoupon {
  readonly code: string;
  readonly maxRedeems: number;
  readonly redeems: number;
}

/** A payment or a possible payment, with its possible final states. */
export class KnownCharge {
  readonly id: string;
  /** The event of its payment. */
  readonly completedAs: 'transparent.completed' | 'checkout.completed' | 'subscription.completed';
  #possible: readonly Money[];

  constructor(id: string, completedAs: KnownCharge['completedAs'], money: Money) {
    this.id = id;
    this.completedAs = completedAs;
    this.#possible = [money];
  }

  get possible(): readonly Money[] {
    return this.#possible;
  }

  /**
   * Applies the answers to concurrent actions to the model. @returns false if the model gives these answers in
   * no order.
   */
  learn(actions: readonly ChargeAction[], answers: readonly Answer<unknown>[]): boolean {
    const done = actions
      .map((action, index) => ({ action, code: answers[index]?.code }))
      // The answer depends on the rest of the store's balance, and changes nothing.
      .filter(({ code }) => code !== 'INSUFFICIENT_FUNDS');
    const orders = [done, done.toReversed()];
    const next = this.#possible.flatMap((money) => orders.flatMap((order) => inOrder(money, order) ?? []));
    if (next.length === 0) return false;
    const each = new Map(next.map((money) => [JSON.stringify({ ...money, nowMs: 0 }), money]));
    this.#possible = [...each.values()];
    return true;
  }

  /** Applies the deadline of the charge, whether or not it was paid before. */
  expires({ perhapsPaid }: { readonly perhapsPaid: boolean }): void {
    const expired = (money: Money) => apply(money, { do: 'wait', ms: 365 * 86_400_000 }).money;
    const paid = (money: Money) => apply(money, { do: 'pay', charge: 0 }).money;
    this.#possible = this.#possible.flatMap((money) => [
      expired(money),
      ...(perhapsPaid ? [paid(money)] : []),
    ]);
  }
}

function inOrder(
  money: Money,
  order: readonly { action: ChargeAction; code: string | undefined }[],
): Money | null {
  let after = at(money, Date.now());
  for (const { action, code } of order) {
    const outcome = apply(after, { do: action, charge: 0 });
    if (outcome.answer !== code) return null;
    after = outcome.money;
  }
  return after;
}

/** The platform fee, implemented a second time: 3.5 % and 60 cents of a card payment, half a cent up. */
export function feeOf(method: 'PIX' | 'BOLETO' | 'CARD', amountCents: number): number {
  return { PIX: 80, BOLETO: 250, CARD: 60 + Math.floor((amountCents * 35 + 500) / 1_000) }[method];
}

/** A successful payment of a checkout. */
export function paidThroughCheckout(method: 'PIX' | 'CARD', amountCents: number): Money {
  const nowMs = Date.now();
  const charge: ModelCharge = {
    method,
    isBought: true,
    amountCents,
    feeCents: feeOf(method, amountCents),
    status: 'PAID',
    closesAtMs: nowMs,
    settlesAtMs: method === 'PIX' ? nowMs : nowMs + 30 * 86_400_000,
    parts: [],
    isRefunded: false,
    backCents: 0,
    excessCents: 0,
    lostExcessCents: 0,
    seller: 0,
    shareCents: 0,
    shareBackCents: 0,
    backFeeCents: 0,
    dispute: null,
  };
  return { ...emptyMoney(nowMs), charges: [charge], events: ['checkout.completed'] };
}
