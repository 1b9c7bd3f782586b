import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Charge } from '../../src/database/entities/charge.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import { chargeStateQuery } from '../../workflows/charge.contract.ts';
import { chargeUpdates, notify, pay, recordOf } from '../support/fixtures/charges.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** Each round uses its own charge. */
const ROUNDS = roundsOf(60);

/** How far apart the payments are, which all come shortly before or after the deadline. */
const SPREAD_MS = 600 / ROUNDS;

/** Lifetimes of a charge that must expire during an activity. Each try is longer, for slow machines. */
const SLOWER_AND_SLOWER_S = [6, 8, 8, 16, 30];

/** Local activities of a run take turns, so an activity runs beside another only once it continues as a regular one. */
const LOCAL_TRIES = 6;

/** An activity of a charge that takes longer times out and runs again. */
const ACTIVITY_LIMIT_MS = 20_000;

let fixture: WorkflowFixture;

beforeAll(async () => {
  fixture = await createWorkflowFixture();
});

afterAll(() => fixture.close());

/** Expects the provider and the books to agree that the payment was either accepted or returned. */
async function expectFair(charge: Charge, payment: ProviderPayment | null): Promise<string> {
  const { status, payments, events } = await recordOf(fixture, charge);
  expect(['PAID', 'EXPIRED']).toContain(status);
  const outcome = status === 'PAID' ? 'ACCEPTED' : 'RETURNED';
  expect(payments).toEqual(payment === null ? [] : [`${outcome} 10000`]);
  expect(events).toEqual(status === 'PAID' ? ['transparent.completed'] : []);
  if (payment !== null) expect(fixture.provider.isReturned(payment)).toBe(status === 'EXPIRED');
  return status;
}

/** A payment that the provider reports although it had said there was none. */
function latePayment(charge: Charge, paidAt: Date): ProviderPayment {
  const { providerReference: reference, amountCents } = charge;
  return fixture.provider.payDespiteClosing({ reference, amountCents, paidAt });
}

