import type { StoreId } from '../domain/ids.ts';
import { type ClockProgress, type StoreClock, storeTime } from '../domain/store-clock.ts';
import type { Database, Em } from './orm.ts';
import { statement } from './statement.ts';

/** The clock of a store's dev environment with its last journey. */
export interface MovedClock extends StoreClock {
  /** Where it was when it was last moved, in the store's time. */
  readonly movedFrom: Date;
  /** When it was last moved, in real time. */
  readonly movedAt: Date;
  readonly steps: number;
  /** Its target while it is moving; null while it runs. */
  readonly target: Date | null;
  readonly waitsFor: string | null;
}

const COLUMNS = `ahead_ms as "aheadMs", stands_at as "standsAt", moved_from as "movedFrom", moved_at as "movedAt",
  steps, target, waits_for as "waitsFor"`;

const READ = statement<{ storeId: StoreId }, MovedClock>(
  'read a store clock',
  () => `select ${COLUMNS} from store_clocks where store_id = :storeId`,
);

/** Null if the clock was never moved. */
export async function findClock(on: Em | Database, storeId: StoreId): Promise<MovedClock | null> {
  const [clock = null] = await READ(on, { storeId });
  return clock;
}

/** The time of a store's environment: real time in production, and if no clock was moved. */
export async function storeTimeOf(
  on: Em | Database,
  { storeId, devMode }: { readonly storeId: StoreId; readonly devMode: boolean },
  real: Date,
): Promise<Date> {
  return devMode ? storeTime(await findClock(on, storeId), real) : real;
}

export function progressOf(clock: MovedClock, real: Date): ClockProgress {
  const { movedFrom, steps, target, waitsFor } = clock;
  return {
    fromMs: movedFrom.getTime(),
    nowMs: storeTime(clock, real).getTime(),
    targetMs: target?.getTime() ?? null,
    steps,
    waitsFor,
  };
}

/**
 * Sends a clock to a target: it stands still from now on. @returns nothing if it is already moving, or was moved
 * meanwhile: `aheadMs` is how far it was ahead when `from` was read.
 */
export const beginJourney = statement<
  { storeId: StoreId; from: Date; target: Date; real: Date; aheadMs: number },
  { storeId: StoreId }
>(
  'begin a journey of a store clock',
  () => `
  insert into store_clocks as clock (store_id, ahead_ms, moved_from, moved_at, steps, stands_at, target)
  values (:storeId, 0, :from, :real, 0, :from, :target)
  on conflict (store_id) do update set
    moved_from = excluded.moved_from, moved_at = excluded.moved_at, steps = 0, stands_at = excluded.stands_at,
    target = excluded.target, waits_for = null
  where clock.target is null and clock.ahead_ms = :aheadMs
  returning store_id as "storeId"`,
);

/** Moves from one instant to the next; does nothing if another process was faster. */
export const stepClock = statement<{ storeId: StoreId; from: Date; to: Date }>(
  'step a store clock',
  () => `
  update store_clocks set stands_at = :to, steps = steps + 1, waits_for = null
  where store_id = :storeId and stands_at = :from and target >= :to`,
);

/** The target is reached: the clock runs on, ahead of real time. */
export const endJourney = statement<{ storeId: StoreId; target: Date; aheadMs: number }>(
  'end a journey of a store clock',
  () => `
  update store_clocks set ahead_ms = greatest(:aheadMs::bigint, 0), stands_at = null, target = null, waits_for = null
  where store_id = :storeId and stands_at = target and target = :target`,
);

/**
 * Ends a journey before its target: the clock runs on from its position. Work that is due there still happens.
 * @returns nothing if the clock is not moving.
 */
export const cancelJourney = statement<{ storeId: StoreId; real: Date }, { storeId: StoreId }>(
  'cancel a journey of a store clock',
  () => `
  update store_clocks set
    ahead_ms = greatest(extract(epoch from stands_at - cast(:real as timestamptz)) * 1000, 0)::bigint,
    stands_at = null, target = null, waits_for = null
  where store_id = :storeId and target is not null returning store_id as "storeId"`,
);

/** Stores what a clock waits for, so that someone who watches it can find the cause. */
export const noteWaiting = statement<{ storeId: StoreId; standsAt: Date; waitsFor: string }>(
  'note what a store clock waits for',
  () => `update store_clocks set waits_for = :waitsFor where store_id = :storeId and stands_at = :standsAt`,
);

/** Back to real time. @returns nothing if it is moving, or was never moved. */
export const resetClock = statement<{ storeId: StoreId }, { storeId: StoreId }>(
  'reset a store clock',
  () =>
    `delete from store_clocks where store_id = :storeId and target is null returning store_id as "storeId"`,
);

/** Clocks that were moved, a page of stores after one. */
export const clocksAfter = statement<
  { after: string; limit: number },
  MovedClock & { readonly storeId: StoreId }
>(
  'read store clocks',
  () => `
  select store_id as "storeId", ${COLUMNS} from store_clocks where store_id > :after order by store_id limit :limit`,
);
