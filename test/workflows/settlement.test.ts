import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { isBusinessDay } from '../../src/domain/business-days.ts';
import {
  addDays,
  type CivilDate,
  saoPauloDateOf,
  saoPauloMidnight,
  weekday,
} from '../../src/domain/civil-date.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { AMOUNT_COLUMNS, amountExpressions } from '../../src/ledger/amount-columns.ts';
import { SettlementStarts } from '../../src/temporal/settlement.ts';
import { settlementWorkflowId } from '../../workflows/settlement.contract.ts';
import type { settlement } from '../../workflows/settlement.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, endOf, openCheckout } from '../support/fixtures/checkouts.ts';
import { dispute, paidPix, refund } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { booksOf, heldBy, withNewStore } from '../support/rows/books.ts';
import { insertBoleto, insertPix } from '../support/rows/charges.ts';

// The server's clock only moves forward, so every test waits for the next day that fits.

const HOUR_MS = 60 * 60 * 1_000;

/** The store's net amount of R$ 100.00 paid by card, and by boleto or Pix. */
const NET_OF_CARD_CENTS = 10_000 - 410;
const NET_CENTS = 10_000 - 80;

let shared: WorkflowFixture;
let fixture: WorkflowFixture;

beforeAll(async () => {
  shared = await createWorkflowFixture();
});

beforeEach(async () => {
  fixture = await withNewStore(shared);
});

afterAll(() => shared.close());

/** Waits for noon in São Paulo on the next day that fits. */
async function noonOf(suits: (day: CivilDate) => boolean): Promise<CivilDate> {
  let day = addDays(saoPauloDateOf(await fixture.now()), 1);
  while (!suits(day)) day = addDays(day, 1);
  await timeBecomes(new Date(saoPauloMidnight(day).getTime() + 12 * HOUR_MS));
  return day;
}

/** Noon of a business day before another one. A boleto settles the next night, and no other payment before it. */
const noonBeforeBusinessDay = () => noonOf((day) => isBusinessDay(day) && isBusinessDay(addDays(day, 1)));

async function timeBecomes(instant: Date): Promise<void> {
  const untilMs = instant.getTime() - (await fixture.now()).getTime();
  if (untilMs > 0) await fixture.environment.sleep(untilMs);
}

function settlementOf({ client, storeId }: WorkflowFixture, settlesAt: Date) {
  const workflowId = settlementWorkflowId(storeId, true, saoPauloDateOf(settlesAt));
  return client.workflow.getHandle<typeof settlement>(workflowId);
}

/** Waits until after that instant. @returns how many payments the newest run of its day made available. */
async function settledOn(settlesAt: Date): Promise<number> {
  // This client does not skip time. The clock could jump by years once a result is there.
  await timeBecomes(new Date(settlesAt.getTime() + 1_000));
  return endOf(fixture, settlementOf(fixture, settlesAt));
}

async function chargeNow({ id }: Pick<Charge, 'id'>): Promise<Charge & { readonly settlesAt: Date }> {
  const charge = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
  if (charge.settlesAt === null) throw new Error('it is not paid');
  return { ...charge, settlesAt: charge.settlesAt };
}

async function boleto(): Promise<Charge> {
  const dueDate = addDays(saoPauloDateOf(await fixture.now()), 60);
  return insertBoleto(fixture, { dueDate, interest: null, fine: null });
}

async function paidBoleto() {
  const charge = await boleto();
  expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
  return chargeNow(charge);
}

async function paidByCard() {
  return chargeNow(await beginPayment(fixture, await openCheckout(fixture), { method: 'CARD' }));
}

