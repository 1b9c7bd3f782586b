import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Context } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Refund } from '../../src/database/entities/refund.ts';
import { chargeUpdates } from '../support/fixtures/charges.ts';
import { chargeWorkflowOf, endOf } from '../support/fixtures/checkouts.ts';
import { paidPix, refund, refundOf, requestRefund } from '../support/fixtures/money.ts';
import { serviceWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** The server's number of the stage in which it has an update that no worker has seen. */
const ADMITTED = 1;

let fixture: WorkflowFixture;
beforeAll(async () => {
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'lasting-activities' });
});
afterAll(() => fixture.close());

const held: (() => void)[] = [];

/** Has refunds that the provider has made wait with its answer, where `isHeld` says so of the activity that asks. */
function holdRefunds(isHeld: (activity: { readonly isLocal: boolean }) => boolean): void {
  fixture.provider.afterNextAnswer('refund', async () => {
    const { isLocal } = Context.current().info;
    // A task that times out on a slow machine asks once more.
    holdRefunds(isHeld);
    if (isHeld({ isLocal })) await new Promise<void>((resolve) => held.push(resolve));
  });
}

function releaseRefunds(): void {
  holdRefunds(() => false);
  for (const release of held.splice(0)) release();
}

/** How many local and how many regular activities a run has recorded. */
async function activitiesOf(workflow: WorkflowHandle) {
  const { events = [] } = await workflow.fetchHistory();
  const local = events?.filter(
    ({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_local_activity',
  );
  const regular = events?.filter((event) => event.activityTaskScheduledEventAttributes != null);
  return { local: local?.length, regular: regular?.length };
}

/** Replays the history. @throws if another worker could not continue the run. */
async function replay(workflow: WorkflowHandle): Promise<void> {
  const workflowBundle = await serviceWorkflows();
  await Worker.runReplayHistory({ workflowBundle }, await workflow.fetchHistory(), workflow.workflowId);
}

describe('a local activity', () => {
  it('continues a slow local activity as a regular one', async () => {
    const charge = await paidPix(fixture);
    const { workflowId } = chargeWorkflowOf(fixture, charge);
    await endOf(fixture, chargeWorkflowOf(fixture, charge));
    let localAttempts = 0;
    holdRefunds(({ isLocal }) => {
      if (isLocal) localAttempts += 1;
      return isLocal;
    });
    const { status, refund: made } = await refund(fixture, charge);
    expect([status, made.status]).toEqual(['REFUNDED', 'COMPLETED']);
    releaseRefunds();
    // A workflow task that times out on a slow machine adds one.
    expect(localAttempts).toBeLessThanOrEqual(2);
    const workflow = fixture.client.workflow.getHandle(workflowId);
    expect(await activitiesOf(workflow)).toEqual({ local: 1, regular: 1 });
    await replay(workflow);
  });

  it('runs a second activity beside a local one as a regular one', async () => {
    const charge = await paidPix(fixture);
    const workflow = chargeWorkflowOf(fixture, charge);
    await endOf(fixture, workflow);
    const refunds = [
      await requestRefund(fixture, charge, 2_000),
      await requestRefund(fixture, charge, 3_000),
    ];
    let asked: readonly Promise<unknown>[] = [];
    await fixture.workers.without(async () => {
      asked = refunds.map(({ id }) => chargeUpdates(fixture).refund(charge, id, null));
      for (const each of refunds) await eventually(() => isAdmitted(workflow, each));
    });
    expect(await Promise.all(asked)).toEqual(['PAID', 'PAID']);
    for (const { id } of refunds) expect(await refundOf(fixture, id)).toMatchObject({ status: 'COMPLETED' });
    const last = fixture.client.workflow.getHandle(workflow.workflowId);
    expect(await activitiesOf(last)).toEqual({ local: 1, regular: 1 });
    await replay(last);
  });

  it('starts no local activity while a regular one of the run is under way', async () => {
    const charge = await paidPix(fixture);
    const workflow = chargeWorkflowOf(fixture, charge);
    await endOf(fixture, workflow);
    const [slow, late] = [
      await requestRefund(fixture, charge, 2_000),
      await requestRefund(fixture, charge, 3_000),
    ];
    const regular = Promise.withResolvers<void>();
    holdRefunds(({ isLocal }) => {
      if (!isLocal) regular.resolve();
      return true;
    });
    const first = chargeUpdates(fixture).refund(charge, slow.id, null);
    await regular.promise;
    holdRefunds(() => false);
    expect(await chargeUpdates(fixture).refund(charge, late.id, null)).toBe('PAID');
    releaseRefunds();
    expect(await first).toBe('PAID');
    const last = fixture.client.workflow.getHandle(workflow.workflowId);
    expect(await activitiesOf(last)).toEqual({ local: 1, regular: 2 });
    await replay(last);
  });
});

/** @throws until the server has the update of this refund. */
async function isAdmitted({ workflowId }: WorkflowHandle, { id }: Refund): Promise<void> {
  const { client } = fixture;
  await client.withDeadline(Date.now() + 5_000, () =>
    client.workflowService.pollWorkflowExecutionUpdate({
      namespace: client.options.namespace,
      updateRef: { workflowExecution: { workflowId }, updateId: `refund/${id}` },
      waitPolicy: { lifecycleStage: ADMITTED },
    }),
  );
}
