import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { Sweeper } from '../../src/recovery/sweeper.ts';
import { WorkflowStarter } from '../../src/temporal/workflow-starter.ts';
import { NO_CLOCKS } from '../support/api/no-starter.ts';
import { chargeUpdates, recordOf } from '../support/fixtures/charges.ts';
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

  it('charges the card once if the provider fails three times first', async () => {
    fixture.provider.failNext('chargeCard', 3);
    const charge = await beginPayment(fixture, await openCheckout(fixture), BY_CARD);
    expect(charge.status).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(10_000);
  });

  it('charges the card once if the provider’s approval was lost and is requested again', async () => {
    fixture.provider.afterNextAnswer('chargeCard', () => Promise.reject(new Error('connection reset')));
    const charge = await beginPayment(fixture, await openCheckout(fixture), BY_CARD);
    expect(charge.status).toBe('PAID');
    expect(await recordOf(fixture, charge)).toEqual(PAID);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(10_000);
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
