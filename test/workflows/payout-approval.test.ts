import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKey } from '../../src/api/keys/api-keys.ts';
import { rotateKey } from '../../src/api/keys/rotate-key.ts';
import { openAttention } from '../../src/database/attention.ts';
import { type ApiKey, ApiKeyEntity } from '../../src/database/entities/api-key.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { MembershipEntity } from '../../src/database/entities/membership.ts';
import { type Payout, PayoutEntity } from '../../src/database/entities/payout.ts';
import type { UserId } from '../../src/domain/ids.ts';
import { hoursAfter } from '../../src/domain/payout-approval.ts';
import type { PayoutControls } from '../../src/domain/payout-controls.ts';
import type { Permission } from '../../src/domain/permission.ts';
import { addMember, changeMember } from '../../src/identity/members.ts';
import { userOf } from '../../src/identity/users.ts';
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
import { insertSubAccount } from '../support/rows/sub-accounts.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const HOUR_MS = 60 * 60 * 1_000;

let fixture: WorkflowFixture;
let availableCents: number;
/** Creates the payouts that wait. */
let key: ApiKey;

beforeAll(async () => {
  fixture = await createWorkflowFixture();
  await credit(fixture.database, owner(), 1_000_000);
  key = await newKey(['WITHDRAW:CREATE']);
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
  const payout = await askForPayout(fixture, 2_500, { kind: 'TRANSFER', destination });
  return change(payout, { creatorId: key.id });
}

async function change(payout: Payout, changes: Partial<Payout>): Promise<Payout> {
  await em().nativeUpdate(PayoutEntity, { id: payout.id }, changes);
  return { ...payout, ...changes };
}

async function newKey(permissions: readonly Permission[]): Promise<ApiKey> {
  const given = { ...owner(), description: 'ERP', permissions };
  return (await createKey(em(), given, new Date())).key;
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

describe('the creator of a transfer whose wait for a new Pix key is over', () => {
  const releaseOf = async (created: Partial<Payout>) => {
    const row = await change(await waiting({ newPayeeWaitHours: 24 }), created);
    const nowMs = row.createdAt.getTime() + 24 * HOUR_MS;
    const status = await fixture.activities.advancePayout({ payoutId: row.id, nowMs });
    return { row, nowMs, status };
  };
  const SENT = { status: 'COMPLETE', approval: 'RELEASED', events: ['transfer.completed'] };
  const HELD = { status: 'PENDING', approval: 'WAITING', events: [], spentCents: 2_500 };

  let people = 0;
  async function member(role: 'finance' | 'support'): Promise<UserId> {
    people += 1;
    const { id: userId } = await userOf(em(), `person-${people}@example.com`, new Date());
    await addMember(em(), { storeId: fixture.storeId, userId, role, createdAt: new Date() });
    return userId;
  }
  const end = (id: ApiKey['id'], ended: Partial<ApiKey>) => em().nativeUpdate(ApiKeyEntity, { id }, ended);
  const expire = (id: ApiKey['id']) => end(id, { expiresAt: new Date('2020-01-01') });
  const revoke = (id: ApiKey['id']) => end(id, { revokedAt: new Date() });
  async function rotated({ id }: ApiKey): Promise<ApiKey> {
    const rotation = { overlapMs: HOUR_MS, expiresAt: null };
    const successor = await em().transactional((tx) => rotateKey(tx, id, {}, rotation, new Date()));
    if (successor === null) throw new Error('the key cannot be rotated');
    await expire(id);
    return successor.key;
  }
  const newCreator = () => newKey(['WITHDRAW:CREATE']);

  it.each<[string, () => Promise<Payout['creatorId']>]>([
    ['is a member with the right', () => member('finance')],
    [
      'is a key that was replaced twice, with an overlap that is over',
      async () => {
        const creator = await newCreator();
        await rotated(await rotated(creator));
        return creator.id;
      },
    ],
  ])('has it sent if it %s', async (_, creator) => {
    const { row } = await releaseOf({ creatorId: await creator() });
    expect(await recordOf(row)).toMatchObject(SENT);
  });

  it.each<[string, () => Promise<Payout['creatorId']>]>([
    [
      'has left the team',
      async () => {
        const userId = await member('finance');
        await em().nativeDelete(MembershipEntity, { userId });
        return userId;
      },
    ],
    ['has a role that sends no money', () => member('support')],
    [
      'is a key that is revoked',
      async () => {
        const { id } = await newCreator();
        await revoke(id);
        return id;
      },
    ],
    [
      'is a key that has expired',
      async () => {
        const { id } = await newCreator();
        await expire(id);
        return id;
      },
    ],
    [
      'is a key that was replaced and then revoked',
      async () => {
        const creator = await newCreator();
        await rotated(creator);
        await revoke(creator.id);
        return creator.id;
      },
    ],
    [
      'is a key whose successor is revoked',
      async () => {
        const creator = await newCreator();
        await revoke((await rotated(creator)).id);
        return creator.id;
      },
    ],
    ['is a key without the permission', async () => (await newKey(['WITHDRAW:READ'])).id],
    ['is unknown', async () => null],
  ])('leaves it to a person if it %s', async (_, creator) => {
    const { row, nowMs, status } = await releaseOf({ creatorId: await creator() });
    expect(status).toBe('PENDING');
    expect(askedFor(row)).toEqual([]);
    expect(await recordOf(row)).toMatchObject(HELD);
    expect(await payoutOf(fixture, row.id)).toMatchObject({
      approvalReasons: ['NEW_PAYEE', 'LOST_AUTHORITY'],
      approvalDueAt: new Date(nowMs + 72 * HOUR_MS),
    });
  });

  it('needs the permission of sub-accounts for the money of one', async () => {
    const subAccountId = await insertSubAccount(fixture.database, owner());
    const withdrawer = await newKey(['SUB_ACCOUNT:WITHDRAW']);
    expect((await releaseOf({ subAccountId })).status).toBe('PENDING');
    expect((await releaseOf({ subAccountId, creatorId: withdrawer.id })).status).toBe('COMPLETE');
  });

  it('decides no more once it was left to a person, who approves it or lets it expire', async () => {
    const userId = await member('support');
    const [approved, ignored] = [
      await releaseOf({ creatorId: userId }),
      await releaseOf({ creatorId: userId }),
    ];
    await em().nativeUpdate(MembershipEntity, { userId }, { role: 'finance' });
    const later = ({ row, nowMs }: typeof approved, hours: number) =>
      fixture.activities.advancePayout({ payoutId: row.id, nowMs: nowMs + hours * HOUR_MS });
    expect(await later(approved, 1)).toBe('PENDING');
    await decide(approved.row, 'APPROVED');
    expect(await later(approved, 2)).toBe('COMPLETE');
    expect(await later(ignored, 72)).toBe('FAILED');
    expect(await recordOf(ignored.row)).toMatchObject({
      failureReason: 'approval_expired',
      approval: 'EXPIRED',
      events: ['transfer.failed'],
    });
  });

  it('leaves it to the sweeper to end it if nobody approves and its run is lost', async () => {
    const { row } = await releaseOf({ creatorId: null });
    await change(row, { approvalDueAt: await fixture.now() });
    await sweep();
    expect(await resultOf(row)).toBe('FAILED');
  });

  it('leaves it to a person if the creator is removed at the moment of the release', async () => {
    const userId = await member('finance');
    const removal = em();
    await removal.begin();
    await changeMember(removal, fixture.storeId, userId, null, null);
    const release = releaseOf({ creatorId: userId });
    await waitsForLock();
    await removal.commit();
    const { row } = await release;
    expect(await recordOf(row)).toMatchObject(HELD);
  });
});

/** Until a connection waits for a lock that the test holds. */
async function waitsForLock(): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await em().execute<unknown[]>(waiting)).length === 0);
}

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
