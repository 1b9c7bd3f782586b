import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  apply,
  at,
  type ChargeAction,
  canWait,
  type Money,
  nextDueMs,
  type Operation,
  SELLERS,
  type Seller,
  type View,
  viewOf,
} from './money.model.ts';
import type { MoneyUser } from './money-service.ts';
import { untilStepFits } from './quiet-time.ts';

/** The model that commands pass on, and the operations so far, which a failure prints. */
export interface Scenario {
  money: Money;
  readonly lines: string[];
}

/** An operation before its charge and amount are chosen from what exists. */
type Wish =
  | Exclude<
      Operation,
      { charge: number } | { amountCents: number; do: 'payout' | 'transfer' | 'withdraw' } | { do: 'wait' }
    >
  | { readonly do: ChargeAction; readonly pick: number }
  | { readonly do: 'payout'; readonly amount: Amount }
  | { readonly do: 'transfer'; readonly amount: Amount; readonly fails: boolean }
  | { readonly do: 'withdraw'; readonly amount: Amount; readonly seller: Seller }
  | { readonly do: 'wait'; readonly ms: number | 'until something is due' };

type Amount = number | 'half' | 'all' | 'a cent too much';

/** The smallest payout. */
const MIN_PAYOUT_CENTS = 350;

/**
 * One step of a scenario: one operation, or two at once. The answers to two operations and the state after
 * them must match one order or the other: nothing in between, nothing lost, nothing duplicated.
 */
class Step implements fc.AsyncCommand<Scenario, MoneyUser> {
  readonly #wishes: readonly Wish[];
  readonly #finishesPayouts: boolean;

  constructor(wishes: readonly Wish[], finishesPayouts: boolean) {
    this.#wishes = wishes;
    this.#finishesPayouts = finishesPayouts;
  }

  check({ money }: Readonly<Scenario>): boolean {
    const before = apply(money, A_MOMENT).money;
    return this.#wishes.every((wish) => operationOf(before, wish) !== null);
  }