describe('a payment', () => {
  it('makes a Pix payment available immediately without a workflow', async () => {
    const { settlesAt, settledAt } = await chargeNow(await paidPix(fixture));
    expect(settledAt).not.toBeNull();
    expect(await heldBy(fixture)).toMatchObject({ availableCents: NET_CENTS });
    await expect(settlementOf(fixture, settlesAt).describe()).rejects.toThrow('not found');
  });

  it('settles Pix payments dated in the future once their time has come', async () => {
    const now = (await fixture.now()).getTime();
    const settlesAt: Date[] = [];
    for (const aheadMs of [30_000, 60_000]) {
      const charge = await insertPix(fixture);
      const paidAt = new Date(now + aheadMs);
      const { providerReference: reference, amountCents } = charge;
      await notify(fixture, fixture.provider.payDespiteClosing({ reference, amountCents, paidAt }));
      settlesAt.push((await chargeNow(charge)).settlesAt);
    }
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: 2 * NET_CENTS });
    const [first = new Date(0), last = first] = settlesAt;
    await timeBecomes(last);
    expect(await settledOn(first)).toBe(2);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: 2 * NET_CENTS });
  });

  it('makes a card payment available after 30 days, at the start of the day', async () => {
    const day = await noonOf(() => true);
    const { settlesAt } = await paidByCard();
    expect(settlesAt).toEqual(saoPauloMidnight(addDays(day, 30)));
    await timeBecomes(new Date(settlesAt.getTime() - 60_000));
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: NET_OF_CARD_CENTS });
    expect(await settledOn(settlesAt)).toBe(1);
    expect(await heldBy(fixture)).toEqual({
      clearingCents: 10_000,
      availableCents: NET_OF_CARD_CENTS,
      platformFeesCents: 410,
    });
    const { closeTime } = await settlementOf(fixture, settlesAt).describe();
    expect((closeTime?.getTime() ?? 0) - settlesAt.getTime()).toBeLessThan(60_000);
  });

  it.each<[string, number, (day: CivilDate) => boolean]>([
    [
      'the next day if paid before a business day',
      1,
      (day) => isBusinessDay(day) && isBusinessDay(addDays(day, 1)),
    ],
    ['on Monday if paid on a Friday', 3, (day) => weekday(day) === 5 && isBusinessDay(addDays(day, 3))],
    [
      'the day after Labour Day if paid the day before it',
      2,
      (day) => day.endsWith('04-30') && [1, 2, 3].includes(weekday(day)),
    ],
  ])('makes a boleto available %s', async (_, daysLater, suits) => {
    const day = await noonOf(suits);
    const charge = await paidBoleto();
    const settlesAt = saoPauloMidnight(addDays(day, daysLater));
    expect(charge.settlesAt).toEqual(settlesAt);
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: NET_CENTS });
    expect(await settledOn(charge.settlesAt)).toBe(1);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: NET_CENTS });
    expect((await chargeNow(charge)).settledAt?.getTime()).toBeGreaterThanOrEqual(settlesAt.getTime());
  });

  it('makes a boleto available immediately if it is notified after its day', async () => {
    const charge = await boleto();
    const payment = await mustPay(fixture, charge);
    await timeBecomes(new Date((await fixture.now()).getTime() + 10 * 24 * HOUR_MS));
    await notify(fixture, payment);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: NET_CENTS });
  });
});

describe('the settlement day of a payment', () => {
  it('skips refunded and disputed payments and settles the others', async () => {
    const [refunded, disputed, kept] = [await paidByCard(), await paidByCard(), await paidByCard()];
    await refund(fixture, refunded);
    await dispute(fixture, disputed, 'OPEN');
    expect(await settledOn(kept.settlesAt)).toBe(1);
    expect(await heldBy(fixture)).toMatchObject({
      availableCents: NET_OF_CARD_CENTS,
      blockedCents: 10_000,
    });
  });

  it('settles a payment whose dispute was won before', async () => {
    const charge = await paidByCard();
    await dispute(fixture, charge, 'OPEN');
    expect(await dispute(fixture, charge, 'WON')).toBe('PAID');
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: NET_OF_CARD_CENTS });
    expect(await settledOn(charge.settlesAt)).toBe(1);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: NET_OF_CARD_CENTS });
  });

  it('makes a payment available when its dispute is won after the settlement day', async () => {
    const charge = await paidByCard();
    await dispute(fixture, charge, 'OPEN');
    expect(await settledOn(charge.settlesAt)).toBe(0);
    expect(await dispute(fixture, charge, 'WON')).toBe('PAID');
    expect(await heldBy(fixture)).toMatchObject({ availableCents: NET_OF_CARD_CENTS });
  });

  it('settles a payment in another run if its dispute was won during the first', async () => {
    const charge = await paidByCard();
    const { id: chargeId, providerReference: reference, settlesAt } = charge;
    await dispute(fixture, charge, 'OPEN');
    expect(await settledOn(settlesAt)).toBe(0);
    // The activity got its time before the day started and commits after the settlement has read the rows.
    const providerDisputeId = `dispute-of-${chargeId}`;
    fixture.provider.setDispute({ providerDisputeId, reference, status: 'WON', reason: null });
    const nowMs = settlesAt.getTime() - 1;
    expect(await fixture.activities.recordDispute({ chargeId, providerDisputeId, nowMs })).toBe('PAID');
    expect(await settledOn(settlesAt)).toBe(1);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: NET_OF_CARD_CENTS });
  });

  it('settles a payment whose refund was refused before', async () => {
    const charge = await paidByCard();
    fixture.provider.refuseReturns();
    expect((await refund(fixture, charge)).status).toBe('PAID');
    fixture.provider.refuseReturns(false);
    expect(await settledOn(charge.settlesAt)).toBe(1);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: NET_OF_CARD_CENTS });
  });
});

