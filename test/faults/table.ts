import { FAULT_KINDS, type Fault, type FaultKind, FITS } from '../../scripts/psp/faults/kinds.ts';
import { OPERATIONS, type Operation } from '../../scripts/psp/faults/operations.ts';
import type { Ordered } from '../../scripts/psp/faults.ts';

/** What happens to the worker during a scenario, in words for titles. */
export const WORKER_STATES = {
  /** It works all the time. */
  ALIVE: 'a worker that keeps running',
  /**
   * Each kind of provider call kills it twice: once before the request, and once after the answer and before anything
   * of it is stored.
   */
  KILLED: 'a worker killed before and after the effect',
  /** No worker runs for three days after the first failure. */
  AWAY: 'workers that are away for three days',
} as const;
export type WorkerState = keyof typeof WORKER_STATES;

const MANDATES = 'test/providers/mandates.test.ts plays their faults';

const DUE_CHARGES = 'test/providers/bacen-due-pix.test.ts plays their faults';

/** Operations that the scenario never uses, and why. */
const UNUSED: Readonly<Partial<Record<Operation, string>>> = {
  'POST cob': 'the adapter names every charge itself (PUT)',
  'GET cobs': 'payments are listed, not charges',
  'PUT cobv': DUE_CHARGES,
  'GET cobv': DUE_CHARGES,
  'PATCH cobv': DUE_CHARGES,
  'GET cobvs': DUE_CHARGES,
  'POST rec': MANDATES,
  'GET rec': MANDATES,
  'PATCH rec': MANDATES,
  'GET recs': MANDATES,
  'POST locrec': MANDATES,
  'PUT cobr': MANDATES,
  'GET cobr': MANDATES,
  'PATCH cobr': MANDATES,
  'GET cobrs': MANDATES,
  'POST retry': MANDATES,
  'PUT webhook': 'an operator registers the address by hand, and sees the failure',
  'GET webhook': 'the adapter never reads the address back',
  'DELETE webhook': 'the adapter never removes the address',
  'GET webhooks': 'the adapter never lists addresses',
};

/** What the store and its payers do in the scenario, in this order. */
const STEPS_IN_ORDER = [
  'PAID',
  'PAID_TWICE',
  'ANOTHER_PAID',
  'REFUND',
  'PAYOUT',
  'PAID_BEFORE_CANCELLED',
  'UNPAID',
] as const;
/** `PAYEE_CODE` is played only if a row names it, as only its order differs from `PAYOUT`. */
export type ScenarioStep = (typeof STEPS_IN_ORDER)[number] | 'PAYEE_CODE';

const ISSUED_AND_CLOSED = ['PAID', 'PAID_BEFORE_CANCELLED', 'UNPAID'] as const;
const LOOKED_UP_AND_RETURNED = ['PAID', 'PAID_TWICE', 'REFUND'] as const;
const SENT = ['PAID', 'PAYOUT'] as const;

/** Steps that use an operation: only these are played with its faults. An operation that is missing here plays all. */
const ASKED_IN: Readonly<Partial<Record<Operation, readonly ScenarioStep[]>>> = {
  'PUT cob': ISSUED_AND_CLOSED,
  'GET cob': ISSUED_AND_CLOSED,
  'PATCH cob': ISSUED_AND_CLOSED,
  'GET pix': LOOKED_UP_AND_RETURNED,
  'PUT refund': LOOKED_UP_AND_RETURNED,
  'GET refund': LOOKED_UP_AND_RETURNED,
  'PUT transfer': SENT,
  'PUT qrcode': ['PAID', 'PAYEE_CODE'],
  'GET transfer': SENT,
};

/** Six attempts in a row fail, which takes minutes for an order and half an hour for lists. */
const FOR_A_WHILE = { times: 6 } as const;
/** Two attempts in a row fail, so that one retry is not enough. */
const TWICE = { times: 2 } as const;

/** One way in which a fault is ordered. */
interface Way extends Omit<Ordered, 'fault' | 'on'> {
  readonly fault: Omit<Fault, 'kind'>;
  /** Other faults that are needed for this one to happen. */
  readonly beside?: (operation: Operation) => readonly Ordered[];
}

/** Loses the answer of an order, and look-ups do not find it for ten minutes, so that it is ordered twice. */
const ordersTwice = (operation: Operation): readonly Ordered[] => [
  { fault: { kind: 'DROP_AFTER_EFFECT' }, on: operation, times: 1 },
  {
    fault: { kind: 'LOOKUPS_LAG', seconds: 600 },
    on: operation === 'PUT qrcode' ? 'GET transfer' : (operation.replace(/^PUT/, 'GET') as Operation),
    times: 'ALWAYS',
  },
];
/** Loses notifications, so that Recebe closes the charge without knowing of its payment. */
const withoutWebhooks = (): readonly Ordered[] => [{ fault: { kind: 'LOSE_WEBHOOKS' }, times: 'ALWAYS' }];

