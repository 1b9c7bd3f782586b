/**
 * What the service must do with money, written down a second time and as simply as possible: one operation
 * after the other, no database, no ledger. Balances are not kept but computed from what has become of each
 * payment and payout.
 */
export type Operation =
  | {
      readonly do: 'createPix';
      readonly amountCents: number;
      readonly expiresInS: number;
      /** The part of the payment, without its fee, that a seller receives; absent for none. */
      readonly sharePercent?: number;
      readonly seller?: Seller;
    }
  | { readonly do: 'createBoleto'; readonly amountCents: number }
  /** A checkout that is created and paid, or not: the declined card leaves it open. */
  | {
      readonly do: 'buy';
      readonly method: 'CARD' | 'PIX';
      readonly quantity: number;
      readonly isDeclined: boolean;
      /** In three installments, which the card's network pays one by one. Only cards that are worth it can. */
      readonly isInParts?: boolean;
    }
  | { readonly do: ChargeAction; readonly charge: number }
  | { readonly do: 'payout'; readonly amountCents: number }
  | { readonly do: 'transfer'; readonly amountCents: number; readonly fails: boolean }
  /** A seller withdraws money. The second one has no PIX key, so its withdrawals fail. */
  | { readonly do: 'withdraw'; readonly amountCents: number; readonly seller: Seller }
  /** Has whatever payouts and transfers are under way end. */
  | { readonly do: 'finishPayouts' }
  | { readonly do: 'wait'; readonly ms: number };

/** The sub-accounts of a store. */
export type Seller = 0 | 1;
export const SELLERS: readonly Seller[] = [0, 1];

export type ChargeAction =
  | 'pay'
  | 'cancel'
  | 'refund'
  | 'refundPart'
  | 'openDispute'
  /** The whole payment is disputed, whatever refunds have left of it. */
  | 'disputeAll'
  | 'winDispute'
  | 'loseDispute';

type ChargeStatus = 'PENDING' | 'PAID' | 'EXPIRED' | 'CANCELLED' | 'FAILED' | 'UNDER_DISPUTE' | 'REFUNDED';

export interface ModelCharge {
  readonly method: 'PIX' | 'BOLETO' | 'CARD';
  readonly isBought: boolean;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly status: ChargeStatus;
  readonly closesAtMs: number;
  readonly settlesAtMs: number | null;
  /** What the store gets of each installment; one unless they settle one by one. */
  readonly parts: readonly { readonly settlesAtMs: number; readonly netCents: number }[];
  /** Whether there is a refund of all that was left. */
  readonly isRefunded: boolean;
  /** What is back with the payer, and the fee that went back to the store with it. */
  readonly backCents: number;
  readonly backFeeCents: number;
  readonly dispute: 'OPEN' | 'WON' | 'LOST' | null;
  /** What the open dispute has taken beyond what was left, and what lost ones have. */
  readonly excessCents: number;
  readonly lostExcessCents: number;
  readonly seller: Seller;
  /** What the seller receives of the payment, and what it has given back. */
  readonly shareCents: number;
  readonly shareBackCents: number;
}

interface ModelPayout {
  readonly kind: 'payout' | 'transfer';
  /** Whose money it is; null for the store's. */
  readonly seller: Seller | null;
  readonly amountCents: number;
  readonly fails: boolean;
  readonly status: 'PENDING' | 'COMPLETE' | 'FAILED';
}

/** All of a store; never changed, only replaced. */
export interface Money {
  readonly nowMs: number;
  readonly charges: readonly ModelCharge[];
  readonly payouts: readonly ModelPayout[];
  readonly lastPayoutAtMs: number;
  readonly events: readonly string[];
}

/** What the operation answers: `ok`, or the code of the refusal. */
export interface Outcome {
  readonly money: Money;
  readonly answer: string;
}

/** The price of the one product that is sold. */
export const PRODUCT_CENTS = 1_900;
/** A payout of exactly this amount fails in dev mode. */
const FAILING_PAYOUT_CENTS = 40_404;

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;
/** São Paulo has no daylight saving time any more. */
const SAO_PAULO_MS = -3 * 60 * 60 * SECOND_MS;
/** Between two payouts of a store. */
export const PAYOUT_INTERVAL_MS = 60 * SECOND_MS;
/** A PIX code of a checkout lives for half an hour. */
const CHECKOUT_PIX_MS = 30 * 60 * SECOND_MS;

