import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { Activities } from '../../activities/index.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { ChargeStatus } from '../../src/domain/charge.ts';
import type { SubscriptionId } from '../../src/domain/ids.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import { cancelNow } from '../../src/subscriptions/cancel-subscription.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { expectKeptAsWritten, holdsMoney, ingest, publishedToNoOne } from '../support/fixtures/bare-money.ts';
import { pay } from '../support/fixtures/charges.ts';
import { requestRefund } from '../support/fixtures/money.ts';
import { insertSubscription } from '../support/fixtures/subscriptions.ts';
import type { ProviderCall } from '../support/outside/misbehaving-provider.ts';
import { heldBy } from '../support/rows/books.ts';
import { chargesOf, insertCharge, insertCheckout } from '../support/rows/checkout-rows.ts';

// A worker dies after the provider has answered an activity and before the answer is stored. Something else changes
// before the activity runs again. After each change, the provider holds what the books say, nobody has paid for an ended
// charge or checkout, and no ended charge can still be paid.

let shared: BareFixture;
let fixture: BareFixture;

beforeAll(async () => {
  shared = await createBareFixture();
});

beforeEach(async () => {
  fixture = await shared.withNewStore();
});

afterAll(() => shared.close());

function depsOf(): ActivityDeps {
  return fixture.deps(publishedToNoOne(worker));
}

/** A new worker without any state of an earlier one. */
const worker = (): Activities => fixture.newWorker(depsOf());

const ENDED_UNPAID: readonly ChargeStatus[] = ['EXPIRED', 'CANCELLED', 'FAILED'];

/** The charge that the activity is about, and what may happen beside it. */
interface MoneyScenario {
  readonly charge: Charge;
  readonly checkout: Checkout;
  /** Another charge of the same checkout; null for a cycle. */
  readonly other: Charge | null;
  readonly subscriptionId: SubscriptionId | null;
}

const SCENARIOS: readonly { what: string; method: 'CARD' | 'PIX'; make: () => Promise<MoneyScenario> }[] = [
  { what: 'the card of a checkout', method: 'CARD', make: () => checkoutWith('CARD') },
  { what: 'the PIX code of a checkout', method: 'PIX', make: () => checkoutWith('PIX') },
  { what: 'the card of a cycle', method: 'CARD', make: cycleByCard },
];

async function checkoutWith(method: 'CARD' | 'PIX'): Promise<MoneyScenario> {
  const { provider } = fixture;
  const expiresAt = new Date(Date.now() + 86_400_000);
  const checkout = await insertCheckout(fixture, { expiresAt });
  const changes = { provider: provider.name, expiresAt, closesAt: expiresAt };
  const charge = await insertCharge(fixture, checkout, method, changes);
  return {
    charge,
    checkout,
    other: await insertCharge(fixture, checkout, 'PIX', changes),
    subscriptionId: null,
  };
}

async function cycleByCard(): Promise<MoneyScenario> {
  const anchor = new Date(Date.now() - 7 * 86_400_000);
  const { id, checkoutId } = await insertSubscription(fixture, anchor, {
    cycle: 'WEEKLY',
    methods: ['CARD'],
  });
  await worker().openCycle({ subscriptionId: id, number: 2, nowMs: Date.now() });
  const em = fixture.database.em.fork();
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: checkoutId });
  const charge = await em.findOneOrFail(ChargeEntity, { checkoutId, status: 'PENDING' });
  return { charge, checkout, other: null, subscriptionId: id };
}

/** Everything that may happen to a charge, its checkout or its subscription. Each change may come too late. */
const CHANGES: Record<string, (scenario: MoneyScenario) => Promise<unknown>> = {
  nothing: async () => {},
  'the charge is cancelled': ({ charge }) => ended(charge, 'cancelCharge'),
  'the charge expires': ({ charge }) => ended(charge, 'expireCharge'),
  'the charge is given up': ({ charge }) => ended(charge, 'failCharge'),
  'the payer pays it': async ({ charge }) => ingested(await paidBy(charge)),
  'the payer pays it, and no notification arrives': ({ charge }) => paidBy(charge),
  'too little is paid for it': async ({ charge }) => ingested(await paidBy(charge, charge.amountCents - 1)),
  'a refund is requested': refunded,
  'a dispute is opened': ({ charge }) => disputed(charge),
  'another payment of the checkout comes first': async ({ other }) => other && ingested(await paidBy(other)),
  'the checkout is cancelled': ({ checkout }) => endCheckout(checkout, 'cancelCheckout'),
  'the checkout expires': ({ checkout }) => endCheckout(checkout, 'expireCheckout'),
  'the subscription is cancelled': async ({ subscriptionId }) =>
    subscriptionId && cancelNow(depsOf(), subscriptionId, new Date()),
};

type Ending = 'cancelCharge' | 'expireCharge' | 'failCharge';

/** The point at which a worker dies: just after the provider has answered `call`. `begin` prepares the activity. */
interface Cut {
  readonly how: string;
  readonly call: ProviderCall;
  /** Absent for any. */
  readonly of?: 'CARD' | 'PIX';
  readonly begin: (scenario: MoneyScenario) => Promise<() => Promise<unknown>>;
}

