import { isKept, keepHistory } from '../test/replay/histories.ts';
import { SCENARIOS, type Scenario } from '../test/replay/scenarios.ts';
import { createWorkflowFixture } from '../test/support/fixtures/workflow-fixture.ts';
import { startWebhookSink } from '../test/support/outside/webhook-sink.ts';
import { silenceTemporal } from '../test/support/servers/silent-temporal.ts';
import {
  connectToRealServer,
  createTimeSkippingEnvironment,
} from '../test/support/servers/temporal-servers.ts';
import { startTestServers } from '../test/support/servers/test-servers.ts';

/**
 * Records the histories that test/replay replays: `npm run histories`.
 *
 * Walks those scenarios of test/replay/scenarios.ts that have no history yet and writes each one's to
 * test/replay/histories. Add a scenario where a workflow gets a new path, or before a change with `patched()`
 * so that both sides of it are covered, then run this and commit the file.
 *
 * It never writes over a history: one that no longer replays shows that runs in flight would break, and
 * recording it again would hide that. Delete one only where no such run can exist any more.
 */
async function main(): Promise<void> {
  const missing = SCENARIOS.filter(({ name }) => !isKept(name));
  if (missing.length === 0) return say('Every scenario has its history; nothing to do.');
  silenceTemporal();
  const servers = await startTestServers(say);
  try {
    Object.assign(process.env, servers.environment);
    for (const server of ['real', 'time-skipping'] as const) {
      await record(
        missing.filter((scenario) => scenario.server === server),
        server,
      );
    }
  } finally {
    await servers.stop();
  }
}

async function record(scenarios: readonly Scenario[], server: Scenario['server']): Promise<void> {
  if (scenarios.length === 0) return;
  const environment = await (server === 'real' ? connectToRealServer() : createTimeSkippingEnvironment());
  // Histories name their task queue, so it is the service's.
  const fixture = await createWorkflowFixture({ environment, taskQueue: 'recebe' });
  const sink = await startWebhookSink();
  try {
    for (const { name, walk } of scenarios) {
      await keepHistory(name, await walk(fixture, sink));
      say(`recorded ${name} (${server} server)`);
    }
  } finally {
    await fixture.close();
    await sink[Symbol.asyncDispose]();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
