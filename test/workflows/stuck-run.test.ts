import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import type { OpenItem } from '../../src/recovery/page.ts';
import { resume } from '../../src/recovery/resume.ts';
import { endStuckRun } from '../../src/temporal/stuck-run.ts';
import { chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { auditDeps } from '../support/fixtures/audits.ts';
import { chargeUpdates, mustPay } from '../support/fixtures/charges.ts';
import { chargeWorkflowOf, endOf } from '../support/fixtures/checkouts.ts';
import { paidPix, requestRefund } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertPix } from '../support/rows/charges.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** The server's codes for the reason of a failed workflow task. */
const NON_DETERMINISTIC_ERROR = 24;
const UNHANDLED_FAILURE = 23;

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture({
    environment: await connectToRealServer(),
    taskQueue: 'stuck-runs',
  });
});
afterAll(() => fixture.close());

const aCharge = () => `charge/${randomUUID()}`;

/** A run whose first task a worker has failed for this reason. */
async function failedRun(cause: number, workflowId = aCharge()) {
  const { client } = fixture;
  const { namespace } = client.options;
  // No worker of the fixture polls this queue.
  const taskQueue = `nobody-${randomUUID()}`;
  const handle = await client.workflow.start('charge', { workflowId, taskQueue });
  const { taskToken } = await client.withDeadline(Date.now() + 60_000, () =>
    client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
  );
  await client.workflowService.respondWorkflowTaskFailed({ namespace, taskToken, cause });
  await eventually(async () => {
    const { raw } = await handle.describe();
    expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThan(1);
  });
  return handle;
}

const statusOf = async ({ workflowId, firstExecutionRunId }: WorkflowHandleWithFirstExecutionRunId) =>
  (await fixture.client.workflow.getHandle(workflowId, firstExecutionRunId).describe()).status.name;

it('replaces the run of a charge that fails on its own history', async () => {
  const charge = await insertPix(fixture);
  const handle = await failedRun(NON_DETERMINISTIC_ERROR, chargeWorkflowId(charge.id));
  const { id, storeId, devMode, closesAt: dueAt } = charge;
  const item: OpenItem = { kind: 'charge', id, storeId, devMode, dueAt };
  const audited = new Date(dueAt.getTime() + 60_000);
  const [resumed] = await resume(auditDeps(fixture), 'charge', [item], audited);
  expect(resumed).toMatchObject({ outcome: 'STARTED' });
  const { status } = await fixture.client.workflow.getHandle(handle.workflowId).describe();
  expect(status.name).toBe('RUNNING');
  expect(await chargeUpdates(fixture).cancel(charge, null)).toBe('CANCELLED');
});

it('terminates a stuck run that answers no update, and answers the next update', async () => {
  const charge = await insertPix(fixture);
  const handle = await failedRun(NON_DETERMINISTIC_ERROR, chargeWorkflowId(charge.id));
  const cancel = () => chargeUpdates(fixture).cancel(charge, null);
  await expect(fixture.client.withDeadline(Date.now() + 500, cancel)).rejects.toThrow();
  expect(await statusOf(handle)).toBe('TERMINATED');
  expect(await cancel()).toBe('CANCELLED');
});

it('makes a refund in a new run if the run of its charge is stuck', async () => {
  const charge = await paidPix(fixture);
  await endOf(fixture, chargeWorkflowOf(fixture, charge));
  const { id: refundId } = await requestRefund(fixture, charge);
  const handle = await failedRun(NON_DETERMINISTIC_ERROR, chargeWorkflowId(charge.id));
  expect(await chargeUpdates(fixture).isSendingBack(charge.id, { refundId })).toBe(false);
  expect(await statusOf(handle)).toBe('TERMINATED');
  expect(await chargeUpdates(fixture).refund(charge, refundId, null)).toBe('REFUNDED');
});

it('looks up a payment in a new run if the run of its charge is stuck', async () => {
  const charge = await insertPix(fixture);
  const handle = await failedRun(NON_DETERMINISTIC_ERROR, chargeWorkflowId(charge.id));
  const { providerPaymentId } = await mustPay(fixture, charge);
  await chargeUpdates(fixture).lookUpPayment(charge, providerPaymentId, null);
  expect(await statusOf(handle)).toBe('TERMINATED');
  expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
});

it('terminates a run that fails on its own history once', async () => {
  const handle = await failedRun(NON_DETERMINISTIC_ERROR);
  expect(await endStuckRun(fixture.client, handle.workflowId)).toBe(true);
  expect(await statusOf(handle)).toBe('TERMINATED');
  expect(await endStuckRun(fixture.client, handle.workflowId)).toBe(false);
});

it('terminates a run whose task times out repeatedly, but not after one timeout', async () => {
  const taskQueue = `nobody-${randomUUID()}`;
  const options = { workflowId: aCharge(), taskQueue, workflowTaskTimeout: '1s' };
  const handle = await fixture.client.workflow.start('charge', options);
  const { namespace } = fixture.client.options;
  // From the second failure on, workers take the task without answering it, as this function does.
  const takeTask = () =>
    fixture.client.withDeadline(Date.now() + 60_000, () =>
      fixture.client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
    );
  const attempts = async () => (await handle.describe()).raw.pendingWorkflowTask?.attempt ?? 0;
  await takeTask();
  await eventually(async () => expect(await attempts()).toBe(2));
  expect(await endStuckRun(fixture.client, handle.workflowId)).toBe(false);
  while ((await attempts()) < 5) await takeTask();
  expect(await endStuckRun(fixture.client, handle.workflowId)).toBe(true);
});

it('leaves a run running if its task failed for another reason', async () => {
  const handle = await failedRun(UNHANDLED_FAILURE);
  expect(await endStuckRun(fixture.client, handle.workflowId)).toBe(false);
  expect(await statusOf(handle)).toBe('RUNNING');
  await handle.terminate();
});

it('leaves a run running that waits for a worker', async () => {
  const taskQueue = `nobody-${randomUUID()}`;
  const handle = await fixture.client.workflow.start('charge', { workflowId: aCharge(), taskQueue });
  expect(await endStuckRun(fixture.client, handle.workflowId)).toBe(false);
  await handle.terminate();
});