const CUTS: readonly Cut[] = [
  { how: 'charges it', call: 'chargeCard', of: 'CARD', begin: authorizing },
  { how: 'cancels it', call: 'close', begin: ending('cancelCharge') },
  { how: 'expires it', call: 'close', begin: ending('expireCharge') },
  { how: 'gives it up', call: 'close', begin: ending('failCharge') },
  {
    how: 'records its payment',
    call: 'findPayment',
    of: 'PIX',
    begin: async ({ charge }) => ingesting(await paidBy(charge)),
  },
  {
    how: 'returns a payment of too little',
    call: 'refund',
    of: 'PIX',
    begin: async ({ charge }) => ingesting(await paidBy(charge, charge.amountCents - 1)),
  },
  {
    how: 'returns a second payment',
    call: 'refund',
    of: 'PIX',
    async begin({ charge, other }) {
      await ingested(other && (await paidBy(other)));
      return ingesting(await paidBy(charge));
    },
  },
  { how: 'refunds it', call: 'refund', begin: refunding },
];

const ingesting = (payment: ProviderPayment | null) => () => ingested(payment);

async function authorizing({ charge }: MoneyScenario) {
  return () => authorized(charge);
}

function ending(how: Ending): Cut['begin'] {
  return async ({ charge }) =>
    () =>
      ended(charge, how);
}

async function refunding({ charge }: MoneyScenario) {
  await (charge.method === 'CARD' ? authorized(charge) : ingested(await paidBy(charge)));
  return refundOf(charge);
}

async function refundOf(charge: Charge) {
  const { id: refundId } = await requestRefund(fixture, charge);
  return () => worker().refundCharge({ chargeId: charge.id, refundId, nowMs: Date.now() });
}

const ended = ({ id }: Charge, how: Ending) => worker()[how]({ chargeId: id, nowMs: Date.now() });

const authorized = ({ id }: Charge) => worker().authorizeCharge({ chargeId: id, nowMs: Date.now() });

/** Only a code is paid by its payer, unless the provider has closed it. A card is charged by an activity. */
async function paidBy(charge: Charge, amountCents = charge.amountCents): Promise<ProviderPayment | null> {
  return charge.method === 'CARD' ? null : pay(fixture, charge, { amountCents });
}

const ingested = (payment: ProviderPayment | null) => ingest(fixture, worker(), payment);

async function refunded(scenario: MoneyScenario): Promise<void> {
  if (!(await canBeReversed(scenario.charge))) return;
  await (await refundOf(scenario.charge))();
}

async function disputed(charge: Charge): Promise<void> {
  if (!(await canBeReversed(charge))) return;
  const { id: chargeId, providerReference: reference } = charge;
  const providerDisputeId = `dispute-of-${chargeId}`;
  fixture.provider.setDispute({
    providerDisputeId,
    reference,
    status: 'OPEN',
    amountCents: null,
    reason: 'fraud',
  });
  await worker().recordDispute({ chargeId, providerDisputeId, nowMs: Date.now() });
}

/** A charge with a refund under way is left alone until the refund ends. */
async function canBeReversed(charge: Charge): Promise<boolean> {
  const { status, refundId } = await nowOf(charge);
  return status === 'PAID' && refundId === null;
}

async function endCheckout({ id: checkoutId }: Checkout, how: 'cancelCheckout' | 'expireCheckout') {
  await worker()[how]({ checkoutId, nowMs: Date.now() + 2 * 86_400_000 });
  await worker().closeCharges({ checkoutId });
}

const nowOf = ({ id }: Charge) => fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });

/** Delivers late notifications (cards have none) and closes the charges of a paid or ended checkout. */
async function letEverythingArrive({ checkout }: MoneyScenario): Promise<void> {
  const codes = (await chargesOf(fixture, checkout.id)).filter(({ method }) => method === 'PIX');
  for (const charge of codes) {
    const { payments } = await fixture.provider.findByReference(charge.providerReference);
    for (const payment of payments) await ingested(payment);
  }
  const { status } = await fixture.database.em.fork().findOneOrFail(CheckoutEntity, { id: checkout.id });
  if (status !== 'PENDING') await worker().closeCharges({ checkoutId: checkout.id });
}

async function expectAllIsRight({ checkout, subscriptionId }: MoneyScenario): Promise<void> {
  // The first charge of a subscription is only a row, so the books hold no money for it.
  const charges = (await chargesOf(fixture, checkout.id)).filter(
    ({ cycleId }) => (cycleId === null) === (subscriptionId === null),
  );
  const kept = expectKeptAsWritten(fixture, charges);
  expect((await heldBy(fixture)).clearingCents ?? 0).toBe(kept.reduce((sum, cents) => sum + cents, 0));
  const canBePaid = charges.filter(
    ({ method, status, providerReference }) =>
      method === 'PIX' && ENDED_UNPAID.includes(status) && !fixture.provider.isClosed(providerReference),
  );
  expect(canBePaid.map(({ id, status }) => `${id} ${status}`)).toEqual([]);
  expect(charges.filter(holdsMoney).length).toBeLessThan(2);
  if (subscriptionId !== null) return;
  expect((await verifyLedger(fixture.database.em.fork(), fixture.storeId)).discrepancies).toEqual([]);
}

describe.each(SCENARIOS)('$what, whose worker dies when it', ({ method, make }) => {
  const cuts = CUTS.filter(({ of = method }) => of === method);
  describe.each(cuts)('$how, and meanwhile', ({ call, begin }) => {
    it.each(Object.entries(CHANGES))('%s', async (_, change) => {
      const scenario = await make();
      const run = await begin(scenario);
      fixture.provider.afterNextAnswer(call, () => Promise.reject(new Error('the worker died')));
      await expect(run()).rejects.toThrow('the worker died');
      await change(scenario);
      await run();
      await letEverythingArrive(scenario);
      await expectAllIsRight(scenario);
    });
  });
});