/** Where a model begins: a Monday morning with Easter, Tiradentes and Labour Day ahead. */
export const BEGINNING_MS = Date.UTC(2026, 2, 30, 13, 0, 0);
/** Bank holidays after {@link BEGINNING_MS}, as far as a sequence gets. */
const HOLIDAYS = ['2026-04-03', '2026-04-21', '2026-05-01', '2026-06-04', '2026-09-07', '2026-10-12'];
/** After which {@link HOLIDAYS} says nothing. */
const END_MS = Date.UTC(2026, 9, 25);

export function emptyMoney(nowMs: number): Money {
  return { nowMs, charges: [], payouts: [], lastPayoutAtMs: Number.NEGATIVE_INFINITY, events: [] };
}

/**
 * What a look at the service must show. Charges are in the order of creation; payouts and events, which may
 * come at once, in none.
 */
export function viewOf({ nowMs, charges, payouts, events }: Money) {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const held = charges.filter(({ status }) => status === 'PAID');
  const sent = payouts.filter(({ status, seller }) => status !== 'FAILED' && seller === null);
  const blocked = charges.filter(({ status }) => status === 'UNDER_DISPUTE');
  return {
    balance: {
      available:
        sum(held.map((charge) => netOf(charge) - pendingOf(charge, nowMs))) -
        sum(sent.map(({ amountCents }) => amountCents)) -
        sum(charges.map(heldShareOf)) -
        sum(charges.map(({ excessCents, lostExcessCents }) => excessCents + lostExcessCents)),
      pending: sum(held.map((charge) => pendingOf(charge, nowMs))),
      blocked: sum(blocked.map(({ amountCents, backCents }) => amountCents - backCents)),
    },
    sellers: SELLERS.map((seller) => sellerCentsOf({ charges, payouts }, seller)),
    charges: charges.map(({ status, backCents }) => `${status}, ${backCents} back`),
    checkouts: charges.filter(({ isBought }) => isBought).map(checkoutStatusOf),
    payouts: payouts.map(({ kind, amountCents, status }) => `${kind} ${amountCents} ${status}`).toSorted(),
    events: events.toSorted(),
  };
}
export type View = ReturnType<typeof viewOf>;

/** What the seller has of a charge: its share once it is paid, less what it gave back. */
function heldShareOf({ status, shareCents, shareBackCents }: ModelCharge): number {
  const wasPaid = status === 'PAID' || status === 'UNDER_DISPUTE' || status === 'REFUNDED';
  return wasPaid ? shareCents - shareBackCents : 0;
}

function sellerCentsOf({ charges, payouts }: Pick<Money, 'charges' | 'payouts'>, of: Seller): number {
  const received = charges.filter(({ seller }) => seller === of).map(heldShareOf);
  const sent = payouts.filter(({ seller, status }) => seller === of && status !== 'FAILED');
  return [...received, ...sent.map(({ amountCents }) => -amountCents)].reduce((sum, cents) => sum + cents, 0);
}

/** After a refund or dispute of a charge: the seller's part of everything that was taken is back, as far as it has money. */
function followed(money: Money, index: number): Money {
  const charge = money.charges[index];
  if (charge === undefined) return money;
  const { status, amountCents, backCents, shareCents, shareBackCents, seller } = charge;
  const takenCents = status === 'UNDER_DISPUTE' ? amountCents : backCents;
  const dueCents = Math.floor((shareCents * takenCents) / amountCents) - shareBackCents;
  const cents = Math.min(dueCents, sellerCentsOf(money, seller));
  return change(money, index, { shareBackCents: shareBackCents + cents });
}

/** The next instant at which something happens by itself, or null. */
export function nextDueMs({ nowMs, charges }: Money): number | null {
  const instants = charges
    .flatMap(({ status, closesAtMs, settlesAtMs, parts }) =>
      status === 'PENDING' ? [closesAtMs] : [settlesAtMs, ...parts.map((part) => part.settlesAtMs)],
    )
    .filter((instant) => instant !== null && instant > nowMs && instant < END_MS);
  return instants.length === 0 ? null : Math.min(...(instants as number[]));
}

/** Whether the clock may be moved by that much without leaving the model's calendar. */
export function canWait({ nowMs }: Money, ms: number): boolean {
  return nowMs + ms < END_MS;
}

/** The same at another time, before anything is due. */
export function at(money: Money, nowMs: number): Money {
  return { ...money, nowMs };
}

