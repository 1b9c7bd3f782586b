import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { Intake } from '../../src/notifications/intake.ts';
import { Sweeper } from '../../src/recovery/sweeper.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { chargeUpdates, notify, recordOf } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  checkoutRecordOf,
  endOf,
  openCheckout,
  sleepingCheckout,
  usesOf,
} from '../support/fixtures/checkouts.ts';
import { bundleWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { insertCoupon } from '../support/rows/checkout-rows.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';

const BY_CARD = { method: 'CARD' } as const;
const PAID = {
  status: 'PAID',
  paidAmountCents: 10_000,
  payments: ['ACCEPTED 10000'],
  events: ['checkout.completed'],
  deliveries: 0,
};

let fixture: WorkflowFixture;

beforeAll(async () => {
  // The real server: an authorization waits in real time, and nothing here waits for a date.
  const environment = await connectToRealServer();
  const bundle = await bundleWorkflows(undefined, [
    new URL('../support/fixtures/impatient-workflows.ts', import.meta.url),
  ]);
  fixture = await createWorkflowFixture({ environment, taskQueue: 'card-payment', bundle });
});

afterAll(() => fixture.close());

/**
 * A card payment that was committed just before Temporal became unreachable: nothing has started its
 * workflow.
 */
async function begunWithoutTemporal(): Promise<Charge> {
  const away = { authorize: () => Promise.reject(new Error('Temporal is away')) };
  const charge = await beginPayment(fixture, await openCheckout(fixture), {
    ...BY_CARD,
    deps: { chargeUpdates: away },
  });
  expect(charge).toMatchObject({ status: 'PENDING', workflowStartedAt: null });
  return charge;
}

async function reasonOf({ id }: Charge) {
  return (await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id })).failureReason;
}

describe('a card payment', () => {
  it('returns PAID, brand and last four digits in the answer to the request', async () => {
    const charge = await beginPayment(fixture, await openCheckout(fixture), BY_CARD);
    expect(charge).toMatchObject({ status: 'PAID', cardBrand: 'visa', cardLastFour: '4242' });
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
  });

  it.each([
    ['PENDING', { outcome: 'PENDING', pollAfterMs: 10 }],
    ['REQUIRES_ACTION', { outcome: 'REQUIRES_ACTION', url: 'https://3ds.example.com', pollAfterMs: 10 }],
  ] as const)('stays PENDING while the issuer answers %s, and ends by its decision', async (_, undecided) => {
    fixture.provider.answerCardsFirst(undecided, undecided);
    const charge = await beginPayment(fixture, await openCheckout(fixture), BY_CARD);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(10_000);
  });

  it('charges the card once if a form sends it twice at the same time', async () => {
    const checkout = await openCheckout(fixture);
    const attempt = { ...BY_CARD, submissionKey: 'one form' };
    const [one, other] = await Promise.all([
      beginPayment(fixture, checkout, attempt),
      beginPayment(fixture, checkout, attempt),
    ]);
    expect(one.id).toBe(other.id);
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ charges: ['CARD PAID'], events: 1 });
    expect(fixture.provider.keptCents(one.providerReference)).toBe(10_000);
  });

  it('returns the first payment if it was paid while the form sent it again', async () => {
    const checkout = await openCheckout(fixture);
    const attempt = { ...BY_CARD, submissionKey: 'one form' };
    const { provider } = fixture;
    let first: Charge | undefined;
    jest.spyOn(provider, 'tokenizeCard').mockImplementationOnce(async (card) => {
      first = await beginPayment(fixture, checkout, attempt);
      return provider.tokenizeCard(card);
    });
    const second = await beginPayment(fixture, checkout, attempt);
    expect(second).toMatchObject({ id: first?.id, status: 'PAID' });
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ charges: ['CARD PAID'], events: 1 });
  });

  it('fails with the issuer’s reason if declined and leaves its checkout open', async () => {
    const checkout = await openCheckout(fixture);
    fixture.provider.declineNext('expired_card');
    const charge = await beginPayment(fixture, checkout, BY_CARD);
    expect(charge).toMatchObject({ status: 'FAILED', failureReason: 'expired_card' });
    await expect(chargeWorkflowOf(fixture, charge).result()).rejects.toMatchObject({
      cause: {
        type: 'CHARGE_FAILED',
        message: 'The payment failed: expired_card',
        details: ['expired_card'],
      },
    });
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({
      status: 'PENDING',
      charges: ['CARD FAILED'],
    });
  });

  it('cancels without charging the card if the checkout was paid meanwhile', async () => {
    const charge = await begunWithoutTemporal();
    const { checkoutId } = charge;
    if (checkoutId === null) throw new Error('it is of a checkout');
    await beginPayment(fixture, { id: checkoutId }, BY_CARD);
    expect(await chargeUpdates(fixture).authorize(charge, null)).toBe('CANCELLED');
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(0);
  });

  it('returns a lost approval if another payment has paid the checkout meanwhile', async () => {
    const charge = await begunWithoutTemporal();
    const { checkoutId } = charge;
    if (checkoutId === null) throw new Error('it is of a checkout');
    fixture.provider.afterNextAnswer('chargeCard', async () => {
      await beginPayment(fixture, { id: checkoutId }, BY_CARD);
      throw new Error('connection reset');
    });
    expect(await chargeUpdates(fixture).authorize(charge, null)).toBe('CANCELLED');
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(0);
    expect(await recordOf(fixture, charge)).toMatchObject({
      status: 'CANCELLED',
      payments: ['RETURNED 10000'],
    });
  });
});