/** How each fault is ordered. A kind that is missing here does not compile. */
const WAYS: Readonly<Record<FaultKind, readonly Way[]>> = {
  DELAY: [{ fault: { ms: 20 }, ...TWICE }],
  DROP_BEFORE_EFFECT: [{ fault: {}, ...TWICE }],
  DROP_AFTER_EFFECT: [{ fault: {}, ...TWICE }],
  HANG_BEFORE_EFFECT: [{ fault: {} }],
  HANG_AFTER_EFFECT: [{ fault: {} }],
  STATUS: [
    { fault: { status: 503 }, ...FOR_A_WHILE },
    { fault: { status: 429, retryAfterSeconds: 7 }, ...TWICE },
    { fault: { status: 500 }, ...TWICE },
  ],
  EXPIRE_TOKENS: [{ fault: {} }],
  MALFORMED_ANSWER: [{ fault: {}, ...TWICE }],
  REFUSE_DUPLICATES: [
    { fault: { status: 400 }, times: 'ALWAYS', beside: ordersTwice },
    { fault: { status: 409 }, times: 'ALWAYS', beside: ordersTwice },
  ],
  LOOKUPS_LAG: [
    { fault: { seconds: 30 }, times: 'ALWAYS' },
    { fault: { seconds: 1_800 }, times: 'ALWAYS' },
  ],
  LISTINGS_LAG: [{ fault: { seconds: 1_200 }, times: 'ALWAYS' }],
  LISTINGS_REPEAT: [{ fault: {}, times: 'ALWAYS' }],
  LISTINGS_OMIT: [{ fault: { part: 1 }, times: 'ALWAYS' }],
  MALFORMED_ITEMS: [{ fault: { part: 1 }, times: 'ALWAYS' }],
  SHORTEN_EXPIRY: [{ fault: { seconds: 300 }, times: 'ALWAYS' }],
  REMOVE_CHARGE: [{ fault: {} }, { fault: { afterSeconds: 30 }, times: 'ALWAYS' }],
  UNKNOWN_STATUS: [{ fault: { value: 'AGENDADA' }, ...TWICE }],
  CONCLUDED_WITHOUT_PIX: [{ fault: {}, ...TWICE, beside: withoutWebhooks }],
  PAID_WHILE_REMOVED: [{ fault: {} }],
  REFUSE_REMOVAL: [{ fault: {}, ...TWICE }],
  REFUND_FAILS: [{ fault: {} }],
  REFUND_HANGS: [{ fault: {} }],
  TRANSFER_FAILS: [{ fault: {} }],
  TRANSFER_COMES_BACK: [{ fault: { afterSeconds: 3_600 } }, { fault: { part: 0.3, afterSeconds: 3_600 } }],
  LOSE_WEBHOOKS: [{ fault: {}, times: 'ALWAYS' }],
  REPEAT_WEBHOOKS: [{ fault: { copies: 5 }, times: 'ALWAYS' }],
  REORDER_WEBHOOKS: [{ fault: {}, times: 3 }],
  REPEAT_WEBHOOKS_FOR: [{ fault: { hours: 12, everySeconds: 600 }, times: 'ALWAYS' }],
  REFUND_AT_BANK: [{ fault: { part: 0.3 }, times: 'ALWAYS' }, { fault: { afterSeconds: 600 } }],
  MED_AT_BANK: [{ fault: { part: 0.3 } }, { fault: { natureza: 'MED_DE_AMANHA', afterSeconds: 600 } }],
};

/** A row of the table: an operation and one way of a fault. */
export interface Row {
  readonly title: string;
  readonly operation: Operation;
  readonly steps: readonly ScenarioStep[];
  readonly rules: readonly [Ordered, ...Ordered[]];
}

/** Why a pair has no row, or null if it has one. */
export function whyExcluded(operation: Operation, kind: FaultKind): string | null {
  const unused = UNUSED[operation];
  if (unused !== undefined) return unused;
  return FITS[kind].includes(operation) ? null : `${kind} cannot happen to ${operation}`;
}

/** Every used operation × every fault that can happen to it, in each of its ways. */
export function allRows(): readonly Row[] {
  return OPERATIONS.flatMap((operation) =>
    FAULT_KINDS.filter((kind) => whyExcluded(operation, kind) === null).flatMap((kind) =>
      WAYS[kind].map(({ fault, beside, ...when }) => {
        const details = Object.values(fault).join(' ');
        return {
          title: `${operation}: ${kind}${details === '' ? '' : ` ${details}`}`,
          operation,
          steps: ASKED_IN[operation] ?? STEPS_IN_ORDER,
          rules: [
            { fault: { kind, ...fault } as Fault, on: operation, ...when },
            ...(beside?.(operation) ?? []),
          ],
        };
      }),
    ),
  );
}
