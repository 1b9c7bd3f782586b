import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { type AdvanceDeps, advanceClock } from '../../src/clock/advance.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { beginJourney } from '../../src/database/store-clock.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { taskQueuesOf } from '../../src/temporal/task-queues.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertBoleto } from '../support/rows/charges.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const DAY_MS = 24 * 60 * 60_000;

let base: BareFixture;
beforeAll(async () => {
  base = await createBareFixture();
});
afterAll(() => base.close());

/** What happened, in order, with equal things in a row counted. */
let log: [string, number][];
beforeEach(() => {
  log = [];
  // Time stands still, so that a slow machine neither ends the advance nor wakes a run again.
  jest.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});
function note(what: string): void {
  const last = log.at(-1);
  if (last?.[0] === what) last[1] += 1;
  else log.push([what, 1]);
}

/**
 * Advances the clock of a new store past the day on which its boletos expire.
 * @param onWake what follows when a run is woken, given all that were woken.
 * @param isOver whether a turn is over each time that this is read.
 */
async function advancePast(
  boletos: number,
  onWake: (chargeIds: readonly ChargeId[]) => Promise<unknown>,
  isOver = () => false,
) {
  const fixture = await base.withNewStore();
  const { database, storeId } = fixture;
  const now = await fixture.now();
  const dueDate = saoPauloDateOf(new Date(now.getTime() + 2 * DAY_MS));
  for (let count = 0; count < boletos; count += 1)
    await insertBoleto(fixture, { dueDate, interest: null, fine: null });
  const target = new Date(now.getTime() + 4 * DAY_MS);
  await beginJourney(database, { storeId, from: now, target, real: now, aheadMs: 0 });
  const woken: ChargeId[] = [];
  const signalWithStart = async (_: string, { args }: { args: [{ chargeId: ChargeId }] }) => {
    note('wake');
    woken.push(args[0].chargeId);
    await onWake(woken);
  };
  const take = async () => {
    note('turn');
    return {
      get isOver() {
        const isOverNow = isOver();
        note(isOverNow ? 'over' : 'at work');
        return isOverNow;
      },
      end: () => note('end'),
    };
  };
  const deps: AdvanceDeps = {
    database,
    client: { workflow: { signalWithStart } } as unknown as Client,
    taskQueue: taskQueuesOf('unused'),
    chargeUpdates: {} as AdvanceDeps['chargeUpdates'],
    announce: async () => undefined,
    remind: async () => undefined,
    turns: { join: () => true, leave: () => undefined, take },
    log: SILENT_LOG,
  };
  await advanceClock(deps, storeId, () => undefined);
  return database.em.fork().count(ChargeEntity, { storeId, status: 'EXPIRED' });
}

function expire(chargeIds: readonly ChargeId[]): Promise<number> {
  return base.database.em
    .fork()
    .nativeUpdate(ChargeEntity, { id: { $in: [...chargeIds] } }, { status: 'EXPIRED' });
}

describe('a stop of a clock', () => {
  it('takes a turn for each ten runs that are due at one instant', async () => {
    expect(await advancePast(25, (woken) => expire(woken.slice(-1)))).toBe(25);
    const turnOf = (runs: number) => [
      ['turn', 1],
      ['wake', runs],
      ['end', 1],
    ];
    expect(log.filter(([what]) => what !== 'at work')).toEqual([10, 10, 5].flatMap(turnOf));
  });

  it('wakes no further runs while those of its turn work, until the turn is over', async () => {
    let reads = 0;
    const isOver = () => {
      reads += 1;
      return reads > 3;
    };
    const onLast = async (woken: readonly ChargeId[]) => woken.length === 15 && expire(woken);
    expect(await advancePast(15, onLast, isOver)).toBe(15);
    expect(log).toEqual([
      ['turn', 1],
      ['wake', 10],
      ['at work', 3],
      ['over', 1],
      ['end', 1],
      ['turn', 1],
      ['wake', 5],
      ['end', 1],
    ]);
  });
});
