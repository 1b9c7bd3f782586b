import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import type { ChargeInput } from '../../workflows/charge.contract.ts';
import { chargeStateQuery } from '../../workflows/charge.contract.ts';
import { cancel, mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** Far more than what the tests' server takes before it suggests to continue as new. */
const MOST_NOTIFICATIONS = 60;

let fixture: WorkflowFixture;
beforeAll(async () => {
  const taskQueue = `continued-${randomBytes(6).toString('hex')}`;
  fixture = await createWorkflowFixture({ environment: await connectToRealServer(), taskQueue });
});
afterAll(() => fixture.close());

/** A charge whose bank notifies a payment that it does not know, until the charge's first run has continued as new. */
async function continuedCharge() {
  const charge = await insertPix(fixture);
  const { workflowId, firstExecutionRunId } = await startAsleep(fixture, charge);
  const payment = await mustPay(fixture, charge);
  fixture.provider.hideFromLookUps(payment);
  const first = fixture.client.workflow.getHandle(workflowId, firstExecutionRunId);
  const isOpen = async () => (await first.describe()).status.name === 'RUNNING';
  for (let times = 0; times < MOST_NOTIFICATIONS && (await isOpen()); times += 1)
    await notify(fixture, payment).catch(() => undefined);
  const { events = [] } = await first.fetchHistory();
  return { charge, payment, workflow: fixture.client.workflow.getHandle(workflowId), events: events ?? [] };
}

it('continues as new after many notifications of an unknown payment', async () => {
  const { workflow, events } = await continuedCharge();
  const continued = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
  const input: ChargeInput = defaultPayloadConverter.fromPayload(continued?.input?.payloads?.[0] as never);
  const firstAsked = events.find(({ markerRecordedEventAttributes: marker }) => marker !== undefined);
  const startedMs = Number(firstAsked?.eventTime?.seconds) * 1_000;
  const [{ unknownSinceMs = 0, dueAtMs = 0 } = {}] = input.unfinished ?? [];
  expect(input.reopens).toBeUndefined();
  expect(Math.abs(unknownSinceMs - startedMs)).toBeLessThan(10_000);
  expect(dueAtMs - unknownSinceMs).toBeLessThan(300_000);
  expect((await workflow.query(chargeStateQuery)).status).toBe('PENDING');
});

it('records the payment in the continued run once the bank knows it', async () => {
  const { charge, payment, workflow } = await continuedCharge();
  fixture.provider.hideFromLookUps(payment, false);
  // A bank repeats a notification until it is acknowledged. A run that continues as new, or ends, may refuse one.
  await eventually(() => notify(fixture, payment));
  expect(await workflow.result()).toBe('PAID');
  expect(await recordOf(fixture, charge)).toMatchObject({ status: 'PAID', payments: ['ACCEPTED 10000'] });
});

it('cancels the charge in the run that was continued as new', async () => {
  const { charge, payment, workflow } = await continuedCharge();
  fixture.provider.hideFromClosing(payment);
  await eventually(async () => expect(await cancel(fixture, charge)).toBe('CANCELLED'));
  fixture.provider.hideFromLookUps(payment, false);
  // A bank repeats a notification until it is acknowledged. A run that continues as new, or ends, may refuse one.
  await eventually(() => notify(fixture, payment));
  await workflow.result();
});