  async run(scenario: Scenario, user: MoneyUser): Promise<void> {
    const { time } = user.service;
    // A little time passes between two steps.
    await (time === null ? untilStepFits(scenario.money) : time.wait(1));
    const before = time === null ? at(scenario.money, Date.now()) : apply(scenario.money, A_MOMENT).money;
    const operations = this.#wishes.flatMap((wish) => operationOf(before, wish) ?? []);
    const answers = await Promise.all(operations.map((operation) => user.do(operation)));
    if (this.#finishesPayouts || time === null) await user.do(FINISH);
    const view = await user.look();
    const line = operations
      .map((each, index) => `${JSON.stringify(each)} → ${answers[index]}`)
      .join('  and  ');
    scenario.lines.push(line);
    const allowed = ordersOf(operations, this.#finishesPayouts, time === null).map((order) =>
      inOrder(before, order),
    );
    const found = allowed.find(
      (outcome) =>
        isDeepStrictEqual(
          operations.map((operation) => outcome.answers.get(operation)),
          answers,
        ) && isDeepStrictEqual(viewOf(outcome.money), view),
    );
    if (found === undefined) throw new Error(contradiction(scenario, operations, allowed, view));
    scenario.money = found.money;
  }

  toString(): string {
    const wishes = this.#wishes.map((wish) => JSON.stringify(wish)).join(' and ');
    return this.#finishesPayouts ? `${wishes}, payouts end` : wishes;
  }
}

const A_MOMENT: Operation = { do: 'wait', ms: 1 };
const FINISH: Operation = { do: 'finishPayouts' };

interface Allowed {
  readonly answers: ReadonlyMap<Operation, string>;
  readonly money: Money;
}

/** Where payouts end by themselves, the first may have ended before the second operation. */
function ordersOf(
  operations: readonly Operation[],
  finishes: boolean,
  endByThemselves: boolean,
): Operation[][] {
  const orders = [operations, operations.toReversed()].slice(0, operations.length);
  const ended = orders.map((order) => (finishes || endByThemselves ? [...order, FINISH] : [...order]));
  if (!endByThemselves || operations.length === 1) return ended;
  return [...ended, ...orders.map((order) => order.flatMap((operation) => [operation, FINISH]))];
}

function inOrder(money: Money, operations: readonly Operation[]): Allowed {
  const answers = new Map<Operation, string>();
  let after = money;
  for (const operation of operations) {
    const outcome = apply(after, operation);
    answers.set(operation, outcome.answer);
    after = outcome.money;
  }
  return { answers, money: after };
}

function contradiction(
  { lines }: Scenario,
  operations: readonly Operation[],
  allowed: readonly Allowed[],
  view: View,
): string {
  const expected = allowed.map(
    ({ answers, money }) =>
      `${operations.map((operation) => answers.get(operation)).join(' and ')}, then ${JSON.stringify(viewOf(money))}`,
  );
  return `The service and the model disagree.
${lines.map((line, index) => `  ${index + 1}. ${line}`).join('\n')}
The service is now: ${JSON.stringify(view)}
The model allows:   ${expected.join('\n                or  ')}`;
}

/** What is wished for, as far as it can be done now; null where there is nothing to do it to. */
function operationOf(money: Money, wish: Wish): Operation | null {
  switch (wish.do) {
    case 'wait': {
      const dueMs = nextDueMs(money);
      const ms = wish.ms === 'until something is due' ? dueMs && dueMs - money.nowMs : wish.ms;
      return ms !== null && canWait(money, ms) ? { do: 'wait', ms } : null;
    }
    case 'payout':
      return { do: 'payout', amountCents: sentCents(viewOf(money).balance.available, wish.amount) };
    case 'transfer':
      return {
        do: 'transfer',
        amountCents: sentCents(viewOf(money).balance.available, wish.amount),
        fails: wish.fails,
      };
    case 'withdraw': {
      const cents = viewOf(money).sellers[wish.seller] ?? 0;
      return { do: 'withdraw', amountCents: sentCents(cents, wish.amount), seller: wish.seller };
    }
    case 'createPix':
    case 'createBoleto':
    case 'buy':
    case 'finishPayouts':
      return wish;
    default:
      return chargeOperation(money, wish.do, wish.pick);
  }
}

/** Three of four picks choose a charge that the action changes, so that most operations are not refused. */
function chargeOperation(money: Money, action: ChargeAction, pick: number): Operation | null {
  const possible = money.charges
    .map((charge, index) => ({ charge, index }))
    // A purchase is paid or declined at once.
    .filter(({ charge }) => !(charge.isBought && (action === 'pay' || action === 'cancel')));
  const apt = possible.filter(({ index }) => {
    const outcome = apply(money, { do: action, charge: index });
    return outcome.money !== money;
  });
  const among = pick % 4 === 3 ? possible : apt;
  const chosen = among[Math.floor(pick / 4) % among.length];
  return chosen === undefined ? null : { do: action, charge: chosen.index };
}

function sentCents(available: number, amount: Amount): number {
  const wished = { half: Math.floor(available / 2), all: available, 'a cent too much': available + 1 };
  return Math.max(MIN_PAYOUT_CENTS, typeof amount === 'number' ? amount : wished[amount]);
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400 * SECOND_MS;

/** Small enough for fees to exceed them, usual ones, and enough for the payout that fails (R$ 404,04). */
const amountCents = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 100 }), weight: 1 },
  { arbitrary: fc.integer({ min: 300, max: 20_000 }), weight: 3 },
  { arbitrary: fc.integer({ min: 40_484, max: 90_000 }), weight: 2 },
);
const sentAmount: fc.Arbitrary<Amount> = fc.oneof(
  fc.constantFrom<Amount[]>('half', 'all', 'a cent too much', 40_404),
  fc.integer({ min: MIN_PAYOUT_CENTS, max: 30_000 }),
);
const pick = fc.nat({ max: 1_000 });

const createPix = fc.record({
  do: fc.constant('createPix' as const),
  amountCents,
  expiresInS: fc.constantFrom(60, 3_600, 86_400, 40 * 86_400),
  sharePercent: fc.constantFrom(0, 30, 70, 100),
  seller: fc.constantFrom(...SELLERS),
});
const createBoleto = fc.record({
  do: fc.constant('createBoleto' as const),
  amountCents: amountCents.map((cents) => Math.max(300, cents)),
});
const buy = fc.record({
  do: fc.constant('buy' as const),
  method: fc.constantFrom('CARD' as const, 'CARD' as const, 'PIX' as const),
  quantity: fc.integer({ min: 1, max: 40 }),
  isDeclined: fc.integer({ min: 0, max: 3 }).map((one) => one === 3),
  isInParts: fc.boolean(),
});
const payout = fc.record({ do: fc.constant('payout' as const), amount: sentAmount });
const transfer = fc.record({
  do: fc.constant('transfer' as const),
  amount: sentAmount,
  fails: fc.integer({ min: 0, max: 2 }).map((one) => one === 2),
});
const withdraw = fc.record({
  do: fc.constant('withdraw' as const),
  amount: sentAmount,
  seller: fc.constantFrom(...SELLERS),
});
const finishPayouts = fc.constant({ do: 'finishPayouts' as const });
const soon = fc.record({
  do: fc.constant('wait' as const),
  ms: fc.constantFrom(61 * SECOND_MS, 3_601 * SECOND_MS, DAY_MS, 4 * DAY_MS, 30 * DAY_MS),
});
const untilDue = fc.constant({ do: 'wait' as const, ms: 'until something is due' as const });
const act = (action: ChargeAction) => fc.record({ do: fc.constant(action), pick });