/** One operation on the store as it is. */
export function apply(money: Money, operation: Operation): Outcome {
  switch (operation.do) {
    case 'createPix': {
      const closesAtMs = money.nowMs + operation.expiresInS * SECOND_MS;
      return ok(
        withCharge(money, {
          ...NEW,
          ...{ method: 'PIX', feeCents: 80, closesAtMs, ...amountOf(operation) },
          ...{ seller: operation.seller ?? 0, shareCents: shareCentsOf(operation) },
        }),
      );
    }
    case 'createBoleto': {
      // Due in three business days, and payable to the end of that day.
      const closesAtMs = midnightOf(businessDaysAfter(dayOf(money.nowMs), 3) + 1);
      return ok(
        withCharge(money, { ...NEW, method: 'BOLETO', feeCents: 250, closesAtMs, ...amountOf(operation) }),
      );
    }
    case 'buy':
      return buy(money, operation);
    case 'payout':
    case 'transfer':
    case 'withdraw':
      return send(money, operation);
    case 'finishPayouts':
      return ok(finishPayouts(money));
    case 'wait':
      return ok(closeOverdue({ ...money, nowMs: money.nowMs + operation.ms }));
    default:
      return act(money, operation.do, operation.charge);
  }
}

const NEW = {
  isBought: false,
  status: 'PENDING',
  settlesAtMs: null,
  parts: [],
  isRefunded: false,
  backCents: 0,
  backFeeCents: 0,
  dispute: null,
  excessCents: 0,
  lostExcessCents: 0,
  seller: 0,
  shareCents: 0,
  shareBackCents: 0,
} as const;

/** What a PIX charge gives to its seller. */
export function shareCentsOf({
  amountCents,
  sharePercent = 0,
}: {
  readonly amountCents: number;
  readonly sharePercent?: number;
}): number {
  return Math.max(0, Math.floor(((amountCents - 80) * sharePercent) / 100));
}

function amountOf({ amountCents }: { readonly amountCents: number }) {
  return { amountCents };
}

function withCharge(money: Money, charge: ModelCharge): Money {
  return { ...money, charges: [...money.charges, charge] };
}

/** Of at least R$ 10.00 each. */
export const INSTALLMENTS = 3;

/** Whether a purchase is paid in installments that settle one by one. */
export function settlesInParts({ method, quantity, isInParts = false }: Operation & { do: 'buy' }): boolean {
  return isInParts && method === 'CARD' && quantity * PRODUCT_CENTS >= INSTALLMENTS * 1_000;
}

function buy(money: Money, operation: Operation & { do: 'buy' }): Outcome {
  const { method, quantity, isDeclined } = operation;
  const amountCents = quantity * PRODUCT_CENTS;
  // 3.5 % and 60 cents, half a cent up.
  const feeCents = method === 'PIX' ? 80 : 60 + Math.floor((amountCents * 35 + 500) / 1_000);
  const closesAtMs = money.nowMs + CHECKOUT_PIX_MS;
  const charge: ModelCharge = { ...NEW, isBought: true, method, amountCents, feeCents, closesAtMs };
  if (isDeclined && method === 'CARD')
    return { money: withCharge(money, { ...charge, status: 'FAILED' }), answer: 'CARD_DECLINED' };
  const index = money.charges.length;
  const taken = take(withCharge(money, charge), index);
  if (!settlesInParts(operation)) return ok(taken);
  return ok(change(taken, index, { parts: partsOf(charge, money.nowMs) }));
}

function act(money: Money, action: ChargeAction, index: number): Outcome {
  const charge = money.charges[index];
  if (charge === undefined) throw new Error(`there is no charge ${index}`);
  const { status, dispute, method } = charge;
  switch (action) {
    case 'pay':
      if (status === 'PAID') return ok(money);
      return status === 'PENDING' ? ok(take(money, index)) : refused(money, 'INVALID_STATE');
    case 'cancel':
      if (status === 'CANCELLED') return ok(money);
      return status === 'PENDING'
        ? ok(change(money, index, { status: 'CANCELLED' }))
        : refused(money, 'INVALID_STATE');
    case 'refund':
      return refund(money, charge, index);
    case 'refundPart':
      return refundPart(money, charge, index);
    case 'openDispute':
      if (dispute === 'OPEN') return ok(money);
      if (status !== 'PAID') return refused(money, 'INVALID_STATE');
      return ok(
        followed(change(money, index, { status: 'UNDER_DISPUTE', dispute: 'OPEN' }, 'disputed'), index),
      );
    case 'disputeAll': {
      if (dispute === 'OPEN') return ok(money);
      if (status !== 'PAID' && status !== 'REFUNDED') return refused(money, 'INVALID_STATE');
      const during = status === 'PAID' ? 'UNDER_DISPUTE' : status;
      // Money that the payer has back is taken again.
      const taken = { excessCents: charge.backCents };
      const disputed = change(money, index, { status: during, dispute: 'OPEN', ...taken }, 'disputed');
      return ok(status === 'PAID' ? followed(disputed, index) : disputed);
    }
    case 'winDispute': {
      if (dispute === 'WON') return ok(money);
      if (dispute !== 'OPEN') return refused(money, 'INVALID_STATE');
      const after = status === 'UNDER_DISPUTE' ? 'PAID' : status;
      const won = change(money, index, { status: after, dispute: 'WON', excessCents: 0 }, 'won');
      return ok(status === 'UNDER_DISPUTE' ? followed(won, index) : won);
    }
    case 'loseDispute': {
      if (dispute === 'LOST') return ok(money);
      if (dispute !== 'OPEN') return refused(money, 'INVALID_STATE');
      const { amountCents: backCents, excessCents } = charge;
      const gone = { excessCents: 0, lostExcessCents: charge.lostExcessCents + excessCents };
      return ok(change(money, index, { status: 'REFUNDED', dispute: 'LOST', backCents, ...gone }, 'lost'));
    }
    default:
      throw new Error(`${action satisfies never} of ${method}`);
  }
}

