import type { EphemeralServerExecutable } from '@temporalio/testing';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { addSearchAttributes } from '../../../scripts/embedded/search-attributes.ts';
import { ENDS_WITH_CONNECTION } from './ends-with-connection.ts';
import { lastingPort } from './lasting-port.ts';
import { silenceTemporal } from './silent-temporal.ts';

/**
 * A Temporal server of its own whose clock jumps to the next timer while a workflow's result is awaited (not
 * while an update is). It has our search attributes. It cannot list workflows and has no schedules; its
 * continue-as-new may lose signals, so tests of those run on the real server at RECEBE_TEST_TEMPORAL_ADDRESS.
 * The caller ends it with `teardown()`.
 */
export async function createTimeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const given = process.env.RECEBE_TEST_TIME_SKIPPING_SERVER;
  if (given === undefined)
    throw new Error('the test run has no servers: see WITHOUT_SERVERS in global-setup.ts');
  const executable: EphemeralServerExecutable = JSON.parse(given);
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable, port: await lastingPort() },
    // The default would name this machine in histories that are kept.
    client: { identity: 'test' },
    plugins: [ENDS_WITH_CONNECTION],
  });
  await addSearchAttributes(environment.connection);
  return environment;
}

/**
 * The run's real Temporal server, whose clock nobody moves. It is shared: give each file a task queue of its
 * own. `teardown()` leaves it running.
 */
export function connectToRealServer(): Promise<TestWorkflowEnvironment> {
  const address = process.env.RECEBE_TEST_TEMPORAL_ADDRESS;
  if (address === undefined)
    throw new Error('the test run has no servers: see WITHOUT_SERVERS in global-setup.ts');
  silenceTemporal();
  // The default identity would name this machine in histories that are kept.
  return TestWorkflowEnvironment.createFromExistingServer({
    address,
    client: { identity: 'test' },
    plugins: [ENDS_WITH_CONNECTION],
  });
}
