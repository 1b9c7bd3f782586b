import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import { SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import type { CardVerification } from '../../src/providers/ports/cards.ts';
import { chargeUpdates } from '../support/fixtures/charges.ts';
import {
  beginPayment,
  chargeWorkflowOf,
  checkoutRecordOf,
  endOf,
  tryPayment,
} from '../support/fixtures/checkouts.ts';
import { cancelSubscription, eventsOf, openSubscriptionCheckout } from '../support/fixtures/subscriptions.ts';
import { bundleWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

const BY_CARD = { method: 'CARD' } as const;
const CONFIRM: CardVerification = { outcome: 'REQUIRES_ACTION', url: 'https://3ds.example.com/1' };
const DECLINED: CardVerification = { outcome: 'DECLINED', reason: 'insufficient_funds' };

let fixture: WorkflowFixture;
beforeAll(async () => {
  // The real server: a verification waits in real time, and nothing here waits for the trial's end.
  const environment = await connectToRealServer();
  const bundle = await bundleWorkflows(undefined, [
    new URL('../support/fixtures/impatient-workflows.ts', import.meta.url),
  ]);
  fixture = await createWorkflowFixture({ environment, taskQueue: 'trial-cards', bundle });
});
afterAll(() => fixture.close());
beforeEach(() => {
  fixture.provider.verification = { outcome: 'VERIFIED' };
  fixture.provider.verified.length = 0;
  fixture.provider.actionTimeoutMs = 15 * 60_000;
});

const trial = (more: Partial<Checkout> = {}) => openSubscriptionCheckout(fixture, { trialDays: 7, ...more });
const rowOf = ({ id }: Charge) =>
  fixture.database.em.fork().findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true });
const startedBy = ({ id }: Checkout) =>
  fixture.database.em.fork().findOne(SubscriptionEntity, { checkoutId: id }, { disableIdentityMap: true });
const erasedSoon = async ({ cardToken }: Charge) => {
  const sql = 'select provider from card_erasures where token = ?';
  return (await fixture.database.em.fork().execute(sql, [cardToken])).length === 1;
};

async function isOn(checkout: Checkout): Promise<void> {
  const subscription = await startedBy(checkout);
  expect(subscription).toMatchObject({ status: 'ACTIVE', method: 'CARD', cycleNumber: 0 });
  if (subscription !== null) await cancelSubscription(fixture, subscription);
}

describe('a trial by card', () => {
  it('starts after its card was verified once, and charges nothing', async () => {
    const checkout = await trial();
    const charge = await beginPayment(fixture, checkout, BY_CARD);
    expect(charge).toMatchObject({ status: 'PAID', method: 'FREE' });
    expect(fixture.provider.verified).toMatchObject([{ reference: charge.id, token: charge.cardToken }]);
    expect(fixture.provider.keptCents(charge.providerReference)).toBe(0);
    await isOn(checkout);
  });

  it('erases a declined card, and leaves the checkout open', async () => {
    const checkout = await trial();
    fixture.provider.verification = DECLINED;
    const declined = await beginPayment(fixture, checkout, BY_CARD);
    expect(declined).toMatchObject({ status: 'FAILED', failureReason: 'insufficient_funds' });
    expect(await startedBy(checkout)).toBeNull();
    expect(await erasedSoon(declined)).toBe(true);
    fixture.provider.verification = { outcome: 'VERIFIED' };
    expect(await beginPayment(fixture, checkout, BY_CARD)).toMatchObject({ status: 'PAID' });
    await isOn(checkout);
  });

  it('starts as soon as the payer is back from their bank', async () => {
    const checkout = await trial();
    fixture.provider.verification = CONFIRM;
    const charge = await beginPayment(fixture, checkout, BY_CARD);
    expect(charge).toMatchObject({ status: 'PENDING', actionUrl: CONFIRM.url });
    expect(await startedBy(checkout)).toBeNull();
    fixture.provider.verification = { outcome: 'VERIFIED' };
    await chargeUpdates(fixture).askProviderNow(charge.id);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(new Set(fixture.provider.verified.map(({ reference }) => reference))).toEqual(
      new Set([charge.id]),
    );
    await isOn(checkout);
  });

  it('gives up an abandoned confirmation, and starts with another card', async () => {
    const checkout = await trial();
    fixture.provider.actionTimeoutMs = 1_500;
    fixture.provider.verification = CONFIRM;
    const abandoned = await beginPayment(fixture, checkout, BY_CARD);
    await expect(chargeWorkflowOf(fixture, abandoned).result()).rejects.toThrow();
    expect(await rowOf(abandoned)).toMatchObject({
      ...{ status: 'FAILED', failureReason: 'authentication_required', actionUrl: null },
    });
    expect(await erasedSoon(abandoned)).toBe(true);
    fixture.provider.verification = { outcome: 'VERIFIED' };
    expect(await beginPayment(fixture, checkout, BY_CARD)).toMatchObject({ status: 'PAID' });
    await isOn(checkout);
  });

  it('starts once if two cards are confirmed', async () => {
    const checkout = await trial();
    fixture.provider.verification = CONFIRM;
    const first = await beginPayment(fixture, checkout, BY_CARD);
    fixture.provider.verification = { outcome: 'VERIFIED' };
    const second = await beginPayment(fixture, checkout, BY_CARD);
    await eventually(async () => expect((await rowOf(first)).status).toBe('CANCELLED'));
    // Its payer comes back after the other card was verified.
    await chargeUpdates(fixture).askProviderNow(first.id);
    expect((await rowOf(first)).status).toBe('CANCELLED');
    expect((await rowOf(second)).status).toBe('PAID');
    expect((await startedBy(checkout))?.cardToken).toBe(second.cardToken);
    await isOn(checkout);
  });

  it('asks again under the same reference after lost answers', async () => {
    const checkout = await trial();
    fixture.provider.failNext('verifyCard', 3);
    const charge = await beginPayment(fixture, checkout, BY_CARD);
    expect(await endOf(fixture, chargeWorkflowOf(fixture, charge))).toBe('PAID');
    expect(fixture.provider.verified.map(({ reference }) => reference)).toEqual(Array(4).fill(charge.id));
    const subscription = await startedBy(checkout);
    expect(subscription && (await eventsOf(fixture, subscription))).toEqual(['trial_started']);
    await isOn(checkout);
  });

  it('refuses the eleventh card, so that nobody tries out stolen ones', async () => {
    const checkout = await trial();
    fixture.provider.verification = DECLINED;
    for (let attempt = 0; attempt < 10; attempt++)
      expect(await beginPayment(fixture, checkout, BY_CARD)).toMatchObject({ status: 'FAILED' });
    expect(await tryPayment(fixture, checkout, BY_CARD)).toBe('TOO_MANY_ATTEMPTS');
    expect(await checkoutRecordOf(fixture, checkout)).toMatchObject({ status: 'PENDING' });
  });
});
