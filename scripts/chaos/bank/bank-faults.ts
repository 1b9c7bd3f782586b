import type { Chance } from '../../../test/support/chance.ts';
import type { Fault } from '../../psp/faults.ts';
import type { BankDoor } from './door.ts';

interface BankFault {
  readonly weight: number;
  readonly fault: Fault;
  /** The requests that the fault may strike. Default: all. */
  readonly on?: readonly string[];
}

const MOST_TIMES = 4;

/** Faults that the run orders from the bank, how often each occurs, and for which requests. */
export const BANK_FAULTS: Readonly<Record<string, BankFault>> = {
  'answer lost': {
    weight: 4,
    fault: { kind: 'DROP_AFTER_EFFECT' },
    on: ['PUT cob', 'PATCH cob', 'PUT refund', 'PUT transfer'],
  },
  'no answer': {
    weight: 2,
    fault: { kind: 'HANG_AFTER_EFFECT' },
    on: ['PUT cob', 'PUT refund', 'PUT transfer'],
  },
  'busy, and says for how long': {
    weight: 2,
    fault: { kind: 'STATUS', status: 429, retryAfterSeconds: 2 },
    on: ['PUT cob', 'GET pix', 'PUT refund', 'POST token'],
  },
  busy: { weight: 2, fault: { kind: 'STATUS', status: 429 }, on: ['PUT cob', 'GET pixs', 'GET refund'] },
  'out of service': { weight: 3, fault: { kind: 'STATUS', status: 503 } },
  'out of service, and says for how long': {
    weight: 2,
    fault: { kind: 'STATUS', status: 503, retryAfterSeconds: 3 },
  },
  'tokens end': { weight: 3, fault: { kind: 'EXPIRE_TOKENS' } },
  'paid without a payment': { weight: 2, fault: { kind: 'CONCLUDED_WITHOUT_PIX' }, on: ['GET cob'] },
  'an unknown status': {
    weight: 1,
    fault: { kind: 'UNKNOWN_STATUS', value: 'SUSPENSA' },
    on: ['GET cob', 'PATCH cob'],
  },
  'refund fails': { weight: 3, fault: { kind: 'REFUND_FAILS' }, on: ['PUT refund'] },
  'refund hangs': { weight: 3, fault: { kind: 'REFUND_HANGS' }, on: ['PUT refund'] },
  'notification lost': { weight: 4, fault: { kind: 'LOSE_WEBHOOKS' }, on: ['webhook'] },
  'notification ten times': { weight: 3, fault: { kind: 'REPEAT_WEBHOOKS' }, on: ['webhook'] },
};

/** Orders one of them for some of the next requests. */
export async function orderFault(door: BankDoor, { fault, on }: BankFault, chance: Chance): Promise<void> {
  const times = chance.between(1, MOST_TIMES);
  await door.order({ fault, times, ...(on && { on: chance.oneOf(on) }) });
}

/** Ends all faults, and every refund that waits: two of three arrive. */
export async function clearBank(door: BankDoor, chance: Chance): Promise<void> {
  await door.clearFaults();
  const { payments } = await door.state();
  for (const payment of Object.values(payments))
    for (const refund of payment.refunds)
      if (refund.status === 'EM_PROCESSAMENTO')
        await door.settle(payment, refund, chance.isIn(67) ? 'DEVOLVIDO' : 'NAO_REALIZADO');
}
