import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { recordAction } from '../../src/audit-log/record-action.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import type { AuditReport } from '../../src/domain/audit.ts';
import { closedRuns } from '../../src/recovery/closed-runs.ts';
import { KeptSchedule } from '../../src/temporal/kept-schedule.ts';
import { auditorSchedule } from '../../src/temporal/schedules.ts';
import { AUDITOR_WORKFLOW, auditorScheduleId } from '../../workflows/auditor.contract.ts';
import { auditNow } from '../support/fixtures/audits.ts';
import { openCheckout, startCheckoutAsleep } from '../support/fixtures/checkouts.ts';
import { cli } from '../support/fixtures/command-line.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertSubscription, startSubscription, workflowOf } from '../support/fixtures/subscriptions.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { deliveryAttemptsOf, send } from '../support/rows/deliveries.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

let fixture: SubscribedFixture;

beforeAll(async () => {
  // The queue of dev environments, as the command line names it: the store is in one.
  const taskQueue = `auditor-${randomBytes(6).toString('hex')}-dev`;
  fixture = await createSubscribedFixture({ environment: await connectToRealServer(), taskQueue });
});

/** Nothing that a test leaves behind, also when it fails, is open for the next one. Entries of sub-accounts refuse the truncation. */
afterEach(() =>
  fixture.database.em.fork().execute(
    `begin; set local session_replication_role = replica;
     truncate charges, checkouts, subscriptions, deliveries cascade; commit`,
  ),
);
afterAll(() => fixture.close());

/** Audits until something is found, because Temporal lists a closed run with a delay. */
function auditUntilFound(): Promise<AuditReport> {
  return eventually(async () => {
    const [one, other] = await Promise.all([audit(), audit()]);
    const report = [one, other].find(({ counts }) => Object.keys(counts).length > 0);
    if (report === undefined) throw new Error('nothing has been found');
    return report;
  });
}

function audit(): Promise<AuditReport> {
  const { client, taskQueue } = fixture;
  return auditNow(fixture, null, { closedRuns: (since) => closedRuns(client, taskQueue, since) });
}

async function runsOf(workflowId: string): Promise<string[]> {
  const runs = await Array.fromAsync(fixture.client.workflow.list({ query: `WorkflowId = '${workflowId}'` }));
  return runs.map(({ status }) => status.name).sort();
}

/** Start workflows that are not due yet. @returns the workflow's id. */
const ASLEEP = {
  async charge() {
    return (await startAsleep(fixture, await insertPix(fixture))).workflowId;
  },
  async checkout() {
    return (await startCheckoutAsleep(fixture, await openCheckout(fixture))).workflowId;
  },
  async subscription() {
    const subscription = await insertSubscription(fixture, await fixture.now());
    await startSubscription(fixture, subscription);
    return workflowOf(fixture, subscription).workflowId;
  },
};

describe('a run that someone terminates before it is due', () => {
  it.each(Object.keys(ASLEEP) as (keyof typeof ASLEEP)[])(
    'restarts a terminated %s run once although two audits find it at once',
    async (kind) => {
      const workflowId = await ASLEEP[kind]();
      await fixture.client.workflow.getHandle(workflowId).terminate();
      const { counts } = await auditUntilFound();
      expect(counts[kind]).toMatchObject({ found: 1, started: 1 });
      await eventually(async () => expect(await runsOf(workflowId)).toEqual(['RUNNING', 'TERMINATED']));
      expect((await audit()).counts).toEqual({});
    },
  );

  it('restarts a terminated delivery between two attempts at its nextAttemptAt', async () => {
    const endpoint = fixture.sink.endpoint((attempt) => (attempt < 3 ? 500 : 200));
    const delivery = await send(fixture, endpoint.url);
    await eventually(async () => expect(await deliveryAttemptsOf(fixture, delivery)).toHaveLength(2));
    await delivery.workflow().terminate();
    const em = fixture.database.em.fork();
    const { nextAttemptAt } = await em.findOneOrFail(DeliveryEntity, { id: delivery.id });
    expect((await auditUntilFound()).counts.delivery).toMatchObject({ found: 1, started: 1 });
    const { startTime, executionTime } = await delivery.workflow().describe();
    expect(executionTime?.getTime()).toBeGreaterThanOrEqual((nextAttemptAt?.getTime() ?? 0) - 1_000);
    expect(executionTime).not.toEqual(startTime);
    await delivery.workflow().terminate();
  });
});

