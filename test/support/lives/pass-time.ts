import { setTimeout as delay } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { WorkflowWorld } from './workflow-world.ts';

const LOOK_EVERY_MS = 20;
/** Of what has nothing under way for so long, nothing is to come before time passes. */
const AT_REST_MS = 1_000;

/**
 * Lets time pass although something waits for a worker, for which the clock of the time-skipping server stands still:
 * each such thing holds a lock on it. They are taken away until the time has passed, and given back.
 */
export async function passTime(environment: TestWorkflowEnvironment, ms: number): Promise<void> {
  const { testService } = environment.connection;
  if (testService === undefined) throw new Error('no time passes by itself here');
  const endsMs = (await environment.currentTimeMs()) + ms;
  let hasPassed = false;
  const passing = environment.sleep(ms).finally(() => {
    hasPassed = true;
  });
  let locks = 0;
  // The sleep must be known first: the server counts wrongly where its queue of timers is empty and nothing holds it.
  await delay(LOOK_EVERY_MS);
  while (!hasPassed && (await environment.currentTimeMs()) < endsMs) {
    const wasLocked = await testService.unlockTimeSkipping({}).then(
      () => true,
      () => false,
    );
    if (wasLocked) locks += 1;
    await delay(LOOK_EVERY_MS);
  }
  for (; locks > 0; locks -= 1) await testService.lockTimeSkipping({});
  await passing;
}

/**
 * Sleeps, once there are workers again. A lock that its holder wanted to give back while it was taken away is one too
 * many from then on, and time passes only as it does outside. So whenever nobody has had anything to do for a moment,
 * one is taken away, until the sleep has ended.
 */
export async function sleepOutLocks(
  { environment, workers }: Pick<WorkflowWorld, 'environment' | 'workers'>,
  sleep: Promise<unknown>,
): Promise<void> {
  let hasPassed = false;
  const passing = sleep.finally(() => {
    hasPassed = true;
  });
  for (let restsMs = 0; !hasPassed; await delay(LOOK_EVERY_MS)) {
    restsMs = workers.isAtRest() ? restsMs + LOOK_EVERY_MS : 0;
    if (restsMs < AT_REST_MS) continue;
    await environment.connection.testService?.unlockTimeSkipping({});
    restsMs = 0;
  }
  await passing;
}
