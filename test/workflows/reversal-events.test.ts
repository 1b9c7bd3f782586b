import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Checkout } from '../../src/database/entities/checkout.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import { mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, openCheckout, openLink } from '../support/fixtures/checkouts.ts';
import { dispute, refund } from '../support/fixtures/money.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import type { Endpoint } from '../support/outside/webhook-sink.ts';
import { insertPix } from '../support/rows/charges.ts';
import { insertCustomer } from '../support/rows/checkout-rows.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';

// Each test compares the full body, so that it fails if a field is added, removed or renamed.

const EVENTS: EventName[] = [
  'transparent.refunded',
  'transparent.disputed',
  'transparent.lost',
  'checkout.refunded',
  'checkout.disputed',
  'checkout.lost',
];

/** The reason of a refund comes from the integrator, the reason of a dispute from the provider. */
const REASON = { refunded: 'Pedido cancelado', disputed: 'fraud', lost: 'fraud' };

const STATUS = { refunded: 'REFUNDED', disputed: 'UNDER_DISPUTE', lost: 'REFUNDED' };

/** A dispute and a refund of the full payment. */
const DISPUTED = {
  ...{
    disputePublicId: expect.stringMatching(/^disp_/),
    amount: 10_000,
    excessAmount: 0,
    evidenceSubmittedAt: null,
  },
  ...{ status: expect.stringMatching(/^(OPEN|LOST)$/), respondBy: expect.any(String) },
};
const WHOLE = {
  refundPublicId: expect.stringMatching(/^tran_/),
  initiatedBy: 'STORE',
  amount: 10_000,
  refundedAmount: 10_000,
};

type Happened = keyof typeof REASON;

const EACH: readonly Happened[] = ['refunded', 'disputed', 'lost'];

const PAYER = {
  method: 'PIX',
  PIX: { name: 'Maria Souza', taxId: '529.***.***-**', isSameAsCustomer: false },
};

let fixture: SubscribedFixture;
let endpoint: Endpoint;

beforeAll(async () => {
  const environment = await connectToRealServer();
  fixture = await createSubscribedFixture({ environment, taskQueue: 'reversal-events' });
});

beforeEach(async () => {
  await fixture.stopListening();
  endpoint = await fixture.listen({ events: EVENTS });
});

afterAll(() => fixture.close());

async function happens(happened: Happened, charge: Charge): Promise<void> {
  if (happened === 'refunded') await refund(fixture, charge);
  else await dispute(fixture, charge, 'OPEN');
  if (happened === 'lost') await dispute(fixture, charge, 'LOST');
}

/** The full body of this event. Fails if the endpoint receives it more than once. */
async function received(event: string): Promise<unknown> {
  const bodies = () => endpoint.received.map(({ body }): { event: string } => JSON.parse(body));
  await endpoint.waitFor(() => bodies().some((body) => body.event === event));
  const published = bodies().filter((body) => body.event === event);
  expect(published).toHaveLength(1);
  return published[0];
}

async function paidNow(charge: Charge): Promise<Charge> {
  expect(await notify(fixture, await mustPay(fixture, charge))).toBe('PAID');
  return charge;
}

function chargeNow({ id }: Charge): Promise<Charge> {
  return fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
}

function envelope(event: string) {
  const eventId = expect.stringMatching(/^evnt_/);
  return { id: expect.stringMatching(/^log_/), event, apiVersion: 2, devMode: true, eventId };
}

async function transparentEvent(happened: Happened, charge: Charge) {
  const { updatedAt } = await chargeNow(charge);
  return {
    ...envelope(`transparent.${happened}`),
    data: {
      transparent: {
        id: charge.id,
        externalId: null,
        amount: 10_000,
        paidAmount: 10_000,
        platformFee: 80,
        status: STATUS[happened],
        frequency: 'ONE_TIME',
        devMode: true,
        customerId: null as string | null,
        methods: ['PIX'],
        receiptUrl: `https://recebe.test/receipt/${charge.id}`,
        metadata: {},
        createdAt: charge.createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      },
      customer: null as unknown,
      payerInformation: PAYER,
      reason: REASON[happened],
      ...(happened === 'refunded' ? { refund: WHOLE } : { dispute: DISPUTED }),
    },
  };
}