describe('a payment that is accepted as its settlement day starts', () => {
  it('settles a late payment in the run that still sleeps', async () => {
    await noonBeforeBusinessDay();
    const early = await paidBoleto();
    const workflow = settlementOf(fixture, early.settlesAt);
    const { runId } = await workflow.describe();
    const late = await boleto();
    const payment = await mustPay(fixture, late);
    await timeBecomes(new Date(early.settlesAt.getTime() - 60_000));
    await notify(fixture, payment);
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: 2 * NET_CENTS });
    expect(await settledOn(early.settlesAt)).toBe(2);
    expect((await workflow.describe()).runId).toBe(runId);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: 2 * NET_CENTS });
  });

  it('starts another run for a payment that the first run has just missed', async () => {
    await noonBeforeBusinessDay();
    const early = await paidBoleto();
    const late = await boleto();
    const { providerPaymentId } = await mustPay(fixture, late);
    expect(await settledOn(early.settlesAt)).toBe(1);
    const nowMs = early.settlesAt.getTime() - 1;
    await fixture.activities.recordPayment({ chargeId: late.id, providerPaymentId, nowMs });
    expect(await settledOn(early.settlesAt)).toBe(1);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: 2 * NET_CENTS });
  });
});

describe('the settlement of a day', () => {
  const PAID_AMOUNTS = amountExpressions({
    clearingCents: '10000',
    pendingCents: '9920',
    platformFeesCents: '80',
  });

  /** Inserts paid charges that settle at this instant, with their ledger movements. */
  async function insertPaid(count: number, settlesAt: Date, devMode = true): Promise<void> {
    const pattern = await insertPix(fixture);
    const em = fixture.database.em.fork();
    const rows = Array.from({ length: count }, () => {
      const id = mintId<ChargeId>('pixCharge', settlesAt);
      const paid = { status: 'PAID', paidAmountCents: 10_000, paidAt: pattern.createdAt, settlesAt } as const;
      return { ...pattern, ...paid, id, providerReference: id, devMode };
    });
    await em.insertMany(ChargeEntity, rows);
    await em.execute(
      `insert into ledger_movements (subject_id, kind, store_id, dev_mode, ${AMOUNT_COLUMNS}, created_at)
       select id, 'PAYMENT', store_id, dev_mode, ${PAID_AMOUNTS}, paid_at
       from charges where id = any (?) and dev_mode = ?`,
      [`{${rows.map(({ id }) => id).join(',')}}`, devMode],
    );
  }

  function settle(devMode: boolean, at: Date, { storeId } = fixture): Promise<number> {
    return fixture.activities.settleCharges({ storeId, devMode, nowMs: at.getTime() });
  }

  it('settles 450 payments once if two settlements run at the same time', async () => {
    const now = await fixture.now();
    await insertPaid(450, now);
    const counts = await Promise.all([settle(true, now), settle(true, now)]);
    expect(counts[0] + counts[1]).toBe(450);
    expect(await heldBy(fixture)).toMatchObject({ availableCents: 450 * NET_CENTS });
    expect(await settle(true, now)).toBe(0);
  });

  it('settles only due payments of its own store and environment', async () => {
    const now = await fixture.now();
    const other = fixture;
    await insertPaid(1, now);
    fixture = await withNewStore(shared);
    await insertPaid(2, now);
    await insertPaid(4, now, false);
    await insertPaid(8, new Date(now.getTime() + 1));
    expect(await settle(true, now)).toBe(2);
    expect(await heldBy(fixture)).toMatchObject({
      availableCents: 2 * NET_CENTS,
      pendingCents: 8 * NET_CENTS,
    });
    expect(await booksOf(fixture, { ...fixture, devMode: false })).toMatchObject({
      pendingCents: 4 * NET_CENTS,
    });
    expect(await heldBy(other)).toMatchObject({ pendingCents: NET_CENTS });
    expect(await settle(false, now)).toBe(4);
    expect(await settle(true, now, other)).toBe(1);
  });

  it('starts one run per day and environment, with one call per process', async () => {
    let calls = 0;
    const client = new Client({
      connection: fixture.environment.connection,
      interceptors: {
        workflow: [
          {
            start: (input, next) => {
              calls += 1;
              return next(input);
            },
          },
        ],
      },
    });
    const nowMs = (await fixture.now()).getTime();
    const settlesAt = new Date(nowMs + 86_400_000);
    const owner = { storeId: fixture.storeId, devMode: true };
    const one = new SettlementStarts(client, fixture.taskQueue);
    for (let time = 0; time < 3; time++) await one.start(owner, settlesAt, nowMs);
    expect(calls).toBe(1);
    const { runId } = await settlementOf(fixture, settlesAt).describe();
    await new SettlementStarts(client, fixture.taskQueue).start(owner, settlesAt, nowMs);
    expect(calls).toBe(2);
    expect((await settlementOf(fixture, settlesAt).describe()).runId).toBe(runId);
    await one.start({ ...owner, devMode: false }, settlesAt, nowMs);
    expect(calls).toBe(3);
  });
});
