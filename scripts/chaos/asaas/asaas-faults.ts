import type { Chance } from '../../../test/support/chance.ts';
import type { FaultRule } from '../../psp/box-faults.ts';
import type { AsaasDoor } from './asaas-door.ts';

interface AsaasFault {
  readonly weight: number;
  readonly fault: FaultRule['fault'];
  /** Starts of the request lines that the fault may strike. */
  readonly on: readonly string[];
}

const MOST_TIMES = 4;
/** `POST /v3/payments` also begins every order of a refund. */
const ORDERS = ['POST /v3/payments', 'POST /v3/transfers'];
const WRITES = [...ORDERS, 'DELETE /v3/'];
const LOOK_UPS = ['GET /v3/payments', 'GET /v3/transfers', 'GET /v3/customers', 'GET /v3/installments'];

/** Faults that the run orders from the box, how often each occurs, and for which requests. */
export const ASAAS_FAULTS: Readonly<Record<string, AsaasFault>> = {
  'answer lost': { weight: 5, fault: { kind: 'DROP_AFTER_EFFECT' }, on: WRITES },
  'request lost': { weight: 2, fault: { kind: 'DROP_BEFORE_EFFECT' }, on: [...WRITES, ...LOOK_UPS] },
  'no answer after the effect': { weight: 2, fault: { kind: 'HANG_AFTER_EFFECT' }, on: ORDERS },
  'no answer': { weight: 1, fault: { kind: 'HANG_BEFORE_EFFECT' }, on: [...ORDERS, ...LOOK_UPS] },
  'busy, and says for how long': {
    weight: 2,
    fault: { kind: 'STATUS', status: 429, retryAfterSeconds: 2 },
    on: ['POST /v3/', 'GET /v3/'],
  },
  busy: { weight: 2, fault: { kind: 'STATUS', status: 429 }, on: ['POST /v3/', 'GET /v3/', 'DELETE /v3/'] },
  'out of service': {
    weight: 3,
    fault: { kind: 'STATUS', status: 503 },
    on: ['POST /v3/', 'GET /v3/', 'DELETE /v3/'],
  },
  'internal error': { weight: 2, fault: { kind: 'STATUS', status: 500 }, on: ['POST /v3/', 'GET /v3/'] },
  slow: { weight: 3, fault: { kind: 'DELAY', ms: 3_000 }, on: ['POST /v3/', 'GET /v3/', 'DELETE /v3/'] },
  'list lags': {
    weight: 3,
    fault: { kind: 'LISTINGS_LAG', seconds: 5 },
    on: ['GET /v3/payments', 'GET /v3/transfers'],
  },
  'notification lost': { weight: 4, fault: { kind: 'LOSE_WEBHOOKS' }, on: ['webhook'] },
  'notification five times': { weight: 3, fault: { kind: 'REPEAT_WEBHOOKS', copies: 5 }, on: ['webhook'] },
  'notification after the next one': { weight: 3, fault: { kind: 'REORDER_WEBHOOKS' }, on: ['webhook'] },
};

/** Orders one of them for some of the next requests. */
export async function orderAsaasFault(
  door: AsaasDoor,
  { fault, on }: AsaasFault,
  chance: Chance,
): Promise<void> {
  const times = chance.between(1, MOST_TIMES);
  await door.order({ on: chance.oneOf(on), fault, times });
}