/** Two operations on one charge. */
const both = (one: ChargeAction, other: ChargeAction) =>
  pick.map((chosen): Wish[] => [
    { do: one, pick: chosen },
    { do: other, pick: chosen },
  ]);

const PAIRS: readonly fc.Arbitrary<Wish[]>[] = [
  both('refund', 'openDispute'),
  both('refund', 'refund'),
  both('refundPart', 'refund'),
  both('refundPart', 'refundPart'),
  both('refundPart', 'openDispute'),
  both('openDispute', 'openDispute'),
  both('refund', 'disputeAll'),
  both('refundPart', 'disputeAll'),
  both('disputeAll', 'disputeAll'),
  both('disputeAll', 'loseDispute'),
  both('disputeAll', 'winDispute'),
  both('disputeAll', 'winDispute'),
  both('winDispute', 'loseDispute'),
  both('pay', 'cancel'),
  both('pay', 'pay'),
  fc.tuple(payout, payout),
  fc.tuple(payout, transfer),
  fc.tuple(transfer, transfer),
  fc.tuple(withdraw, withdraw),
  fc.tuple(withdraw, transfer),
  fc.tuple(act('refund'), withdraw),
  fc.tuple(act('refundPart'), withdraw),
  fc.tuple(act('openDispute'), withdraw),
  fc.tuple(act('refund'), transfer),
  fc.tuple(act('refund'), payout),
  fc.tuple(act('refund'), act('refund')),
  fc.tuple(act('openDispute'), transfer),
];

/**
 * The clock reaches an instant at which charges expire or settle, and another operation changes them at the
 * same moment.
 */
const PAIRS_IN_TIME: readonly fc.Arbitrary<Wish[]>[] = [
  fc.tuple(untilDue, act('refund')),
  fc.tuple(untilDue, act('refundPart')),
  fc.tuple(untilDue, act('openDispute')),
  fc.tuple(untilDue, act('disputeAll')),
  fc.tuple(untilDue, act('winDispute')),
  fc.tuple(untilDue, act('pay')),
  fc.tuple(untilDue, act('cancel')),
  fc.tuple(untilDue, transfer),
];

/** The start of a scenario: a sale, perhaps with its payment. */
export const openingStep: fc.Arbitrary<Step> = fc
  .oneof<fc.WeightedArbitrary<Wish>[]>(
    { arbitrary: createPix, weight: 4 },
    { arbitrary: createBoleto, weight: 1 },
    { arbitrary: buy, weight: 3 },
    { arbitrary: act('pay'), weight: 6 },
  )
  .map((wish) => new Step([wish], false));

/** Steps of a scenario. @param canMoveTime false if the service runs in real time. */
export function stepsOf(canMoveTime: boolean): fc.Arbitrary<Step>[] {
  const single = (wish: fc.Arbitrary<Wish>, weight: number) => ({
    arbitrary: wish.map((one) => [one]),
    weight,
  });
  const wishes = fc.oneof(
    single(createPix, 5),
    single(createBoleto, 2),
    single(buy, 4),
    single(act('pay'), 8),
    single(act('cancel'), 1),
    single(act('refund'), 4),
    single(act('refundPart'), 6),
    single(act('openDispute'), 5),
    single(act('disputeAll'), 9),
    single(act('winDispute'), 11),
    single(act('loseDispute'), 4),
    single(payout, 3),
    single(transfer, 3),
    single(withdraw, 5),
    ...(canMoveTime ? [single(finishPayouts, 2), single(soon, 4), single(untilDue, 5)] : []),
    { arbitrary: fc.oneof(...PAIRS), weight: 8 },
    ...(canMoveTime ? [{ arbitrary: fc.oneof(...PAIRS_IN_TIME), weight: 4 }] : []),
  );
  return [fc.tuple(wishes, fc.boolean()).map(([chosen, finishes]) => new Step(chosen, finishes))];
}
