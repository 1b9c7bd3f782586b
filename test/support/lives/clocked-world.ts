import { beginJourney, findClock } from '../../../src/database/store-clock.ts';
import { firstDue } from '../../../src/temporal/clock/due-rows.ts';
import { ClockJourneys } from '../../../src/temporal/clock/journeys.ts';
import { SILENT_LOG } from '../servers/silent-temporal.ts';
import { connectToRealServer } from '../servers/temporal-servers.ts';
import { eventually } from '../waiting/eventually.ts';
import { sleepUntil } from './subscription-life.ts';
import { createWorkflowWorld, type WorkflowWorld } from './workflow-world.ts';

/** A world, and how time passes in it until everything that is due by an instant has happened. */
export interface PassingWorld extends WorkflowWorld {
  passTo(instant: Date): Promise<void>;
}

/** Two worlds for the same story: in one the server's time is skipped, in the other the store's clock is moved. */
export async function createBothWorlds(): Promise<{ skipped: PassingWorld; moved: PassingWorld }> {
  const skipped = await createWorkflowWorld();
  const moved = await createWorkflowWorld({
    environment: await connectToRealServer(),
    taskQueue: `clock-${crypto.randomUUID()}`,
  });
  return {
    skipped: { ...skipped, passTo: (instant) => skipTo(skipped, instant) },
    moved: { ...moved, passTo: (instant) => moveTo(moved, instant) },
  };
}

async function skipTo(world: WorkflowWorld, instant: Date): Promise<void> {
  await sleepUntil(world, instant);
  await eventually(async () => {
    const [first] = await firstDue(world.database, world.storeId, instant, 1);
    if (first !== undefined && first.dueAt <= instant) throw new Error(`${first.id} is due`);
  });
}

async function moveTo({ client, taskQueue, database, storeId }: WorkflowWorld, target: Date): Promise<void> {
  const real = new Date();
  const clock = await findClock(database, storeId);
  const aheadMs = clock?.aheadMs ?? 0;
  const from = new Date(real.getTime() + aheadMs);
  await beginJourney(database, { storeId, from, target, real, aheadMs });
  await new ClockJourneys(client, taskQueue, SILENT_LOG).begin(storeId);
  await eventually(async () => {
    const moved = await findClock(database, storeId);
    if (moved?.target !== null) throw new Error(`waits for ${moved?.waitsFor}`);
  }, 120_000);
}