describe('a payment at the moment of expiry', () => {
  it('accepts a payment made a millisecond before the deadline', async () => {
    const charge = await insertPix(fixture);
    const paidAt = new Date(charge.closesAt.getTime() - 1);
    const payment = latePayment(charge, paidAt);
    expect(await (await startAsleep(fixture, charge)).result()).toBe('PAID');
    await notify(fixture, payment);
    expect(await expectFair(charge, payment)).toBe('PAID');
  });

  it('returns a payment made exactly at the deadline', async () => {
    const charge = await insertPix(fixture);
    const payment = latePayment(charge, charge.closesAt);
    expect(await (await startAsleep(fixture, charge)).result()).toBe('EXPIRED');
    await notify(fixture, payment);
    expect(await expectFair(charge, payment)).toBe('EXPIRED');
  });

  it('accepts a payment that is recorded between the closing and EXPIRED', async () => {
    const charge = await insertPix(fixture);
    const payment = latePayment(charge, charge.createdAt);
    fixture.provider.hideFromClosing(payment);
    const nowMs = charge.closesAt.getTime();
    const { providerPaymentId } = payment;
    // The provider closes with nothing paid; before that is written down, the payment is notified and
    // accepted.
    fixture.provider.afterNextAnswer('close', () =>
      fixture.activities.recordPayment({ chargeId: charge.id, providerPaymentId, nowMs }),
    );
    expect(await fixture.activities.expireCharge({ chargeId: charge.id, nowMs })).toBe('PAID');
    expect(await expectFair(charge, payment)).toBe('PAID');
  });

  it.each([
    ['accepts', 'in time', 'PAID', -1],
    ['returns', 'late', 'EXPIRED', 0],
  ] as const)('%s a payment made %s if the charge expires between look-up and record', async (...row) => {
    const [, , end, afterTheEndMs] = row;
    const charge = await insertPix(fixture);
    const payment = latePayment(charge, new Date(charge.closesAt.getTime() + afterTheEndMs));
    const nowMs = charge.closesAt.getTime();
    fixture.provider.hideFromClosing(payment);
    fixture.provider.afterNextAnswer('findPayment', () =>
      fixture.activities.expireCharge({ chargeId: charge.id, nowMs }),
    );
    const { providerPaymentId } = payment;
    const status = await fixture.activities.recordPayment({
      chargeId: charge.id,
      providerPaymentId,
      nowMs,
    });
    expect(status).toBe(end);
    expect(await expectFair(charge, payment)).toBe(end);
  });

  it('stays EXPIRED if an activity that read PENDING answers after the deadline', async () => {
    const statusOf = async (charge: Charge) => (await recordOf(fixture, charge)).status;
    let isAsMeant = false;
    for (const expiresInS of SLOWER_AND_SLOWER_S) {
      const charge = await insertPix(fixture, { expiresInS });
      const workflow = await startAsleep(fixture, charge);
      let wasPending = false;
      let tookMs = Number.POSITIVE_INFINITY;
      fixture.provider.failNext('findPayment', LOCAL_TRIES);
      fixture.provider.afterNextAnswer('findPayment', async () => {
        const askedAtMs = performance.now();
        wasPending = (await statusOf(charge)) === 'PENDING';
        await eventually(async () => expect(await statusOf(charge)).toBe('EXPIRED'));
        tookMs = performance.now() - askedAtMs;
      });
      const unknown = { ...latePayment(charge, charge.closesAt), providerPaymentId: 'unknown' };
      fixture.provider.hideFromClosing(unknown);
      const answer = await chargeUpdates(fixture).confirmPayment(charge, unknown.providerPaymentId, null);
      // The run still looks for the payment, and its status is the one set at the deadline.
      expect(await workflow.query(chargeStateQuery)).toMatchObject({ status: 'EXPIRED' });
      await workflow.terminate();
      // On a slow machine the deadline may come before the activity reads, its answer together with that of
      // the other, or too late.
      isAsMeant = wasPending && tookMs < ACTIVITY_LIMIT_MS && answer === 'EXPIRED';
      if (isAsMeant) break;
    }
    expect(isAsMeant).toBe(true);
  });

  it(`decides by the time of payment in ${ROUNDS} races of activities`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const charge = await insertPix(fixture);
      const isLate = round % 2 === 0;
      const payment = latePayment(charge, isLate ? charge.closesAt : charge.createdAt);
      if (round % 3 !== 0) fixture.provider.hideFromClosing(payment);
      const { providerPaymentId } = payment;
      const input = { chargeId: charge.id, nowMs: charge.closesAt.getTime() };
      const record = () => fixture.activities.recordPayment({ ...input, providerPaymentId });
      const expire = () => fixture.activities.expireCharge(input);
      // The first two rounds are no races, so that both ends occur on any machine.
      const first = round === 0 ? record() : round === 1 ? expire() : null;
      await first;
      const [recorded, expired] = await Promise.all([
        round === 0 ? first : delay(Math.random() * 3).then(record),
        round === 1 ? first : delay(Math.random() * 3).then(expire),
      ]);
      const end = await expectFair(charge, payment);
      expect(end).toBe(isLate ? 'EXPIRED' : 'PAID');
      expect(isLate ? ['PENDING', 'EXPIRED'] : ['PAID']).toContain(recorded);
      // The one that closes may have said EXPIRED of a charge that a payment in time made PAID afterwards.
      expect(isLate ? ['EXPIRED'] : ['EXPIRED', 'PAID']).toContain(expired);
    }
  });

  it(`decides by the time of payment in ${ROUNDS} races of workflows`, async () => {
    const rounds = Array.from({ length: ROUNDS }, async (_, round) => {
      const charge = await insertPix(fixture, { expiresInS: 3 });
      const workflow = await startAsleep(fixture, charge);
      // Updates do not make time jump, so these seconds pass as they are.
      await delay(charge.closesAt.getTime() - (await fixture.now()).getTime() + round * SPREAD_MS - 300);
      const takesMoneyLate = round % 2 === 0;
      const payment = takesMoneyLate ? latePayment(charge, await fixture.now()) : await pay(fixture, charge);
      const notified = payment && (await notify(fixture, payment));
      return { charge, workflow, payment, notified };
    });
    for (const { charge, workflow, payment, notified } of await Promise.all(rounds)) {
      const ended = await workflow.result();
      const inTime = payment !== null && payment.paidAt < charge.closesAt;
      expect(await expectFair(charge, payment)).toBe(inTime ? 'PAID' : 'EXPIRED');
      expect(inTime ? ['PAID'] : ['PENDING', 'EXPIRED', null]).toContain(notified);
      expect(inTime ? ['EXPIRED', 'PAID'] : ['EXPIRED']).toContain(ended);
    }
  });
});
