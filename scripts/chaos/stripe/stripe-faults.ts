import type { Chance } from '../../../test/support/chance.ts';
import type { FaultRule } from '../../psp/box-faults.ts';
import type { StripeDoor } from './stripe-door.ts';

interface StripeFault {
  readonly weight: number;
  readonly fault: FaultRule['fault'];
  /** One of these starts of requests. */
  readonly on: readonly string[];
}

const MOST_TIMES = 4;
/** The first also begins every cancellation of an intent. */
const ORDERS = ['POST /v1/payment_intents', 'POST /v1/refunds', 'POST /v1/customers'];
const LOOK_UPS = ['GET /v1/payment_intents', 'GET /v1/refunds', 'GET /v1/charges', 'GET /v1/disputes'];
const ALL = ['POST /v1/', 'GET /v1/'];

/** What the box does wrong on request, how often each occurs, and for which requests. */
export const STRIPE_FAULTS: Readonly<Record<string, StripeFault>> = {
  'answer lost': { weight: 5, fault: { kind: 'DROP_AFTER_EFFECT' }, on: ORDERS },
  'request lost': { weight: 2, fault: { kind: 'DROP_BEFORE_EFFECT' }, on: [...ORDERS, ...LOOK_UPS] },
  'no answer after the effect': { weight: 2, fault: { kind: 'HANG_AFTER_EFFECT' }, on: ORDERS },
  'no answer': { weight: 1, fault: { kind: 'HANG_BEFORE_EFFECT' }, on: [...ORDERS, ...LOOK_UPS] },
  'busy, and says for how long': {
    weight: 2,
    fault: { kind: 'STATUS', status: 429, retryAfterSeconds: 2 },
    on: ALL,
  },
  busy: { weight: 2, fault: { kind: 'STATUS', status: 429 }, on: ALL },
  'out of service': { weight: 3, fault: { kind: 'STATUS', status: 503 }, on: ALL },
  'internal error': { weight: 2, fault: { kind: 'STATUS', status: 500 }, on: ALL },
  slow: { weight: 3, fault: { kind: 'DELAY', ms: 3_000 }, on: ALL },
  'notification lost': { weight: 4, fault: { kind: 'LOSE_WEBHOOKS' }, on: ['webhook'] },
  'notification five times': { weight: 3, fault: { kind: 'REPEAT_WEBHOOKS', copies: 5 }, on: ['webhook'] },
  'notification after the next one': { weight: 3, fault: { kind: 'REORDER_WEBHOOKS' }, on: ['webhook'] },
};

/** Has one of them happen to some of the next requests. */
export async function orderStripeFault(
  door: StripeDoor,
  { fault, on }: StripeFault,
  chance: Chance,
): Promise<void> {
  await door.order({ on: chance.oneOf(on), fault, times: chance.between(1, MOST_TIMES) });
}