describe('a card payment that the provider never answers', () => {
  it('fails as processing_error, closes it at the provider and releases its coupon', async () => {
    const coupon = await insertCoupon(fixture, { maxRedeems: 1 });
    const { checkout } = await sleepingCheckout(fixture, { coupons: [coupon.code] });
    fixture.provider.failNext('chargeCard', Infinity);
    const charge = await beginPayment(fixture, checkout, { ...BY_CARD, couponCode: coupon.code });
    fixture.provider.failNext('chargeCard', 0);
    expect(charge).toMatchObject({ status: 'FAILED', failureReason: 'processing_error' });
    expect(fixture.provider.isClosed(charge.providerReference)).toBe(true);
    expect(await usesOf(fixture, coupon)).toEqual({ redeemsCount: 0, reservedCount: 0 });
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({
      status: 'PENDING',
      payments: [],
      events: 0,
    });
  });

  it('accepts the payment if the provider had approved it before it stopped answering', async () => {
    fixture.provider.afterNextAnswer('chargeCard', async () => {
      fixture.provider.failNext('chargeCard', Infinity);
      throw new Error('connection reset');
    });
    const charge = await beginPayment(fixture, await openCheckout(fixture), BY_CARD);
    fixture.provider.failNext('chargeCard', 0);
    expect(charge.status).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(await reasonOf(charge)).toBeNull();
  });
});

describe('a card payment whose workflow the sweeper has started', () => {
  async function sweep(): Promise<void> {
    const starter = new WorkflowStarter(fixture.client, fixture.taskQueue, fixture.database, SILENT_LOG);
    const { client, database } = fixture;
    const rest = { notices: [], clocks: NO_CLOCKS, chargeUpdates: chargeUpdates(fixture) };
    const sweeper = new Sweeper({ client, database, starter, ...rest, log: SILENT_LOG });
    await sweeper.sweep(new Date(Date.now() + 60_000));
    await starter.close();
  }

  it('decides the payment without a request and returns PAID to a later one', async () => {
    const charge = await begunWithoutTemporal();
    await sweep();
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(await chargeUpdates(fixture).authorize(charge, null)).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
  });

  it('returns PAID to a request that comes while the payment is being decided', async () => {
    const charge = await begunWithoutTemporal();
    let asked: Promise<string> | undefined;
    const isAsked = new Promise<void>((resolve) => {
      fixture.provider.afterNextAnswer('chargeCard', async () => {
        asked = chargeUpdates(fixture).authorize(charge, null);
        resolve();
      });
    });
    await sweep();
    await isAsked;
    expect(await asked).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(10_000);
  });
});

