import { Chance } from '../../../test/support/chance.ts';
import type { FaultPlan, Ordered } from '../../psp/faults.ts';

const STREAM = 2_001;
const ORDERS = ['PUT cob', 'PATCH cob', 'PUT refund', 'PUT transfer'];
const LISTINGS = ['GET pixs', 'GET transfers'];
const LOOKUPS = ['GET cob', 'GET pix', 'GET refund', 'GET transfer'];

const always = (rule: Ordered): Ordered => ({ times: 'ALWAYS', ...rule });

/** The share of all operations. */
const percent = (chance: Chance, least: number, most: number) => chance.between(least, most) / 100;

/**
 * Faults of the bank that last as long as faults are injected, drawn from the seed: it is slow, loses requests, and its
 * answers lag and contradict each other. bank-faults.ts has the faults that happen once.
 */
export function bankFaultPlan(seed: number): FaultPlan {
  const chance = new Chance(seed, STREAM);
  const rules: readonly Ordered[] = [
    { fault: { kind: 'DELAY', ms: chance.between(100, 1_500) }, chance: percent(chance, 2, 8) },
    { fault: { kind: 'DROP_BEFORE_EFFECT' }, on: ORDERS, chance: percent(chance, 1, 5) },
    { fault: { kind: 'HANG_BEFORE_EFFECT' }, on: ORDERS, times: chance.between(1, 5), chance: 0.02 },
    { fault: { kind: 'MALFORMED_ANSWER' }, on: [...ORDERS, ...LOOKUPS], chance: percent(chance, 1, 3) },
    { fault: { kind: 'REFUSE_DUPLICATES', status: chance.oneOf([400, 409] as const) } },
    {
      fault: { kind: 'LOOKUPS_LAG', seconds: chance.between(1, 10) },
      on: LOOKUPS,
      chance: percent(chance, 10, 50),
    },
    {
      fault: { kind: 'LISTINGS_LAG', seconds: chance.between(5, 60) },
      on: LISTINGS,
      chance: percent(chance, 20, 60),
    },
    { fault: { kind: 'LISTINGS_REPEAT' }, on: LISTINGS, chance: 0.2 },
    { fault: { kind: 'LISTINGS_OMIT', part: 0.3 }, on: 'GET pixs', chance: 0.3 },
    ...sentPixComeBack(chance),
    { fault: { kind: 'REORDER_WEBHOOKS' }, chance: percent(chance, 5, 20) },
    { fault: { kind: 'REPEAT_WEBHOOKS_FOR', hours: 0.01, everySeconds: 5 }, chance: percent(chance, 1, 5) },
  ];
  return { seed, rules: rules.map(always) } as FaultPlan;
}

/** The plan of a bank without faults: payees' banks return some of the Pix that it sent. */
export function returnsFaultPlan(seed: number): FaultPlan {
  return { seed, rules: sentPixComeBack(new Chance(seed, STREAM)).map(always) } as FaultPlan;
}

/** Returns the full amount or a part, within seconds. */
function sentPixComeBack(chance: Chance): readonly Ordered[] {
  return [1, 0.4].map((part) => ({
    fault: { kind: 'TRANSFER_COMES_BACK', part, afterSeconds: chance.between(0, 10) },
    chance: percent(chance, 20, 40),
  }));
}
