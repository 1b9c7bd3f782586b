import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAttention, resolveAttention } from '../../src/database/attention.ts';
import { ProviderAccountEntity } from '../../src/database/entities/provider-account.ts';
import type { ProviderAccountId } from '../../src/domain/ids.ts';
import { Intake } from '../../src/notifications/intake.ts';
import { accountsToList } from '../../src/notifications/provider-listings.ts';
import { takeListed } from '../../src/notifications/take-listed.ts';
import type { TimeWindow } from '../../src/providers/ports/pages.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import type { PaymentProvider } from '../../src/providers/provider.ts';
import { unsupported } from '../../src/providers/provider-error.ts';
import { providersOfOne } from '../../src/providers/providers.ts';
import { chargeUpdates, mustPay, notify, recordOf } from '../support/fixtures/charges.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;
const ROUND_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Limit of history events. Most of them are written in the first 90 minutes. */
const MOST_EVENTS_A_DAY = 500;

let fixture: WorkflowFixture;
beforeAll(async () => {
  fixture = await createWorkflowFixture();
  const { database, storeId, provider } = fixture;
  await database.em.fork().insert(ProviderAccountEntity, {
    id: provider.name as ProviderAccountId,
    storeId,
    kind: 'bank',
    profile: 'north',
    settings: {},
    secret: '',
    secretKeyId: null,
    version: 1,
    certificateEndsAt: null,
    createdAt: await fixture.now(),
    rotatedAt: null,
    removedAt: null,
  });
});
afterAll(() => fixture.close());

/** A charge with a payment that its bank names, and whose look-up answers "not found". */
async function unknownPayment() {
  const charge = await insertPix(fixture, { expiresInS: (30 * DAY_MS) / 1_000 });
  const workflow = await startAsleep(fixture, charge);
  const payment = await mustPay(fixture, charge);
  fixture.provider.hideFromLookUps(payment);
  return { charge, workflow, payment };
}
/** The same, 95 minutes after its bank's notification, when a note asks a person to look at it. */
async function notedPayment() {
  const unknown = await unknownPayment();
  await notify(fixture, unknown.payment).catch(() => undefined);
  await fixture.environment.sleep(95 * MINUTE_MS);
  await eventually(async () => expect(await notesOf(unknown)).toHaveLength(1));
  return unknown;
}

type Unknown = Awaited<ReturnType<typeof unknownPayment>>;

/** The fixture's bank, which lists these payments by when they were made. */
function listing(made: readonly ProviderPayment[]): PaymentProvider {
  const { name, charges, pix, disputes } = fixture.provider;
  const payments = async ({ from, until }: TimeWindow) => ({
    items: made.filter(({ paidAt }) => paidAt >= from && paidAt < until),
    nextCursor: null,
  });
  const listsNoCharges = { references: unsupported('list charges'), recall: unsupported('list charges') };
  return { name, charges, pix, disputes, listing: { payments, ...listsNoCharges } };
}

/** One round of listing, now. */
async function round(payments: readonly ProviderPayment[]) {
  const { client, database } = fixture;
  const bank = listing(payments);
  const providers = { providersOf: async () => providersOfOne(bank), issuerOf: async () => bank };
  const intake = new Intake(database, chargeUpdates(fixture));
  return takeListed({ client, database, providers, intake, log: SILENT_LOG }, await fixture.now());
}

async function roundsFor(forMs: number, payments: readonly ProviderPayment[]): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += ROUND_MS) {
    await round(payments);
    await fixture.environment.sleep(ROUND_MS);
  }
}

async function listedUntil(): Promise<Date | null> {
  const accounts = await accountsToList(fixture.database, { removedAfter: new Date(0) });
  return accounts.find(({ id }) => id === fixture.provider.name)?.listedUntil ?? null;
}

const notesOf = async ({ charge }: Unknown) =>
  (await openAttention(fixture.database, 1_000)).filter(({ subjectId }) => subjectId.endsWith(charge.id));

/** How many events all runs of a charge have together, and how many runs there are. */
async function historyOf({ workflow: { workflowId, firstExecutionRunId } }: Unknown) {
  let events = 0;
  let runs = 0;
  for (let runId: string | null = firstExecutionRunId; runId !== null; runs += 1) {
    const { events: history } = await fixture.client.workflow.getHandle(workflowId, runId).fetchHistory();
    events += history?.length ?? 0;
    runId = history?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? null;
  }
  return { events, runs };
}

describe('a payment that its bank lists each round and never knows', () => {
  it('holds the listing for 90 minutes, then notes the payment and adds no events', async () => {
    const unknown = await unknownPayment();
    const { payment } = unknown;
    const before = await fixture.now();
    await roundsFor(85 * MINUTE_MS, [payment]);
    expect(await notesOf(unknown)).toEqual([]);
    expect((await listedUntil())?.getTime() ?? 0).toBeLessThan(before.getTime() + MINUTE_MS);
    await roundsFor(20 * MINUTE_MS, [payment]);
    const subjectId = `${fixture.provider.name}/${payment.providerPaymentId}/${unknown.charge.id}`;
    const since = expect.any(Date);
    expect(await notesOf(unknown)).toMatchObject([{ kind: 'PAYMENT_NOT_FOUND', subjectId, since }]);
    expect((await listedUntil())?.getTime()).toBeGreaterThan(before.getTime() + 90 * MINUTE_MS);
    const { events } = await historyOf(unknown);
    await roundsFor(DAY_MS - 105 * MINUTE_MS, [payment]);
    expect(await historyOf(unknown)).toEqual({ events, runs: 1 });
    expect(events).toBeLessThan(MOST_EVENTS_A_DAY);
  });

  it('records the payment and closes its note in a round once its bank knows it', async () => {
    const unknown = await notedPayment();
    fixture.provider.hideFromLookUps(unknown.payment, false);
    await round([]);
    await eventually(async () => expect((await recordOf(fixture, unknown.charge)).status).toBe('PAID'));
    await round([]);
    expect(await notesOf(unknown)).toEqual([]);
  });

  it('records the payment if it is listed again after its note was resolved', async () => {
    const unknown = await notedPayment();
    const [{ subjectId = '' } = {}] = await notesOf(unknown);
    const now = await fixture.now();
    await resolveAttention(fixture.database, { kind: 'PAYMENT_NOT_FOUND', subjectId, now });
    const listedNow = { ...unknown.payment, paidAt: now };
    await round([listedNow]);
    expect(await notesOf(unknown)).toEqual([]);
    fixture.provider.hideFromLookUps(unknown.payment, false);
    await round([listedNow]);
    await eventually(async () => expect((await recordOf(fixture, unknown.charge)).status).toBe('PAID'));
  });

  it('looks up once per later notification and records the payment once it is known', async () => {
    const unknown = await notedPayment();
    const { events: before } = await historyOf(unknown);
    await notify(fixture, unknown.payment).catch(() => undefined);
    await fixture.environment.sleep(2 * HOUR_MS);
    expect((await historyOf(unknown)).events - before).toBeLessThan(10);
    fixture.provider.hideFromLookUps(unknown.payment, false);
    await notify(fixture, unknown.payment).catch(() => undefined);
    await eventually(async () => expect((await recordOf(fixture, unknown.charge)).status).toBe('PAID'));
  });
});
