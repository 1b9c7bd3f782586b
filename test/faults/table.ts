import { FAULT_KINDS, type Fault, type FaultKind, FITS } from '../../scripts/psp/faults/kinds.ts';
import { OPERATIONS, type Operation } from '../../scripts/psp/faults/operations.ts';
import type { Ordered } from '../../scripts/psp/faults.ts';

/** What happens to the process that works on it. */
export const WORKER_STATES = {
  /** It works all the time. */
  ALIVE: 'a worker that lives on',
  /**
   * Each call to the provider kills it twice: the first before anything is asked, and the second when the answer is there
   * and nothing of it is stored.
   */
  KILLED: 'a worker killed before and after the effect',
  /** From the first failure on no worker runs for three days. */
  AWAY: 'workers that are away for three days',
} as const;
export type WorkerState = keyof typeof WORKER_STATES;

/** Operations that the adapter never asks of a bank, and why. */
const UNUSED: Readonly<Partial<Record<Operation, string>>> = {
  'POST cob': 'the adapter names every charge itself (PUT)',
  'GET cobs': 'payments are listed, not charges',
  'PUT cobv': 'the adapter issues no charges with a due date',
  'GET cobv': 'the adapter issues no charges with a due date',
  'PATCH cobv': 'the adapter issues no charges with a due date',
  'GET cobvs': 'the adapter issues no charges with a due date',
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
/** `PAYEE_CODE` is played only where it is named: it differs from `PAYOUT` in the order alone. */
export type ScenarioStep = (typeof STEPS_IN_ORDER)[number] | 'PAYEE_CODE';

const ISSUED_AND_CLOSED = ['PAID', 'PAID_BEFORE_CANCELLED', 'UNPAID'] as const;
const LOOKED_UP_AND_RETURNED = ['PAID', 'PAID_TWICE', 'REFUND'] as const;
const SENT = ['PAID', 'PAYOUT'] as const;

/** Only the chapters in which an operation is asked for are played with its faults; all of them where it is missing here. */
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

/** Six attempts in a row fail: minutes for an order, half an hour for lists. */
const FOR_A_WHILE = { times: 6 } as const;
/** Two attempts in a row fail, so that looking again does not mend it at once. */
const TWICE = { times: 2 } as const;

/** One way in which a fault is ordered. */
interface Way extends Omit<Ordered, 'fault' | 'on'> {
  readonly fault: Omit<Fault, 'kind'>;
  /** What must go wrong with it, as the fault would never be met alone. */
  readonly beside?: (operation: Operation) => readonly Ordered[];
}

/** The answer of an order is lost twice, and the look-up that comes first does not know it for long. */
const ordersTwice = (operation: Operation): readonly Ordered[] => [
  { fault: { kind: 'DROP_AFTER_EFFECT' }, on: operation, times: 1 },
  {
    fault: { kind: 'LOOKUPS_LAG', seconds: 600 },
    on: operation === 'PUT qrcode' ? 'GET transfer' : (operation.replace(/^PUT/, 'GET') as Operation),
    times: 'ALWAYS',
  },
];
/** Recebe receives no notification of a payment before it closes the charge. */
const unheard = (): readonly Ordered[] => [{ fault: { kind: 'LOSE_WEBHOOKS' }, times: 'ALWAYS' }];

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
  CONCLUDED_WITHOUT_PIX: [{ fault: {}, ...TWICE, beside: unheard }],
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

/** One row of the table: a fault of an operation, in one of its ways. */
export interface Row {
  readonly title: string;
  readonly operation: Operation;
  readonly steps: readonly ScenarioStep[];
  readonly rules: readonly [Ordered, ...Ordered[]];
}

/** Why a pair is no row; null where it is one. */
export function whyExcluded(operation: Operation, kind: FaultKind): string | null {
  const unused = UNUSED[operation];
  if (unused !== undefined) return unused;
  return FITS[kind].includes(operation) ? null : `${kind} cannot happen to ${operation}`;
}

/** Every operation that is used × every fault that can happen to it, in each of its ways. */
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
