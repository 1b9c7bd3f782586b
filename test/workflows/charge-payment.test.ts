import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { cancel, mustPay, notify, pay, recordOf } from '../support/fixtures/charges.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import { insertPix, startAsleep } from '../support/rows/charges.ts';

let fixture: SubscribedFixture;
beforeAll(async () => {
  fixture = await createSubscribedFixture();
  await fixture.listen();
});
afterAll(() => fixture.close());

const NOTHING = { paidAmountCents: null, payments: [], events: [], deliveries: 0 };
const PAID = {
  status: 'PAID',
  paidAmountCents: 10_000,
  payments: ['ACCEPTED 10000'],
  events: ['transparent.completed'],
  deliveries: 1,
};

async function sleepingPix() {
  const charge = await insertPix(fixture);
  return { charge, workflow: await startAsleep(fixture, charge) };
}

describe('a payment of an open charge', () => {
  it('wakes the sleeping workflow, which ends PAID before its deadline', async () => {
    const { charge, workflow } = await sleepingPix();
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await workflow.result()).toBe('PAID');
    expect((await workflow.describe()).closeTime?.getTime()).toBeLessThan(charge.closesAt.getTime());
    expect(await recordOf(fixture, charge)).toEqual(PAID);
  });

  it('accepts a payment whose workflow has not been started', async () => {
    const charge = await insertPix(fixture);
    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
  });

  it('makes a PIX payment available at once although the bank’s clock is ahead', async () => {
    const { charge } = await sleepingPix();
    expect(await notify(fixture, await mustPay(fixture, charge, { aheadMs: 5_000 }))).toBe('PAID');
    const { settledAt } = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id: charge.id });
    expect(settledAt).not.toBeNull();
  });

  it('accepts a payment once if it is notified five times at the same time', async () => {
    const { charge } = await sleepingPix();
    const payment = await mustPay(fixture, charge);
    const answers = await Promise.all(Array.from({ length: 5 }, () => notify(fixture, payment)));
    expect(answers).toEqual(['PAID', 'PAID', 'PAID', 'PAID', 'PAID']);
    expect(await notify(fixture, payment)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.isReturned(payment)).toBe(false);
  });

  it('accepts one payment and returns the other if two payers pay at once', async () => {
    const { charge } = await sleepingPix();
    const payments = [await mustPay(fixture, charge), await mustPay(fixture, charge)];
    const answers = await Promise.all(payments.map((payment) => notify(fixture, payment)));
    expect(answers).toEqual(['PAID', 'PAID']);
    expect(await recordOf(fixture, charge)).toEqual({
      ...PAID,
      payments: ['ACCEPTED 10000', 'RETURNED 10000'],
    });
    expect(payments.filter((payment) => fixture.provider.isReturned(payment))).toHaveLength(1);
  });

  it('returns a payment of a cent too little and keeps the charge open', async () => {
    const { charge } = await sleepingPix();
    const tooLittle = await mustPay(fixture, charge, { amountCents: 9_999 });
    expect(await notify(fixture, tooLittle)).toBe('PENDING');
    expect(await recordOf(fixture, charge)).toEqual({
      ...NOTHING,
      status: 'PENDING',
      payments: ['RETURNED 9999'],
    });
    expect(fixture.provider.isReturned(tooLittle)).toBe(true);

    expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual({
      ...PAID,
      payments: ['ACCEPTED 10000', 'RETURNED 9999'],
    });
  });
});

describe('a notification of a payment', () => {
  it('refuses a notification of a payment that the provider does not know', async () => {
    const { charge } = await sleepingPix();
    const invented = { ...(await mustPay(fixture, charge)), providerPaymentId: 'E-invented' };
    await expect(notify(fixture, invented)).rejects.toThrow('does not know the payment');
    expect(await recordOf(fixture, charge)).toEqual({ ...NOTHING, status: 'PENDING' });
  });

  it("refuses a notification of another charge's payment", async () => {
    const { charge } = await sleepingPix();
    const { charge: other } = await sleepingPix();
    const payment = await mustPay(fixture, other);
    const misdirected = { ...payment, reference: charge.providerReference };
    await expect(notify(fixture, misdirected)).rejects.toThrow('does not know the payment');
    expect(await recordOf(fixture, charge)).toEqual({ ...NOTHING, status: 'PENDING' });
    expect(fixture.provider.isReturned(payment)).toBe(false);
  });
});

describe('cancelling', () => {
  it('cancels an open charge and closes it at the provider', async () => {
    const { charge, workflow } = await sleepingPix();
    expect(await cancel(fixture, charge)).toBe('CANCELLED');
    expect(await workflow.result()).toBe('CANCELLED');
    expect(await pay(fixture, charge)).toBeNull();
    expect(await recordOf(fixture, charge)).toEqual({ ...NOTHING, status: 'CANCELLED' });
  });

  it('returns a payment that comes after the charge was cancelled', async () => {
    const { charge } = await sleepingPix();
    await cancel(fixture, charge);
    const late = { reference: charge.providerReference, amountCents: 10_000, paidAt: await fixture.now() };
    const payment = fixture.provider.payDespiteClosing(late);
    expect(await notify(fixture, payment)).toBe('CANCELLED');
    expect(await recordOf(fixture, charge)).toEqual({
      ...NOTHING,
      status: 'CANCELLED',
      payments: ['RETURNED 10000'],
    });
    expect(fixture.provider.isReturned(payment)).toBe(true);
  });

  it('answers PAID to a cancellation after a payment, even if no notification came', async () => {
    const { charge: notified } = await sleepingPix();
    await notify(fixture, await mustPay(fixture, notified));
    expect(await cancel(fixture, notified)).toBe('PAID');

    const { charge: unnotified } = await sleepingPix();
    await mustPay(fixture, unnotified);
    expect(await cancel(fixture, unnotified)).toBe('PAID');
    expect(await recordOf(fixture, unnotified)).toEqual(PAID);
  });

  it('answers CANCELLED to every one of three cancellations', async () => {
    const { charge } = await sleepingPix();
    const answers = await Promise.all([cancel(fixture, charge), cancel(fixture, charge)]);
    expect([...answers, await cancel(fixture, charge)]).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });

  it('keeps the money only if the payment wins against a cancellation', async () => {
    const rounds = Array.from({ length: 30 }, async (_, round) => {
      const { charge, workflow } = await sleepingPix();
      const paying = async () => {
        const payment = await pay(fixture, charge);
        return { payment, notified: payment && (await notify(fixture, payment)) };
      };
      // The first two rounds are no races, so that both ends occur on any machine.
      if (round === 0) await cancel(fixture, charge);
      const first = round === 1 ? await paying() : null;
      const [cancelled, paid] = await Promise.all([cancel(fixture, charge), first ?? paying()]);
      return { charge, workflow, cancelled, ...paid };
    });
    const ends = new Set<string>();
    for (const { charge, workflow, cancelled, payment, notified } of await Promise.all(rounds)) {
      const end = await workflow.result();
      const { status, payments } = await recordOf(fixture, charge);
      ends.add(status);
      expect([cancelled, notified ?? 'CANCELLED', status]).toEqual([end, end, end]);
      const outcome = status === 'PAID' ? 'ACCEPTED' : 'RETURNED';
      expect(payments).toEqual(payment === null ? [] : [`${outcome} 10000`]);
      if (payment !== null) expect(fixture.provider.isReturned(payment)).toBe(status === 'CANCELLED');
    }
    expect([...ends].sort()).toEqual(['CANCELLED', 'PAID']);
  });
});