describe('the schedule of the auditor', () => {
  it('keeps one paused auditor schedule, and each audit continues from the last one', async () => {
    const { client, taskQueue } = fixture;
    const handle = client.schedule.getHandle(auditorScheduleId(taskQueue));
    const worker = () => new KeptSchedule(client, taskQueue, auditorSchedule(taskQueue), SILENT_LOG);
    try {
      await Promise.all([worker().keep(), worker().keep()]);
      const created = await handle.describe();
      await handle.pause();
      await eventually(async () => expect((await handle.describe()).state.paused).toBe(true));
      const restarted = worker();
      await restarted.keep();
      await restarted.keep();
      const kept = await handle.describe();
      expect(kept.state.paused).toBe(true);
      // An update that changed nothing could be applied after a pause, and lose it.
      expect(kept.info.lastUpdatedAt ?? null).toEqual(created.info.lastUpdatedAt ?? null);

      await handle.trigger('SKIP');
      const first = await lastReport(1);
      // The schedule learns of the end a moment later, and passes no result to the next audit before that.
      await eventually(async () => expect((await handle.describe()).info.runningActions).toEqual([]));
      await handle.trigger('SKIP');
      const second = await lastReport(2);
      expect(second.atMs).toBeGreaterThan(first.atMs);
      expect(second.watchedSinceMs).toBe(first.watchedSinceMs);
    } finally {
      await handle.delete();
    }
  });

  it('updates a schedule that another release has created, and keeps its pause', async () => {
    const { client, taskQueue } = fixture;
    const scheduled = {
      ...auditorSchedule(taskQueue),
      scheduleId: `${auditorScheduleId(taskQueue)}-changed`,
    };
    const handle = client.schedule.getHandle(scheduled.scheduleId);
    try {
      await new KeptSchedule(client, taskQueue, { ...scheduled, everyMs: 3_600_000 }, SILENT_LOG).keep();
      await handle.pause();
      await eventually(async () => expect((await handle.describe()).state.paused).toBe(true));
      await new KeptSchedule(client, taskQueue, scheduled, SILENT_LOG).keep();
      await eventually(async () => {
        const { spec, state } = await handle.describe();
        expect(spec.intervals).toMatchObject([{ every: scheduled.everyMs }]);
        expect(state.paused).toBe(true);
      });
    } finally {
      await handle.delete();
    }
  });

  /** The newest result once `count` audits have ended. */
  function lastReport(count: number): Promise<AuditReport> {
    const query = `WorkflowType = '${AUDITOR_WORKFLOW}' AND TaskQueue = '${fixture.taskQueue}' AND ExecutionStatus = 'Completed'`;
    return eventually(async () => {
      const audits = await Array.fromAsync(fixture.client.workflow.list({ query }));
      expect(audits).toHaveLength(count);
      const [newest] = audits.sort((one, other) => +other.startTime - +one.startTime);
      return fixture.client.workflow.getHandle(newest?.workflowId ?? '').result();
    });
  }
});

describe('npm run cli -- doctor', () => {
  it('lists overdue and terminated runs, and resumes them only with --fix', async () => {
    const well = await cli(fixture, 'doctor');
    expect(well).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is overdue.') });
    const { id } = await insertPix(fixture, { expiresInS: -3_600 });
    const asleep = await startAsleep(fixture, await insertPix(fixture));
    await asleep.terminate();
    const ill = await eventually(async () => {
      const answer = await cli(fixture, 'doctor');
      expect(answer.out).toContain('terminated');
      return answer;
    });
    expect(ill).toMatchObject({ code: 1, errors: expect.stringContaining('2 overdue') });
    expect(ill.out).toMatch(new RegExp(`charge +${id} .* none`));
    expect(ill.out).toMatch(new RegExp(`charge +${asleep.workflowId.slice('charge/'.length)} .* terminated`));
    expect(await runsOf(`charge/${id}`)).toEqual([]);
    expect(await runsOf(asleep.workflowId)).toEqual(['TERMINATED']);

    const fixed = await cli(fixture, 'doctor --fix');
    expect(fixed).toMatchObject({ code: 0, errors: '' });
    expect(fixed.out.match(/resumed/g)).toHaveLength(2);
    await eventually(async () => expect(await cli(fixture, 'doctor')).toMatchObject({ code: 0 }));
  });

  it('verifies the audit log, and fails if its last line is deleted', async () => {
    const em = fixture.database.em.fork();
    const actor = { kind: 'SYSTEM', storeId: fixture.storeId } as const;
    const done = { action: 'settings/update', subjectId: null, devMode: null, now: new Date() };
    for (const _ of [1, 2, 3]) await em.transactional((tx) => recordAction(tx, actor, done));
    expect(await cli(fixture, 'doctor')).toMatchObject({ code: 0 });
    const last = `delete from audit_lines where store_id = '${fixture.storeId}' and position = 3`;
    await em.execute(`begin; set local session_replication_role = replica; ${last}; commit`);
    const ill = await cli(fixture, 'doctor --full');
    expect(ill).toMatchObject({ code: 1, errors: expect.stringContaining('the audit log is broken') });
    expect(ill.out).toMatch(new RegExp(`${fixture.storeId} +3 +- +a line is missing`));
  });
});

describe('npm run cli -- workflows rebuild', () => {
  it('starts each open entity without a workflow once, and continues from a cursor', async () => {
    const charge = await insertPix(fixture);
    const checkout = await openCheckout(fixture);
    const link = await openCheckout(fixture, { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null });
    const subscription = await insertSubscription(fixture, await fixture.now());
    const ids = [`charge/${charge.id}`, `checkout/${checkout.id}`, `checkout/${link.id}`];
    ids.push(`subscription/${subscription.id}`);
    // Twice at once, and once more.
    const before = await Promise.all([cli(fixture, 'workflows rebuild'), cli(fixture, 'workflows rebuild')]);
    for (const { code, errors } of before) expect([code, errors]).toEqual([0, '']);
    await eventually(async () => {
      for (const id of ids) expect(await runsOf(id)).toEqual(['RUNNING']);
    });
    const again = await cli(fixture, 'workflows rebuild');
    expect(again.out).toMatch(/charges: 0 started, \d+ already running/);
    const [, goOn = ''] = /continue with: (.*)/.exec(before[0]?.out ?? '') ?? [];
    expect((await cli(fixture, goOn)).out).not.toMatch(/charges:/);
  });
});