function refund(money: Money, charge: ModelCharge, index: number): Outcome {
  if (charge.isRefunded) return ok(money);
  const leftCents = charge.amountCents - charge.backCents;
  const feeCents = charge.feeCents - charge.backFeeCents;
  const { money: after, answer } = sendBack(money, charge, index, leftCents, feeCents);
  return answer === 'ok' ? ok(change(after, index, { isRefunded: true })) : refused(money, answer);
}

/** The amount of a partial refund: two of them fit into a charge, three do not. */
export function partCentsOf({ amountCents }: Pick<ModelCharge, 'amountCents'>): number {
  return Math.ceil((amountCents * 2) / 5);
}

function refundPart(money: Money, charge: ModelCharge, index: number): Outcome {
  const cents = partCentsOf(charge);
  const leftCents = charge.amountCents - charge.backCents;
  const leftFeeCents = charge.feeCents - charge.backFeeCents;
  const share = Math.ceil((charge.feeCents * cents) / charge.amountCents);
  const feeCents = cents === leftCents ? leftFeeCents : Math.min(share, leftFeeCents);
  return sendBack(money, charge, index, cents, feeCents);
}

function sendBack(
  money: Money,
  charge: ModelCharge,
  index: number,
  cents: number,
  feeCents: number,
): Outcome {
  const { method, status, amountCents, settlesAtMs } = charge;
  if (method === 'BOLETO') return refused(money, 'INVALID_METHOD');
  if (status === 'UNDER_DISPUTE') return refused(money, 'TRANSACTION_UNDER_DISPUTE');
  if (status !== 'PAID') return refused(money, 'TRANSACTION_NOT_REFUNDABLE');
  const backCents = charge.backCents + cents;
  if (backCents > amountCents) return refused(money, 'REFUND_EXCEEDS_PAYMENT');
  const back = { backCents, backFeeCents: charge.backFeeCents + feeCents };
  // What is still to settle goes back first. A charge that has settled needs the balance, even for nothing.
  const pendingCents = pendingOf(charge, money.nowMs) - pendingOf({ ...charge, ...back }, money.nowMs);
  const neededCents = cents - feeCents - pendingCents;
  const isSettled =
    Math.max(settlesAtMs ?? 0, ...charge.parts.map((part) => part.settlesAtMs)) <= money.nowMs;
  const after = backCents < amountCents ? status : 'REFUNDED';
  const refunded = followed(change(money, index, { ...back, status: after }, 'refunded'), index);
  const givenCents = (refunded.charges[index]?.shareBackCents ?? 0) - charge.shareBackCents;
  if ((isSettled || neededCents > 0) && viewOf(money).balance.available + givenCents < neededCents)
    return refused(money, 'INSUFFICIENT_FUNDS');
  return ok(refunded);
}

function send(money: Money, operation: Operation & { do: 'payout' | 'transfer' | 'withdraw' }): Outcome {
  const { amountCents } = operation;
  const kind = operation.do === 'withdraw' ? 'transfer' : operation.do;
  const seller = operation.do === 'withdraw' ? operation.seller : null;
  if (kind === 'payout' && money.lastPayoutAtMs + PAYOUT_INTERVAL_MS > money.nowMs)
    return refused(money, 'TOO_MANY_PAYOUTS');
  const ownCents = seller === null ? viewOf(money).balance.available : sellerCentsOf(money, seller);
  if (ownCents < amountCents) return refused(money, 'INSUFFICIENT_FUNDS');
  const fails = failsOf(operation);
  return ok({
    ...money,
    payouts: [...money.payouts, { kind, seller, amountCents, fails, status: 'PENDING' }],
    lastPayoutAtMs: kind === 'payout' ? money.nowMs : money.lastPayoutAtMs,
  });
}

