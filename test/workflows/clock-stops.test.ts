import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { type AdvanceDeps, advanceClock } from '../../src/clock/advance.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { ReminderSettingsEntity } from '../../src/database/entities/reminder-settings.ts';
import { beginJourney, cancelJourney } from '../../src/database/store-clock.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { DEFAULT_REMINDER_SETTINGS } from '../../src/domain/reminders.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
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
/** Only tests move it, so that a slow machine neither ends the advance nor wakes a run again. */
let nowMs: number;
beforeEach(() => {
  [log, nowMs] = [[], 0];
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
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
async function advancePast(boletos: number, onWake: Required<Stubs>['onWake'], isOver = () => false) {
  const fixture = await base.withNewStore();
  const { database, storeId } = fixture;
  const now = await fixture.now();
  const dueDate = saoPauloDateOf(new Date(now.getTime() + 2 * DAY_MS));
  for (let count = 0; count < boletos; count += 1)
    await insertBoleto(fixture, { dueDate, interest: null, fine: null });
  await advance(fixture, 4, { onWake, isOver });
  return database.em.fork().count(ChargeEntity, { storeId, status: 'EXPIRED' });
}

/** Advances the clock of a store by some days. */
async function advance(
  { database, storeId, now: nowOf }: BareFixture,
  days: number,
  { onWake = async () => undefined, isOver = () => false, remind = async () => undefined }: Stubs,
): Promise<void> {
  const now = await nowOf();
  const target = new Date(now.getTime() + days * DAY_MS);
  await beginJourney(database, { storeId, from: now, target, real: now, aheadMs: 0 });
  const woken: ChargeId[] = [];
  const signalWithStart = async (_: string, { args }: { args: [{ chargeId: ChargeId }] }) => {
    note('wake');
    woken.push(args[0].chargeId);
    await onWake(woken);
  };
  const take = async () => {
    note('turn');
    let isEnded = false;
    return {
      get isOver() {
        const isOverNow = isOver();
        note(isOverNow ? 'over' : 'at work');
        return isOverNow;
      },
      end: () => {
        if (!isEnded) note('end');
        isEnded = true;
      },
    };
  };
  const deps: AdvanceDeps = {
    database,
    client: { workflow: { signalWithStart } } as unknown as Client,
    taskQueue: taskQueuesOf('unused'),
    chargeUpdates: {} as AdvanceDeps['chargeUpdates'],
    announce: async () => undefined,
    remind,
    sendReminders: async () => note('mail'),
    turns: { join: () => true, leave: () => undefined, take },
    log: SILENT_LOG,
  };
  await advanceClock(deps, storeId, () => undefined);
}

interface Stubs {
  readonly onWake?: (chargeIds: readonly ChargeId[]) => Promise<unknown>;
  readonly isOver?: () => boolean;
  readonly remind?: AdvanceDeps['remind'];
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

  describe('with more reminders than fit into a turn', () => {
    /** Batches of 0.6 s each. @param onBatch what happens after each. */
    async function remindInBatches(
      batches: number,
      onBatch: (of: BareFixture) => Promise<unknown> = async () => undefined,
    ) {
      const fixture = await base.withNewStore();
      const { database, storeId } = fixture;
      const [owner, now] = [{ storeId, devMode: true }, await fixture.now()];
      const settings = { ...DEFAULT_REMINDER_SETTINGS, channel: 'EMAIL', steps: [-5] } as const;
      await database.em.fork().transactional((em) => saveReminderSettings(em, owner, settings, now));
      const dueDate = saoPauloDateOf(new Date(now.getTime() + 10 * DAY_MS));
      await insertBoleto(fixture, { dueDate, interest: null, fine: null });
      let left = batches;
      await advance(fixture, 9, {
        remind: async (_storeId, time, isOver) => {
          for (; left > 0; left -= 1) {
            isOver();
            note('batch');
            nowMs += 600;
            await onBatch(fixture);
          }
          const done = { doneUntil: addDays(saoPauloDateOf(time), 30) };
          await database.em.fork().nativeUpdate(ReminderSettingsEntity, owner, done);
        },
      });
    }

    it('continues them in the next turns', async () => {
      await remindInBatches(5);
      const turnOf = (count: number) => [
        ['turn', 1],
        ['batch', count],
        ['end', 1],
      ];
      const steps = log.filter(([what]) => what !== 'at work' && what !== 'mail');
      expect(steps).toEqual([2, 2, 1].flatMap(turnOf));
    });

    it('waits for the mails after its last turn, while other clocks have theirs', async () => {
      await remindInBatches(3);
      expect(log.slice(-2)).toEqual([
        ['end', 1],
        ['mail', 1],
      ]);
      expect(log.filter(([what]) => what === 'mail')).toEqual([['mail', 1]]);
    });

    it('writes no more of them once the journey is cancelled', async () => {
      await remindInBatches(5, ({ database, storeId }) =>
        cancelJourney(database, { storeId, real: new Date() }),
      );
      expect(log).toContainEqual(['batch', 2]);
      expect(log.filter(([what]) => what === 'turn')).toEqual([['turn', 1]]);
    });
  });
});
