import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpf } from 'cpf-cnpj-validator';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { cancel, chargeUpdates, mustPay, notify, pay } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  cancelCheckout,
  checkoutRecordOf,
  checkoutWorkflowOf,
  endOf,
  openCheckout,
  openLink,
  startCheckoutAsleep,
  tryPayment,
  usesOf,
} from '../support/fixtures/checkouts.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';
import { chargesOf, insertCoupon } from '../support/rows/checkout-rows.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

/**
 * How many checkouts each race uses. Either side may win any of them, so other tests of this file fix the order:
 * one side pays while the other side is in the middle.
 */
const ROUNDS = roundsOf(100);

/** Rounds under way at once. They vary each other's timing, but must not overload two cores. */
const AT_ONCE = 10;

let fixture: WorkflowFixture;

beforeAll(async () => {
  // The real server, because a clock that skips time could reach a deadline while another round is under way.
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'checkout-races' });
});

afterAll(() => fixture.close());

async function inRounds(round: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const runner = async () => {
    while (next < ROUNDS) await round(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
}

/** A checkout whose workflow sleeps in every other round, and is not yet started in the rest. */
async function checkoutOf(round: number): Promise<Checkout> {
  const checkout = await openCheckout(fixture);
  if (round % 2 === 0) await startCheckoutAsleep(fixture, checkout);
  return checkout;
}

/** Starts `one` within 6 ms and `other` within `laterMs`, in either order. */
function atOnce<One, Other>(
  one: () => Promise<One>,
  other: () => Promise<Other>,
  laterMs = 6,
): Promise<[One, Other]> {
  return Promise.all([delay(Math.random() * 6).then(one), delay(Math.random() * laterMs).then(other)]);
}

/** The money that the provider keeps for these charges, in cents. */
function keptCents(charges: readonly Charge[]): number {
  return charges.reduce(
    (sum, { providerReference }) => sum + fixture.provider.keptCents(providerReference),
    0,
  );
}

/**
 * Expects one payment in the books and at the provider. @returns the paid charge and the number of returned
 * payments.
 */
async function expectPaidOnce(checkout: Checkout) {
  expect(await endOf(fixture, checkoutWorkflowOf(fixture, checkout))).toBe('PAID');
  const charges = await chargesOf(fixture, checkout.id);
  const [winner, ...others] = charges.filter(({ status }) => status === 'PAID');
  expect(others).toEqual([]);
  for (const { id, status } of charges) if (id !== winner?.id) expect(status).toMatch(/^CANCELLED|FAILED$/);
  const { status, paidAmountCents, payments, events } = await checkoutRecordOf(fixture, checkout);
  expect({ status, paidAmountCents, events }).toEqual({ status: 'PAID', paidAmountCents: 10_000, events: 1 });
  expect(payments.filter((payment) => payment.startsWith('ACCEPTED'))).toEqual(['ACCEPTED 10000']);
  expect(keptCents(charges)).toBe(10_000);
  return { winner, returned: payments.filter((payment) => payment === 'RETURNED 10000').length };
}

/** A card payment whose workflow nobody has started yet. */
function begunByCard(checkout: Checkout): Promise<Charge> {
  const away = { authorize: () => Promise.reject(new Error('Temporal is away')) };
  return beginPayment(fixture, checkout, { method: 'CARD', deps: { chargeUpdates: away } });
}

/** A checkout with two charges: a PIX code that is paid, and a card that has not been charged yet. */
async function codeAndCard() {
  const checkout = await checkoutOf(0);
  const payment = await mustPay(fixture, await beginPayment(fixture, checkout));
  return { checkout, payment, card: await begunByCard(checkout) };
}

describe('a payment while another one is accepted', () => {
  it('returns a PIX payment if another code is paid during its look-up', async () => {
    const checkout = await checkoutOf(0);
    const [one, other] = [await beginPayment(fixture, checkout), await beginPayment(fixture, checkout)];
    const [payment, faster] = [await mustPay(fixture, one), await mustPay(fixture, other)];
    fixture.provider.afterNextAnswer('findPayment', () => notify(fixture, faster));
    await notify(fixture, payment);
    const { winner, returned } = await expectPaidOnce(checkout);
    expect([winner?.id, returned]).toEqual([other.id, 1]);
  });

  it('returns a PIX payment if a card is charged during its look-up', async () => {
    const { checkout, payment, card } = await codeAndCard();
    fixture.provider.afterNextAnswer('findPayment', () => chargeUpdates(fixture).authorize(card, null));
    await notify(fixture, payment);
    const { winner, returned } = await expectPaidOnce(checkout);
    expect([winner?.method, returned]).toEqual(['CARD', 1]);
  });

  it('returns an approved card payment if a PIX code is paid meanwhile', async () => {
    const { checkout, payment, card } = await codeAndCard();
    fixture.provider.afterNextAnswer('chargeCard', () => notify(fixture, payment));
    expect(await chargeUpdates(fixture).authorize(card, null)).toBe('CANCELLED');
    const { winner, returned } = await expectPaidOnce(checkout);
    expect([winner?.method, returned]).toEqual(['PIX', 1]);
  });
});

describe(`two payments of one checkout at once, in ${ROUNDS} rounds,`, () => {
  it('accepts one of two PIX payments and returns the other one', async () => {
    await inRounds(async (round) => {
      const checkout = await checkoutOf(round);
      const [one, other] = await Promise.all([
        beginPayment(fixture, checkout),
        beginPayment(fixture, checkout),
      ]);
      const [onePayment, otherPayment] = [await mustPay(fixture, one), await mustPay(fixture, other)];
      await atOnce(
        () => notify(fixture, onePayment),
        () => notify(fixture, otherPayment),
      );
      expect((await expectPaidOnce(checkout)).returned).toBe(1);
    });
  });

  it('accepts either card or PIX and returns or never charges the other one', async () => {
    await inRounds(async (round) => {
      const checkout = await checkoutOf(round);
      const payment = await mustPay(fixture, await beginPayment(fixture, checkout));
      const card = await begunByCard(checkout);
      await atOnce(
        () => notify(fixture, payment),
        () => chargeUpdates(fixture).authorize(card, null),
      );
      await expectPaidOnce(checkout);
    });
  });
});

describe('a payment while its checkout is cancelled', () => {
  /** How long the last cancellation took. Payments are spread over this time, however busy the machine is. */
  let cancellingMs = 50;

  async function timedCancellation(checkout: Checkout) {
    const startedMs = performance.now();
    const status = await cancelCheckout(fixture, checkout);
    cancellingMs = performance.now() - startedMs;
    return status;
  }

  /** Ways in which the payer is about to pay. */
  const WAYS: readonly ((checkout: Checkout) => Promise<() => Promise<unknown>>)[] = [
    // The provider has the money, and the notification follows.
    async (checkout) => {
      const payment = await mustPay(fixture, await beginPayment(fixture, checkout));
      return () => notify(fixture, payment);
    },
    // The provider accepts the money, or refuses it because the charge was closed.
    async (checkout) => {
      const charge = await beginPayment(fixture, checkout);
      return async () => {
        const payment = await pay(fixture, charge);
        return payment && notify(fixture, payment);
      };
    },
    // The provider has the money but does not report it when the charge is closed.
    async (checkout) => {
      const payment = await mustPay(fixture, await beginPayment(fixture, checkout));
      fixture.provider.hideFromClosing(payment);
      return () => notify(fixture, payment);
    },
    // The payer starts and pays in one request.
    async (checkout) => () => tryPayment(fixture, checkout, { method: 'CARD' }),
  ];

  it('returns a payment whose charge is closed after the look-up', async () => {
    const { checkout, charge, payment } = await hiddenPayment();
    const nowMs = Date.now();
    fixture.provider.afterNextAnswer('findPayment', () =>
      fixture.activities.cancelCharge({ chargeId: charge.id, nowMs }),
    );
    expect(await notify(fixture, payment)).toBe('CANCELLED');
    expect(await cancelCheckout(fixture, checkout)).toBe('CANCELLED');
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({
      status: 'CANCELLED',
      payments: ['RETURNED 10000'],
      events: 0,
    });
    expect(fixture.provider.isReturned(payment)).toBe(true);
  });

  it('keeps a payment that is accepted after the provider has closed its charge', async () => {
    const { checkout, charge, payment } = await hiddenPayment();
    const { providerPaymentId } = payment;
    const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
    fixture.provider.afterNextAnswer('close', () => fixture.activities.recordPayment(input));
    expect(await cancelCheckout(fixture, checkout)).toBe('PAID');
    expect((await expectPaidOnce(checkout)).winner?.id).toBe(charge.id);
  });

  /** A payment that the provider does not report when it closes the charge. */
  async function hiddenPayment() {
    const checkout = await checkoutOf(0);
    const charge = await beginPayment(fixture, checkout);
    const payment = await mustPay(fixture, charge);
    fixture.provider.hideFromClosing(payment);
    return { checkout, charge, payment };
  }

  it(`keeps a payment if PAID, returns it if CANCELLED, in ${ROUNDS} rounds`, async () => {
    await inRounds(async (round) => {
      const checkout = await checkoutOf(round >> 2);
      const paying = await WAYS[round % WAYS.length]?.(checkout);
      const [answer] = await atOnce(
        () => timedCancellation(checkout),
        async () => paying?.(),
        cancellingMs,
      );
      await endOf(fixture, checkoutWorkflowOf(fixture, checkout));
      const charges = await chargesOf(fixture, checkout.id);
      const { status, paidAmountCents, events } = await checkoutRecordOf(fixture, checkout);
      const isPaid = status === 'PAID';
      expect(answer).toBe(isPaid ? 'PAID' : 'CANCELLED');
      expect({ status, paidAmountCents, events, keptCents: keptCents(charges) }).toEqual({
        status: answer,
        paidAmountCents: isPaid ? 10_000 : null,
        events: isPaid ? 1 : 0,
        keptCents: isPaid ? 10_000 : 0,
      });
      for (const charge of charges) expect(charge.status).not.toBe('PENDING');
    });
  });
});

describe('a coupon capped at 50 on a payment link', () => {
  const CAP = 50;
  const PAYERS = Array.from({ length: 100 }, (_, index) => ({
    name: `Payer ${index}`,
    taxId: cpf.generate(),
    email: null,
    cellphone: null,
  }));
  const TRIES_EACH = 4;
  const RUNS = Array.from({ length: roundsOf(4) }, (_, index) => index + 1);

  it.each(RUNS)('accepts exactly 50 of 400 concurrent tries by 100 payers (run %i)', async () => {
    const coupon = await insertCoupon(fixture, { maxRedeems: CAP });
    const link = await openLink(fixture, { coupons: [coupon.code] });
    for (let declines = 0; declines < 20; declines++) fixture.provider.declineNext('card_declined');

    const tries = PAYERS.flatMap((payer) => Array.from({ length: TRIES_EACH }, () => payer));
    const ends = await Promise.all(
      tries.map((payer, index) => redeem(link, coupon.code, payer, index).catch(String)),
    );

    expect(tally(ends)).toEqual({ PAID: CAP, COUPON_EXHAUSTED: tries.length - CAP });
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: CAP, reservedCount: 0 });
    const { paidAmountCents, payments, events } = await checkoutRecordOf(fixture, link);
    expect({ paidAmountCents, payments: tally(payments), events }).toEqual({
      paidAmountCents: CAP * 9_000,
      payments: { 'ACCEPTED 9000': CAP },
      events: CAP,
    });
    const charges = await chargesOf(fixture, link.id);
    expect(keptCents(charges)).toBe(CAP * 9_000);
    // Otherwise no use was ever released and reserved again.
    expect(charges.length).toBeGreaterThan(CAP);
  });

  /** Tries until a payment is accepted or refused. A payer tries again after a declined card or a cancelled code. */
  async function redeem(
    link: Checkout,
    couponCode: string,
    payer: (typeof PAYERS)[number],
    index: number,
  ): Promise<string> {
    const method = index % 2 === 0 ? 'CARD' : 'PIX';
    let givesUp = index % 5 === 0;
    for (;;) {
      const charge = await tryPayment(fixture, link, { method, couponCode, payer });
      if (typeof charge === 'string') return charge;
      const { status } = method === 'CARD' ? await answered(charge) : charge;
      if (status === 'PAID') return 'PAID';
      if (method === 'PIX' && !givesUp) return String(await notify(fixture, await mustPay(fixture, charge)));
      if (method === 'PIX') await cancel(fixture, charge);
      else expect(status).toBe('FAILED');
      givesUp = false;
    }
  }

  /** The charge once the card's issuer has answered. On a busy machine a payer's page is shown before. */
  function answered({ id }: Charge): Promise<Charge> {
    return eventually(async () => {
      const charge = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
      expect(charge.status).not.toBe('PENDING');
      return charge as Charge;
    });
  }

  function tally(values: readonly string[]): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  }
});
