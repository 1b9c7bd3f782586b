import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openAttention } from '../../src/database/attention.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { type Payout, PayoutEntity } from '../../src/database/entities/payout.ts';
import { hoursAfter } from '../../src/domain/payout-approval.ts';
import type { PayoutControls } from '../../src/domain/payout-controls.ts';
import { noteMoneyOrder } from '../../src/ledger/note-money-order.ts';
import { openPages } from '../../src/recovery/find-open.ts';
import { Sweeper } from '../../src/recovery/sweeper.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { payoutWorkflowId } from '../../workflows/payout.contract.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { auditNow } from '../support/fixtures/audits.ts';
import { chargeUpdates } from '../support/fixtures/charges.ts';
import { balance, payoutOf } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { credit } from '../support/rows/credit.ts';
import { setControls } from '../support/rows/payout-controls.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const HOUR_MS = 60 * 60 * 1_000;

let fixture: WorkflowFixture;
let availableCents: number;

beforeAll(async () => {
  fixture = await createWorkflowFixture();
  await credit(fixture.database, owner(), 1_000_000);
});
beforeEach(async () => {
  // Payouts that earlier tests left waiting never become due.
  await em().nativeUpdate(PayoutEntity, { approval: 'WAITING' }, { approvalDueAt: new Date('2100-01-01') });
  ({ availableCents } = await balance(fixture));
});
afterAll(() => fixture.close());

const owner = () => ({ storeId: fixture.storeId, devMode: true });
const em = () => fixture.database.em.fork();

let payees = 0;

/** A transfer to a new key, which waits because of the store's controls. */
async function waiting(controls: Partial<PayoutControls>): Promise<Payout> {
  await setControls(fixture.database, owner(), controls);
  payees += 1;
  const destination = { type: 'EMAIL', key: `payee-${payees}@example.com` } as const;
  return askForPayout(fixture, 2_500, { kind: 'TRANSFER', destination });
}
const forAmount = () => waiting({ approvalAboveCents: 0 });

const decide = async ({ id }: Payout, approval: 'APPROVED' | 'REJECTED') =>
  em().nativeUpdate(PayoutEntity, { id }, { approval, approvalDecidedAt: await fixture.now() });
const askedFor = ({ id }: Payout) => fixture.provider.transfers.filter(({ reference }) => reference === id);
const resultOf = ({ id }: Payout) => fixture.client.workflow.getHandle(payoutWorkflowId(id)).result();
const isStarted = async ({ id }: Payout) => (await payoutOf(fixture, id)).workflowStartedAt !== null;

async function sweep(at?: Date): Promise<void> {
  const { client, database, taskQueue } = fixture;
  const starter = new WorkflowStarter(client, taskQueue, database, SILENT_LOG);
  const rest = { notices: [], clocks: NO_CLOCKS, chargeUpdates: chargeUpdates(fixture) };
  const sweeper = new Sweeper({ client, database, starter, ...rest, log: SILENT_LOG });
  await sweeper.sweep(at ?? new Date((await fixture.now()).getTime() + 60_000));
  await starter.close();
}

async function openPayouts(): Promise<string[]> {
  const ids: string[] = [];
  const everything = { before: null, startedBefore: null };
  for await (const page of openPages(em(), 'payout', everything)) ids.push(...page.map(({ id }) => id));
  return ids;
}

async function recordOf({ id }: Payout) {
  const { status, failureReason, approval } = await payoutOf(fixture, id);
  const events = await em().find(EventEntity, { key: { $like: `%/${id}` } });
  const spentCents = availableCents - (await balance(fixture)).availableCents;
  return { status, failureReason, approval, events: events.map(({ name }) => name), spentCents };
}

