import { expect, it } from '@jest/globals';
import { runCli } from '../../src/cli/run.ts';
import { loadConfig } from '../../src/config.ts';
import type { WorkerBuild } from '../../src/temporal/worker-builds.ts';
import { dataOf } from '../support/api/api-client.ts';
import { startWebhookSink } from '../support/outside/webhook-sink.ts';
import { buildPixCharge, buildWebhook } from '../support/rows/build.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { allPaidOnce, talliesOf } from '../support/waiting/tallies.ts';

/** Runs a command of the operator. @returns what it printed. @throws with what it complained of. */
async function cli({ env }: Deployment, ...args: string[]): Promise<string> {
  const out: string[] = [];
  const errors: string[] = [];
  const print = (line: string) => void out.push(line);
  const code = await runCli(args, { env, print, printError: (line) => void errors.push(line) });
  if (code !== 0) throw new Error(errors.join('\n'));
  return out.join('\n');
}

async function builds(deployment: Deployment): Promise<Record<string, WorkerBuild>> {
  const listed: WorkerBuild[] = JSON.parse(await cli(deployment, 'builds', 'list', '--json'));
  return Object.fromEntries(listed.map((build) => [build.buildId, build]));
}

/** A worker is known to the server some moments after it is ready. */
function makeCurrent(deployment: Deployment, build: string): Promise<string> {
  return eventually(() => cli(deployment, 'builds', 'make-current', build));
}

interface Delivery {
  readonly id: string;
}

/** Which build did the last task of a delivery's run. */
async function lastBuildOf({ temporal }: Deployment, deliveryId: string): Promise<string | undefined> {
  const { raw } = await temporal.workflow.getHandle(`delivery/${deliveryId}`).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
}

/** Ties a delivery's run to a build, as an operator may. */
async function pin({ temporal, env }: Deployment, deliveryId: string, buildId: string): Promise<void> {
  await temporal.workflowService.updateWorkflowExecutionOptions({
    namespace: 'default',
    workflowExecution: { workflowId: `delivery/${deliveryId}` },
    workflowExecutionOptions: {
      versioningOverride: {
        pinned: { behavior: 1, version: { deploymentName: String(env.TEMPORAL_TASK_QUEUE), buildId } },
      },
    },
    updateMask: { paths: ['versioning_override'] },
  });
}

it('moves runs of an old build to the new one before the old one is stopped', async () => {
  await using deployment = await createDeployment();
  // Workers of a build wait until it is current; the first worker has no build.
  const [{ api }, before, old] = await Promise.all([
    deployment.startApi(),
    deployment.startWorker(),
    deployment.startWorker({ WORKER_BUILD_ID: 'old' }),
    deployment.startWorker({ WORKER_BUILD_ID: 'new' }),
  ]);
  await using sink = await startWebhookSink();
  const [failing, asleep, ...others] = [
    await buildPixCharge(api),
    await buildPixCharge(api),
    await buildPixCharge(api),
    await buildPixCharge(api),
  ];
  const failures = new Set([failing.id]);
  const answer = Promise.withResolvers<number>();
  const endpoint = sink.endpoint((_, { body }) => {
    return [...failures].some((id) => body.includes(id)) ? 500 : answer.promise;
  });
  await buildWebhook(api, { endpoint: endpoint.url });
  const deliveries = async () => dataOf<Delivery[]>(await api.get('/v2/webhooks/deliveries'));
  /** Pays the charge and waits for its webhook. @returns the id of the delivery. */
  const pay = async ({ id }: { readonly id: string }) => {
    const known = new Set((await deliveries()).map((delivery) => delivery.id));
    const paid = dataOf(await api.post(`/v2/transparents/simulate-payment?id=${id}`));
    expect(paid).toMatchObject({ status: 'PAID' });
    await endpoint.waitFor((received) => received.some(({ body }) => body.includes(id)));
    const [added] = (await deliveries()).filter((delivery) => !known.has(delivery.id));
    return String(added?.id);
  };
  const resend = async (id: string) => dataOf(await api.post('/v2/webhooks/resend', { id }));

  // The first build continues the run that a worker without a build id has started.
  const first = await pay(failing);
  await eventually(async () => expect(await deliveries()).toMatchObject([{ attempts: [{}] }]));
  await makeCurrent(deployment, 'old');
  await before.terminate();
  await resend(first);
  await eventually(async () => expect(await lastBuildOf(deployment, first)).toBe('old'));

  // Two deliveries are in the middle of an attempt when a new build arrives; one is pinned to the old build.
  const [second = '', third = ''] = [await pay(others[0]), await pay(others[1])];
  await pin(deployment, third, 'old');
  await eventually(() => cli(deployment, 'builds', 'ramp', 'new', '100'));
  expect(await builds(deployment)).toMatchObject({
    new: { state: 'RAMPING', percent: 100 },
    old: { state: 'CURRENT' },
  });
  await makeCurrent(deployment, 'new');
  await eventually(async () =>
    expect(await builds(deployment)).toMatchObject({
      new: { state: 'CURRENT', mayStop: false },
      old: { state: 'PAST', pinnedRuns: 1, mayStop: false },
    }),
  );
  answer.resolve(200);
  await eventually(async () => {
    expect(await lastBuildOf(deployment, second)).toBe('new');
    expect(await builds(deployment)).toMatchObject({ old: { pinnedRuns: 0, mayStop: true } });
  });
  expect(await lastBuildOf(deployment, third)).toBe('old');

  await old.terminate();
  failures.clear();
  await resend(first);
  const fourth = await pay(asleep);
  await eventually(async () => {
    expect(await talliesOf(deployment.database)).toEqual(allPaidOnce(4));
    for (const id of [first, fourth]) expect(await lastBuildOf(deployment, id)).toBe('new');
  });
});

it.each([
  [{ WORKER_BUILD_ID: "o'clock" }, 'WORKER_BUILD_ID: must be letters, digits, dots, hyphens and underscores'],
  [{ WORKER_BUILD_ID: '1', TEMPORAL_TASK_QUEUE: 'a.b' }, 'TEMPORAL_TASK_QUEUE: must not contain a dot'],
])('refuses %p, which Temporal would not accept, naming the valid form', (env, refusal) => {
  expect(() => loadConfig({ DATABASE_URL: 'postgres://127.0.0.1/recebe', ...env })).toThrow(refusal);
});

it('refuses to make a build current while a kind of work has no worker of that build', async () => {
  await using deployment = await createDeployment();
  expect(await cli(deployment, 'builds', 'list')).toBe(
    'No worker with a WORKER_BUILD_ID has been started yet.',
  );
  const refusal = 'No worker of build half does billing, deliveries, dev yet';
  await deployment.startWorker({ WORKER_BUILD_ID: 'half' }, ['--queues', 'payments']);
  await eventually(() => expect(cli(deployment, 'builds', 'make-current', 'half')).rejects.toThrow(refusal));
  await deployment.startWorker({ WORKER_BUILD_ID: 'half' }, ['--queues', 'billing,deliveries,dev']);
  expect(await makeCurrent(deployment, 'half')).toBe('Build half is current.');
  expect(await cli(deployment, 'builds', 'list')).toMatch(/half +current +0 +0 +are needed/);
  await expect(cli(deployment, 'builds', 'make-current', '--unversioned')).rejects.toThrow(
    'No worker without a build id does payments, billing, deliveries, dev yet',
  );
});
