import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SandboxChargeEntity } from '../../src/database/entities/sandbox-charge.ts';
import { SandboxDisputeEntity } from '../../src/database/entities/sandbox-dispute.ts';
import { createLogger } from '../../src/log.ts';
import type { Intake } from '../../src/notifications/intake.ts';
import { SandboxDisputeNotices } from '../../src/notifications/sandbox-dispute-notices.ts';
import { SandboxPayments } from '../../src/notifications/sandbox-payments.ts';
import { SandboxBank } from '../../src/providers/sandbox/sandbox-bank.ts';
import { SandboxDisputes } from '../../src/providers/sandbox/sandbox-disputes.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { eventually } from '../support/waiting/eventually.ts';

const SILENT_LOG = createLogger('silent');
const REFERENCES = ['first', 'second', 'third'];
const AT = new Date('2026-11-22T12:00:00Z');
const LATER = new Date('2026-11-22T12:01:00Z');
const PAYER = { name: null, taxId: null };

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** Ingests payments and disputes in the same way. */
const intakeOf = (receive: (news: { reference: string }) => Promise<'PAID'>) =>
  ({ receivePayment: receive, receiveDispute: receive }) as unknown as Intake;

/** Ingests the oldest reference only when `stuck` is resolved, and all others at once. */
function stuckIntake() {
  const stuck = Promise.withResolvers<'PAID'>();
  const receive = ({ reference }: { reference: string }) =>
    reference === REFERENCES[0] ? stuck.promise : Promise.resolve('PAID' as const);
  return { intake: intakeOf(receive), stuck };
}

const WHY = { reason: null, feeCents: null, amountCents: null };

it('notifies of other payments while one is not acknowledged', async () => {
  const { database } = test;
  const { intake, stuck } = stuckIntake();
  const bank = new SandboxBank(database);
  for (const [index, reference] of REFERENCES.entries()) {
    const paidAt = new Date(AT.getTime() + index);
    await bank.pay({ reference, amountCents: 1_000, paidAt, payer: PAYER, metadata: null });
  }
  const notifying = new SandboxPayments(bank, intake, SILENT_LOG).notifyAgain(LATER, 10);
  const notifiedCount = () => database.em.fork().count(SandboxChargeEntity, { notifiedAt: { $ne: null } });
  await eventually(async () => expect(await notifiedCount()).toBe(REFERENCES.length - 1));
  stuck.resolve('PAID');
  await notifying;
  expect(await notifiedCount()).toBe(REFERENCES.length);
});

it('notifies of other disputes while one is not acknowledged', async () => {
  const { database } = test;
  const { intake, stuck } = stuckIntake();
  const disputes = new SandboxDisputes(database);
  for (const [index, reference] of REFERENCES.entries())
    await disputes.open(reference, WHY, new Date(AT.getTime() + index));
  const notifying = new SandboxDisputeNotices(disputes, intake, SILENT_LOG).notifyAgain(LATER, 10);
  const notifiedCount = () => database.em.fork().count(SandboxDisputeEntity, { acknowledgedStatus: 'OPEN' });
  await eventually(async () => expect(await notifiedCount()).toBe(REFERENCES.length - 1));
  stuck.resolve('PAID');
  await notifying;
  expect(await notifiedCount()).toBe(REFERENCES.length);
});

/** Fails as if the workflows of the older references could not be reached. */
const partlyAway = () =>
  intakeOf(async ({ reference }) => {
    if (reference.startsWith('stuck')) throw new Error('out of reach');
    return 'PAID';
  });

it('notifies of a new payment despite more stuck ones than one round takes', async () => {
  const { database } = test;
  const bank = new SandboxBank(database);
  for (const [index, reference] of ['stuck 1', 'stuck 2', 'stuck 3', 'new payment'].entries()) {
    const paidAt = new Date(AT.getTime() + index);
    await bank.pay({ reference, amountCents: 1_000, paidAt, payer: PAYER, metadata: null });
  }
  const payments = new SandboxPayments(bank, partlyAway(), SILENT_LOG);
  await payments.notifyAgain(LATER, 2);
  await payments.notifyAgain(LATER, 2);
  const { notifiedAt } = await database.em
    .fork()
    .findOneOrFail(SandboxChargeEntity, { reference: 'new payment' });
  expect(notifiedAt).not.toBeNull();
});

it('notifies of a new dispute despite more stuck ones than one round takes', async () => {
  const { database } = test;
  const disputes = new SandboxDisputes(database);
  for (const [index, reference] of ['stuck 1', 'stuck 2', 'stuck 3', 'new dispute'].entries())
    await disputes.open(reference, WHY, new Date(AT.getTime() + index));
  const notices = new SandboxDisputeNotices(disputes, partlyAway(), SILENT_LOG);
  await notices.notifyAgain(LATER, 2);
  await notices.notifyAgain(LATER, 2);
  const { acknowledgedStatus } = await database.em
    .fork()
    .findOneOrFail(SandboxDisputeEntity, { reference: 'new dispute' });
  expect(acknowledgedStatus).toBe('OPEN');
});