describe('a payout that waits for an approval', () => {
  it('stays unsent during sweep, audit and rebuild, and when a lost run advances it', async () => {
    const row = await forAmount();
    await fixture.environment.sleep(HOUR_MS);
    await sweep();
    expect(await isStarted(row)).toBe(false);
    const report = await auditNow(fixture);
    expect(JSON.stringify(report)).not.toContain(row.id);
    expect(await openPayouts()).not.toContain(row.id);
    const nowMs = (await fixture.now()).getTime();
    expect(await fixture.activities.advancePayout({ payoutId: row.id, nowMs })).toBe('PENDING');
    expect(askedFor(row)).toEqual([]);
    expect(await recordOf(row)).toMatchObject({ status: 'PENDING', approval: 'WAITING', spentCents: 2_500 });
  });

  it.each(['WAITING', 'REJECTED', 'EXPIRED'] as const)(
    'refuses to record a money order for a payout that is %s',
    async (approval) => {
      const row = await forAmount();
      await em().nativeUpdate(PayoutEntity, { id: row.id }, { approval });
      const order = { subjectId: row.id, now: new Date() };
      await expect(noteMoneyOrder(em(), order)).rejects.toThrow(`payout ${row.id} is not approved`);
      await em().nativeUpdate(PayoutEntity, { id: row.id }, { approval: 'APPROVED' });
      expect(await noteMoneyOrder(em(), order)).toBe(false);
    },
  );
});

describe('a payout that was decided', () => {
  it('starts an approved payout whose start was lost, and sends it once', async () => {
    const row = await forAmount();
    await decide(row, 'APPROVED');
    await sweep();
    expect(await resultOf(row)).toBe('COMPLETE');
    expect(askedFor(row)).toHaveLength(1);
    expect(await recordOf(row)).toEqual({
      status: 'COMPLETE',
      failureReason: null,
      approval: 'APPROVED',
      events: ['transfer.completed'],
      spentCents: 2_500,
    });
  });

  it('credits a rejected payout, publishes its failure and orders nothing', async () => {
    const row = await forAmount();
    await decide(row, 'REJECTED');
    await sweep();
    expect(await resultOf(row)).toBe('FAILED');
    expect(askedFor(row)).toEqual([]);
    expect(await recordOf(row)).toEqual({
      status: 'FAILED',
      failureReason: 'approval_rejected',
      approval: 'REJECTED',
      events: ['transfer.failed'],
      spentCents: 0,
    });
  });

  it('becomes overdue only after its approval', async () => {
    const row = await forAmount();
    await fixture.environment.sleep(HOUR_MS);
    await decide(row, 'APPROVED');
    const overdueAt = async (laterMs: number) => {
      const sought = { before: new Date((await fixture.now()).getTime() + laterMs), startedBefore: null };
      const items = [];
      for await (const page of openPages(em(), 'payout', sought)) items.push(...page);
      return items.filter(({ id }) => id === row.id);
    };
    expect(await overdueAt(-60_000)).toEqual([]);
    const { approvalDecidedAt } = await payoutOf(fixture, row.id);
    expect(await overdueAt(60_000)).toMatchObject([{ dueAt: approvalDecidedAt }]);
    await sweep();
    await resultOf(row);
  });
});

describe('a payout whose wait is over', () => {
  it('fails without an approval after 72 hours and credits the money', async () => {
    const row = await forAmount();
    const dueAt = row.approvalDueAt ?? new Date(0);
    expect(dueAt).toEqual(hoursAfter(row.createdAt, 72));
    await sweep(new Date(dueAt.getTime() - 1));
    expect(await isStarted(row)).toBe(false);
    await fixture.environment.sleep(72 * HOUR_MS);
    await sweep();
    expect(await resultOf(row)).toBe('FAILED');
    expect(askedFor(row)).toEqual([]);
    expect(await recordOf(row)).toMatchObject({
      failureReason: 'approval_expired',
      approval: 'EXPIRED',
      events: ['transfer.failed'],
      spentCents: 0,
    });
  });

  it('goes to a new Pix key after the wait for new payees', async () => {
    const row = await waiting({ newPayeeWaitHours: 24 });
    await fixture.environment.sleep(24 * HOUR_MS);
    await sweep();
    expect(await resultOf(row)).toBe('COMPLETE');
    expect(await recordOf(row)).toMatchObject({ approval: 'RELEASED', events: ['transfer.completed'] });
  });

  it.each(['APPROVED', 'REJECTED'] as const)(
    'keeps the first of two simultaneous decisions in ten rounds: %s',
    async (decision) => {
      for (let round = 0; round < 10; round++) {
        const row = await waiting({ newPayeeWaitHours: 24 });
        const nowMs = row.createdAt.getTime() + 24 * HOUR_MS;
        const change = { approval: decision, approvalDecidedAt: new Date() };
        const [changed] = await Promise.all([
          em().nativeUpdate(PayoutEntity, { id: row.id, approval: 'WAITING' }, change),
          fixture.activities.advancePayout({ payoutId: row.id, nowMs }),
        ]);
        const { approval } = await payoutOf(fixture, row.id);
        expect(approval).toBe(changed === 1 ? decision : 'RELEASED');
        const status = await fixture.activities.advancePayout({ payoutId: row.id, nowMs });
        expect(status).toBe(approval === 'REJECTED' ? 'FAILED' : 'COMPLETE');
        expect(askedFor(row)).toHaveLength(approval === 'REJECTED' ? 0 : 1);
      }
    },
  );
});