async function checkoutEvent(happened: Happened, checkout: Checkout, charge: Charge) {
  const updatedAt = (await chargeNow(charge)).updatedAt.toISOString();
  const receiptUrl = `https://recebe.test/receipt/${charge.id}`;
  const isLink = checkout.frequency === 'MULTIPLE_PAYMENTS';
  const status = happened === 'disputed' ? 'PAID' : 'REFUNDED';
  return {
    ...envelope(`checkout.${happened}`),
    data: {
      checkout: {
        id: checkout.id,
        externalId: null,
        url: `https://recebe.test/pay/${checkout.id}`,
        amount: 10_000,
        paidAmount: 10_000,
        customerFee: null,
        platformFee: 80,
        frequency: checkout.frequency,
        items: [{ id: checkout.items[0]?.productId, quantity: 2 }],
        status: isLink ? 'PENDING' : status,
        methods: ['PIX', 'CARD', 'BOLETO'],
        customerId: null,
        customerNamedBy: null,
        receiptUrl,
        installmentsCount: null as number | null,
        isUpSell: false,
        metadata: {},
        devMode: true,
        createdAt: checkout.createdAt.toISOString(),
        updatedAt,
      },
      payment: {
        id: charge.id,
        amount: 10_000,
        paidAmount: 10_000,
        platformFee: 80,
        status: STATUS[happened],
        methods: ['PIX'],
        upSell: false,
        installmentId: null,
        installmentNumber: null,
        receiptUrl,
        metadata: {},
        devMode: true,
        createdAt: charge.createdAt.toISOString(),
        updatedAt,
      },
      customer: null,
      payerInformation: PAYER as unknown,
      reason: REASON[happened],
      ...(happened === 'refunded' ? { refund: WHOLE } : { dispute: DISPUTED }),
    },
  };
}

describe('a transparent charge', () => {
  it.each(EACH)('sends status, payer and reason of a charge that was %s', async (happened) => {
    const charge = await paidNow(await insertPix(fixture));
    await happens(happened, charge);
    expect(await received(`transparent.${happened}`)).toEqual(await transparentEvent(happened, charge));
  });

  it('sends the customer of a refunded charge', async () => {
    const customer = await insertCustomer(fixture, { taxId: '52998224725', name: 'Maria Souza' });
    const charge = await paidNow(await insertPix(fixture, { customerId: customer.id }));
    await happens('refunded', charge);
    const expected = await transparentEvent('refunded', charge);
    const { name, email } = customer;
    expect(await received('transparent.refunded')).toEqual({
      ...expected,
      data: {
        ...expected.data,
        transparent: { ...expected.data.transparent, customerId: customer.id },
        customer: { id: customer.id, name, email, taxId: PAYER.PIX.taxId, devMode: true },
        payerInformation: { ...PAYER, PIX: { ...PAYER.PIX, isSameAsCustomer: true } },
      },
    });
  });
});

describe('the payment of a checkout', () => {
  it.each(EACH)('sends the current state of a checkout that was %s', async (happened) => {
    const checkout = await openCheckout(fixture);
    const charge = await paidNow(await beginPayment(fixture, checkout));
    await happens(happened, charge);
    expect(await received(`checkout.${happened}`)).toEqual(await checkoutEvent(happened, checkout, charge));
  });

  it('sends card data and installments of a refunded checkout', async () => {
    const checkout = await openCheckout(fixture, { maxInstallments: 12 });
    const charge = await beginPayment(fixture, checkout, { method: 'CARD', installmentsCount: 3 });
    await happens('refunded', charge);
    const expected = await checkoutEvent('refunded', checkout, charge);
    const platformFee = 410;
    expect(await received('checkout.refunded')).toEqual({
      ...expected,
      data: {
        ...expected.data,
        checkout: { ...expected.data.checkout, platformFee, installmentsCount: 3 },
        payment: { ...expected.data.payment, platformFee, methods: ['CARD'] },
        payerInformation: { method: 'CARD', CARD: { number: '4242', brand: 'visa' } },
      },
    });
  });
});

describe('one payment of a link', () => {
  it.each(EACH)('sends one payment of a link that was %s, and the link as open', async (happened) => {
    const link = await openLink(fixture);
    const charge = await paidNow(await beginPayment(fixture, link));
    await paidNow(await beginPayment(fixture, link));
    await happens(happened, charge);
    expect(await received(`checkout.${happened}`)).toEqual(await checkoutEvent(happened, link, charge));
  });
});

describe('a dispute that is won', () => {
  it('sends no webhook for a won dispute without a subscription to it', async () => {
    const charge = await paidNow(await insertPix(fixture));
    await happens('disputed', charge);
    await dispute(fixture, charge, 'WON');
    await received('transparent.disputed');
    await happens('refunded', charge);
    await received('transparent.refunded');
    const em = fixture.database.em.fork();
    const [count] = await em.execute<{ count: number }[]>(
      `select count(*)::int as count from deliveries join events on events.id = event_id where strpos(data, ?) > 0`,
      [charge.id],
    );
    expect([count?.count, endpoint.received.length]).toEqual([2, 2]);
  });
});