function failsOf(operation: Operation & { do: 'payout' | 'transfer' | 'withdraw' }): boolean {
  if (operation.do === 'withdraw') return operation.seller === 1;
  return operation.do === 'payout' ? operation.amountCents === FAILING_PAYOUT_CENTS : operation.fails;
}

function finishPayouts(money: Money): Money {
  const ended = money.payouts.filter(({ status }) => status === 'PENDING');
  return {
    ...money,
    payouts: money.payouts.map((payout) =>
      payout.status === 'PENDING' ? { ...payout, status: payout.fails ? 'FAILED' : 'COMPLETE' } : payout,
    ),
    events: [...money.events, ...ended.map(({ kind, fails }) => `${kind}.${fails ? 'failed' : 'completed'}`)],
  };
}

function closeOverdue(money: Money): Money {
  const charges = money.charges.map((charge) =>
    charge.status === 'PENDING' && charge.closesAtMs <= money.nowMs
      ? { ...charge, status: 'EXPIRED' as const }
      : charge,
  );
  return { ...money, charges };
}

function take(money: Money, index: number): Money {
  const settlesAtMs = settlesAt(money.charges[index]?.method, money.nowMs);
  return change(money, index, { status: 'PAID', settlesAtMs }, 'completed');
}

function change(money: Money, index: number, changes: Partial<ModelCharge>, event?: string): Money {
  const charges = money.charges.map((charge, at) => (at === index ? { ...charge, ...changes } : charge));
  const about = charges[index]?.isBought ? 'checkout' : 'transparent';
  return { ...money, charges, events: event ? [...money.events, `${about}.${event}`] : money.events };
}

function netOf({ amountCents, feeCents, backCents, backFeeCents }: ModelCharge): number {
  return amountCents - feeCents - (backCents - backFeeCents);
}

/** What has not settled, less what has gone back, which it pays for first. */
function pendingOf(charge: ModelCharge, nowMs: number): number {
  const { settlesAtMs, parts, backCents, backFeeCents } = charge;
  if (parts.length === 0) return (settlesAtMs ?? 0) <= nowMs ? 0 : netOf(charge);
  const waiting = parts.filter((part) => part.settlesAtMs > nowMs);
  const waitingCents = waiting.reduce((total, { netCents }) => total + netCents, 0);
  return Math.max(0, waitingCents - (backCents - backFeeCents));
}

/** Each installment thirty days after the one before, with the fee of what was paid so far less that of what was before. */
function partsOf({ amountCents, feeCents }: ModelCharge, paidAtMs: number): ModelCharge['parts'] {
  const each = Math.floor(amountCents / INSTALLMENTS);
  const feeUpTo = (paidCents: number) => Math.floor((feeCents * paidCents) / amountCents);
  const firstCents = amountCents - each * (INSTALLMENTS - 1);
  return Array.from({ length: INSTALLMENTS }, (_, index) => {
    const upTo = firstCents + index * each;
    const cents = index === 0 ? firstCents : each;
    const netCents = cents - (feeUpTo(upTo) - feeUpTo(upTo - cents));
    return { settlesAtMs: midnightOf(dayOf(paidAtMs) + 30 * (index + 1)), netCents };
  });
}

function checkoutStatusOf({ status }: ModelCharge): string {
  // A dispute leaves the checkout as it is.
  if (status === 'FAILED') return 'PENDING';
  return status === 'UNDER_DISPUTE' ? 'PAID' : status;
}

function ok(money: Money): Outcome {
  return { money, answer: 'ok' };
}

function refused(money: Money, answer: string): Outcome {
  return { money, answer };
}

function settlesAt(method: ModelCharge['method'] | undefined, paidAtMs: number): number {
  if (method === 'BOLETO') return midnightOf(businessDaysAfter(dayOf(paidAtMs), 1));
  return method === 'CARD' ? midnightOf(dayOf(paidAtMs) + 30) : paidAtMs;
}

/** Days in São Paulo are counted from 1 January 1970. */
function dayOf(instantMs: number): number {
  return Math.floor((instantMs + SAO_PAULO_MS) / DAY_MS);
}

function midnightOf(day: number): number {
  return day * DAY_MS - SAO_PAULO_MS;
}

function businessDaysAfter(day: number, count: number): number {
  let [at, left] = [day, count];
  while (left > 0) {
    at += 1;
    const date = new Date(at * DAY_MS);
    const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
    if (!isWeekend && !HOLIDAYS.includes(date.toISOString().slice(0, 10))) left -= 1;
  }
  return at;
}