describe('a payout whose order was lost by a restore', () => {
  const advance = async ({ id }: Payout, afterMs: number) =>
    fixture.activities.advancePayout({ payoutId: id, nowMs: (await fixture.now()).getTime() + afterMs });
  /** The provider carries out the same order before the restore. */
  const sentBefore = ({ id, amountCents }: Payout) =>
    fixture.provider.sendPix({ reference: id, amountCents, destination: null, now: new Date() });
  afterEach(() => {
    fixture.provider.lookUpLags = false;
  });

  it('books a rejected payout as sent if the bank has it', async () => {
    const row = await forAmount();
    await sentBefore(row);
    await decide(row, 'REJECTED');
    expect(await advance(row, 0)).toBe('COMPLETE');
    expect(await recordOf(row)).toMatchObject({
      approval: 'REJECTED',
      events: ['transfer.completed'],
      spentCents: 2_500,
    });
  });

  it('books an expired payout as sent if the bank has it', async () => {
    const row = await forAmount();
    await sentBefore(row);
    expect(await advance(row, 73 * HOUR_MS)).toBe('COMPLETE');
    expect(await recordOf(row)).toMatchObject({ approval: 'EXPIRED', spentCents: 2_500 });
  });

  it('keeps the money of a rejected payout reserved while look-ups may lag', async () => {
    const row = await forAmount();
    await sentBefore(row);
    await decide(row, 'REJECTED');
    fixture.provider.lookUpLags = true;
    expect(await advance(row, 0)).toBe('PENDING');
    expect(await advance(row, 9 * 60_000)).toBe('PENDING');
    expect(await recordOf(row)).toMatchObject({ status: 'PENDING', spentCents: 2_500 });
    fixture.provider.lookUpLags = false;
    expect(await advance(row, 9 * 60_000)).toBe('COMPLETE');
    expect(await recordOf(row)).toMatchObject({ spentCents: 2_500 });
  });

  it('credits a rejected payout that the bank does not know ten minutes later', async () => {
    const row = await forAmount();
    await decide(row, 'REJECTED');
    fixture.provider.lookUpLags = true;
    expect(await advance(row, 9 * 60_000)).toBe('PENDING');
    expect(await advance(row, 11 * 60_000)).toBe('FAILED');
    expect(askedFor(row)).toEqual([]);
    expect(await recordOf(row)).toMatchObject({ failureReason: 'approval_rejected', spentCents: 0 });
  });

  it('keeps a payout pending and notes it if the bank has another under its id', async () => {
    const row = await forAmount();
    fixture.provider.answerTransfers({ outcome: 'OTHER_TRANSFER' });
    await sentBefore(row);
    await decide(row, 'REJECTED');
    expect(await advance(row, 0)).toBe('PENDING');
    expect(await openAttention(fixture.database, 99)).toMatchObject([
      { kind: 'PAYOUT_MISMATCH', subjectId: row.id },
    ]);
    expect(await recordOf(row)).toMatchObject({ status: 'PENDING', spentCents: 2_500 });
  });

  it('credits no money while the bank does not answer', async () => {
    const row = await forAmount();
    await decide(row, 'REJECTED');
    fixture.provider.failNext('findTransfer', 1);
    await expect(advance(row, 60 * 60_000)).rejects.toThrow('the provider is down');
    expect(await recordOf(row)).toMatchObject({ status: 'PENDING', spentCents: 2_500 });
  });
});