describe('a card payment that its payer has to confirm', () => {
  const CONFIRM = {
    outcome: 'REQUIRES_ACTION',
    url: 'https://bank.example.com/3ds',
    pollAfterMs: 60_000,
  } as const;
  const DEADLINE_MS = 15 * 60_000;

  async function rowOf({ id }: Charge): Promise<Charge> {
    return fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
  }

  /** The payer was sent to their bank. @param times how often the provider answers that before it decides. */
  async function sentToBank(checkout: Checkout, times = 1): Promise<Charge> {
    fixture.provider.answerCardsFirst(...Array.from({ length: times }, () => CONFIRM));
    return beginPayment(fixture, checkout, BY_CARD);
  }

  afterEach(() => {
    fixture.provider.forgetUndecided();
    fixture.provider.forgetDeclines();
    fixture.provider.failNext('chargeCard', 0);
    fixture.provider.actionTimeoutMs = DEADLINE_MS;
  });

  it('answers PENDING with the page of the bank and its deadline at once', async () => {
    const charge = await sentToBank(await openCheckout(fixture));
    expect(charge).toMatchObject({ status: 'PENDING', actionUrl: CONFIRM.url });
    const askedAt = charge.actionRequiredAt?.getTime() ?? 0;
    expect(charge.closesAt.getTime() - askedAt).toBe(DEADLINE_MS);
    await chargeUpdates(fixture).askProviderNow(charge.id);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
  });

  it('accepts the payment as soon as the payer is back, in at most 30 events', async () => {
    const charge = await sentToBank(await openCheckout(fixture));
    await chargeUpdates(fixture).askProviderNow(charge.id);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(await rowOf(charge)).toMatchObject({ actionUrl: null });
    const { events } = await chargeWorkflowOf(fixture, charge).fetchHistory();
    expect(events?.length).toBeLessThanOrEqual(30);
  });

  it('accepts one payment if payer and notification arrive at the same time', async () => {
    const charge = await sentToBank(await openCheckout(fixture));
    const payment = fixture.provider.payDespiteClosing({
      reference: charge.providerReference,
      amountCents: charge.amountCents,
      paidAt: new Date(),
    });
    jest
      .spyOn(fixture.provider, 'chargeCard')
      .mockImplementationOnce(async () => ({ outcome: 'APPROVED', payment }));
    await Promise.all([
      chargeUpdates(fixture).askProviderNow(charge.id),
      notify(fixture, payment),
      chargeUpdates(fixture).askProviderNow(charge.id),
    ]);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(10_000);
  });

  it('fails at once by the notice of a refusal, although the payer never comes back', async () => {
    const checkout = await openCheckout(fixture);
    const charge = await sentToBank(checkout);
    fixture.provider.declineNext('authentication_failed');
    const { name: provider } = fixture.provider;
    const intake = new Intake(fixture.database, chargeUpdates(fixture));
    await intake.receiveNews({ provider, reference: charge.providerReference });
    await expect(chargeWorkflowOf(fixture, charge).result()).rejects.toThrow();
    expect(await rowOf(charge)).toMatchObject({ failureReason: 'authentication_failed', actionUrl: null });
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PENDING' });
    // Notices may come twice, late, or about a charge that was never issued.
    await intake.receiveNews({ provider, reference: charge.providerReference });
    await intake.receiveNews({ provider, reference: 'card_of_nobody' });
  });

  it('fails with the reason if the payer refuses, and leaves the checkout open', async () => {
    const checkout = await openCheckout(fixture);
    const charge = await sentToBank(checkout);
    fixture.provider.declineNext('authentication_failed');
    await chargeUpdates(fixture).askProviderNow(charge.id);
    await expect(chargeWorkflowOf(fixture, charge).result()).rejects.toThrow();
    expect(await rowOf(charge)).toMatchObject({ failureReason: 'authentication_failed', actionUrl: null });
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PENDING' });
  });

  it('gives up at the deadline and closes the payment at the provider', async () => {
    fixture.provider.actionTimeoutMs = 1_500;
    const charge = await sentToBank(await openCheckout(fixture), 20);
    await expect(chargeWorkflowOf(fixture, charge).result()).rejects.toThrow();
    expect(await rowOf(charge)).toMatchObject({ failureReason: 'authentication_required', actionUrl: null });
    expect(fixture.provider.isClosed(charge.providerReference)).toBe(true);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(0);
  });

  it('accepts a payment that was confirmed just before the deadline closes it', async () => {
    fixture.provider.actionTimeoutMs = 1_500;
    const charge = await sentToBank(await openCheckout(fixture), 20);
    const { providerReference: reference, amountCents } = charge;
    fixture.provider.payDespiteClosing({ reference, amountCents, paidAt: new Date() });
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.keptCents(reference)).toBe(10_000);
  });

  it('does not block another card, whose payment cancels it', async () => {
    const { checkout } = await sleepingCheckout(fixture);
    const first = await sentToBank(checkout);
    const second = await beginPayment(fixture, checkout, BY_CARD);
    expect(second.status).toBe('PAID');
    expect(await endOf(fixture, chargeWorkflowOf(fixture, first))).toBe('CANCELLED');
    expect(fixture.provider.keptCents(first.providerReference)).toBe(0);
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PAID', events: 1 });
  });

  it('returns the money if it is confirmed after another card has paid', async () => {
    const { checkout } = await sleepingCheckout(fixture);
    const first = await sentToBank(checkout);
    const { providerReference: reference, amountCents } = first;
    fixture.provider.payDespiteClosing({ reference, amountCents, paidAt: new Date() });
    expect((await beginPayment(fixture, checkout, BY_CARD)).status).toBe('PAID');
    expect(await endOf(fixture, chargeWorkflowOf(fixture, first))).toBe('CANCELLED');
    expect(fixture.provider.keptCents(reference)).toBe(0);
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PAID', events: 1 });
  });

  it('accepts the payment once although the provider is away when the payer is back', async () => {
    const charge = await sentToBank(await openCheckout(fixture));
    fixture.provider.failNext('chargeCard', 8);
    await chargeUpdates(fixture).askProviderNow(charge.id);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(10_000);
  });
});
