import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityDeps } from '../../activities/deps.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { EventName } from '../../src/domain/event-names.ts';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { DisputeStatus } from '../../src/domain/reversal.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { mustPay } from '../support/fixtures/charges.ts';
import { refundOf, requestRefund } from '../support/fixtures/money.ts';
import { heldBy, movementsOf } from '../support/rows/books.ts';
import { insertWebhook } from '../support/rows/build.ts';
import { insertBoleto, insertPix } from '../support/rows/charges.ts';

// A worker may die at any step of a refund or a dispute. Temporal then runs the activity again in another worker,
// and the outcome must be the same as without the failure.

let shared: BareFixture;
let fixture: BareFixture;
let started: DeliveryId[];
let settling: Date[];

beforeAll(async () => {
  shared = await createBareFixture();
});

beforeEach(async () => {
  fixture = await shared.withNewStore();
  started = [];
  settling = [];
});

afterAll(async () => {
  await shared.close();
});

function newWorker(changes: Partial<ActivityDeps> = {}) {
  return fixture.newWorker({
    startDelivery: async ({ deliveryId }) => void started.push(deliveryId),
    startSettlement: async (_, settlesAt) => void settling.push(settlesAt),
    ...changes,
  });
}

/** A paid Pix charge and two webhooks for its refund and dispute events. */
async function paid(insert: () => Promise<Charge> = () => insertPix(fixture)): Promise<Charge> {
  const charge = await insert();
  const { providerPaymentId } = await mustPay(fixture, charge);
  const input = { chargeId: charge.id, providerPaymentId, nowMs: Date.now() };
  expect(await newWorker().recordPayment(input)).toBe('PAID');
  const events: EventName[] = ['transparent.refunded', 'transparent.disputed', 'transparent.lost'];
  for (const path of ['one', 'two']) {
    const endpoint = `https://example.com/${path}`;
    await insertWebhook(fixture.database, { storeId: fixture.storeId, endpoint, events });
  }
  return charge;
}

/** Everything after the payment: status of the charge, returned money, ledger, events and deliveries. */
async function aftermathOf({ id, providerReference }: Charge) {
  const em = fixture.database.em.fork();
  const { status } = await em.findOneOrFail(ChargeEntity, { id });
  const names: EventName[] = ['transparent.refunded', 'transparent.disputed', 'transparent.lost'];
  const events = await em.find(EventEntity, { storeId: fixture.storeId, name: { $in: names } });
  const deliveries = await em.find(DeliveryEntity, { eventId: { $in: events.map((event) => event.id) } });
  return {
    status,
    isReturned: fixture.provider.keptCents(providerReference) === 0,
    movements: (await movementsOf(fixture)).slice(1),
    held: await heldBy(fixture),
    events: events.map(({ name }) => name).sort(),
    deliveries: deliveries.length,
    // A repeated start has no effect, because the workflow id is derived from the delivery.
    started: deliveries.filter((delivery) => started.includes(delivery.id)).length,
  };
}

const PAID = { clearingCents: 10_000, availableCents: 9_920, platformFeesCents: 80 };

const died = () => Promise.reject(new Error('the worker died'));

/** Makes the worker fail while it writes a movement of this kind, which rolls its transaction back. */
async function dyingAtMovement(kind: string, run: () => Promise<unknown>): Promise<void> {
  const em = fixture.database.em.fork();
  await em.execute(`create function die() returns trigger language plpgsql as $$
    begin raise exception 'the worker died'; end $$;
    create trigger die before insert on ledger_movements for each row when (new.kind = '${kind}') execute function die()`);
  try {
    await expect(run()).rejects.toThrow('the worker died');
  } finally {
    await em.execute('drop trigger die on ledger_movements; drop function die()');
  }
}

describe('a refund whose worker dies', () => {
  const REFUNDED_ONCE = {
    status: 'REFUNDED',
    isReturned: true,
    movements: ['REFUND_RESERVED', 'REFUND_COMPLETED'],
    held: {},
    events: ['transparent.refunded'],
    deliveries: 2,
    started: 2,
  };

  async function requested() {
    const charge = await paid();
    const { id: refundId } = await requestRefund(fixture, charge);
    return { charge, input: { chargeId: charge.id, refundId, nowMs: Date.now() } };
  }

  it.each(['REFUND_RESERVED', 'REFUND_COMPLETED'])(
    'makes a refund once if the worker dies while it writes %s',
    async (kind) => {
      const { charge, input } = await requested();
      await dyingAtMovement(kind, () => newWorker().refundCharge(input));
      expect((await aftermathOf(charge)).events).toEqual([]);
      expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
      expect(await aftermathOf(charge)).toEqual(REFUNDED_ONCE);
    },
  );

  it('makes a refund once after the provider was down twice', async () => {
    const { charge, input } = await requested();
    fixture.provider.failNext('refund', 2);
    for (let time = 0; time < 2; time++)
      await expect(newWorker().refundCharge(input)).rejects.toThrow('the provider is down');
    expect(await heldBy(fixture)).toEqual({ clearingCents: 10_000, outgoingCents: 10_000 });
    expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
    expect(await aftermathOf(charge)).toEqual(REFUNDED_ONCE);
  });

  it('makes a refund once if the worker dies after the provider answered', async () => {
    const { charge, input } = await requested();
    fixture.provider.afterNextAnswer('refund', died);
    await expect(newWorker().refundCharge(input)).rejects.toThrow('the worker died');
    expect(await aftermathOf(charge)).toMatchObject({ status: 'PAID', isReturned: true, events: [] });
    expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
    expect(await aftermathOf(charge)).toEqual(REFUNDED_ONCE);
  });

  it('starts the deliveries of a refund if the worker died before it did', async () => {
    const { charge, input } = await requested();
    await expect(newWorker({ startDelivery: died }).refundCharge(input)).rejects.toThrow('the worker died');
    expect(await aftermathOf(charge)).toEqual({ ...REFUNDED_ONCE, started: 0 });
    expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
    expect(await aftermathOf(charge)).toEqual(REFUNDED_ONCE);
  });

  it('makes a refund once if its activity runs three times', async () => {
    const { charge, input } = await requested();
    for (let time = 0; time < 3; time++) expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
    expect(await aftermathOf(charge)).toEqual(REFUNDED_ONCE);
  });

  it('repeats no delivery of a refund that was already delivered', async () => {
    const { input } = await requested();
    await newWorker().refundCharge(input);
    const made = { status: 'DELIVERED', attempts: 1 } as const;
    await fixture.database.em.fork().nativeUpdate(DeliveryEntity, { id: { $in: started } }, made);
    started = [];
    expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
    expect(started).toEqual([]);
  });
});

describe('a refused refund whose worker dies', () => {
  const AS_BEFORE = {
    status: 'PAID',
    isReturned: false,
    movements: ['REFUND_RESERVED', 'REFUND_FAILED'],
    held: PAID,
    events: [],
    deliveries: 0,
    started: 0,
  };

  it('restores the balance if the worker dies while it writes REFUND_FAILED', async () => {
    const charge = await paid();
    const { id: refundId } = await requestRefund(fixture, charge);
    const input = { chargeId: charge.id, refundId, nowMs: Date.now() };
    fixture.provider.refuseReturns();
    await dyingAtMovement('REFUND_FAILED', () => newWorker().refundCharge(input));
    for (let time = 0; time < 2; time++) expect(await newWorker().refundCharge(input)).toBe('PAID');
    fixture.provider.refuseReturns(false);
    expect(await aftermathOf(charge)).toEqual(AS_BEFORE);
    expect(await refundOf(fixture, refundId)).toMatchObject({ status: 'FAILED' });

    const { id: second } = await requestRefund(fixture, charge);
    expect(await newWorker().refundCharge({ ...input, refundId: second })).toBe('REFUNDED');
    expect(await newWorker().refundCharge(input)).toBe('REFUNDED');
    expect(await heldBy(fixture)).toEqual({});
  });

  it('starts the settlement of a refused refund if the worker died before it did', async () => {
    const dueDate = addDays(saoPauloDateOf(new Date()), 30);
    const charge = await paid(() => insertBoleto(fixture, { dueDate, interest: null, fine: null }));
    const em = fixture.database.em.fork();
    const { settlesAt } = await em.findOneOrFail(ChargeEntity, { id: charge.id });
    await em.nativeUpdate(ChargeEntity, { id: charge.id }, { method: 'CARD' });
    const { id: refundId } = await requestRefund(fixture, charge);
    const input = { chargeId: charge.id, refundId, nowMs: Date.now() };
    settling = [];
    fixture.provider.refuseReturns();
    const cutOff = newWorker({ startSettlement: died });
    await expect(cutOff.refundCharge(input)).rejects.toThrow('the worker died');
    expect(await newWorker().refundCharge(input)).toBe('PAID');
    fixture.provider.refuseReturns(false);
    expect(settling).toEqual([settlesAt]);
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: 9_920 });
  });
});

describe('a dispute whose worker dies', () => {
  const DISPUTED_ONCE = {
    status: 'UNDER_DISPUTE',
    isReturned: false,
    movements: ['DISPUTE_OPENED'],
    held: { clearingCents: 10_000, blockedCents: 10_000 },
    events: ['transparent.disputed'],
    deliveries: 2,
    started: 2,
  };
  const LOST_ONCE = {
    status: 'REFUNDED',
    isReturned: false,
    movements: ['DISPUTE_OPENED', 'DISPUTE_LOST'],
    held: {},
    events: ['transparent.disputed', 'transparent.lost'],
    deliveries: 4,
    started: 4,
  };
  const WON_ONCE = {
    ...DISPUTED_ONCE,
    status: 'PAID',
    movements: ['DISPUTE_OPENED', 'DISPUTE_WON'],
    held: PAID,
  };
  const EXPECTED = { OPEN: DISPUTED_ONCE, WON: WON_ONCE, LOST: LOST_ONCE };

  async function disputed(status: DisputeStatus) {
    const charge = await paid();
    const { id: chargeId, providerReference: reference } = charge;
    const providerDisputeId = `dispute-of-${chargeId}`;
    fixture.provider.setDispute({ providerDisputeId, reference, status, reason: 'fraud' });
    return { charge, input: { chargeId, providerDisputeId, nowMs: Date.now() } };
  }

  it.each([
    ['OPEN', 'DISPUTE_OPENED'],
    ['WON', 'DISPUTE_OPENED'],
    ['WON', 'DISPUTE_WON'],
    ['LOST', 'DISPUTE_OPENED'],
    ['LOST', 'DISPUTE_LOST'],
  ] as const)('records a dispute reported as %s once if the worker dies writing %s', async (status, kind) => {
    const { charge, input } = await disputed(status);
    await dyingAtMovement(kind, () => newWorker().recordDispute(input));
    expect(await newWorker().recordDispute(input)).toBe(EXPECTED[status].status);
    expect(await aftermathOf(charge)).toEqual(EXPECTED[status]);
  });

  it.each(['OPEN', 'WON', 'LOST'] as const)(
    'starts the deliveries of a dispute reported as %s if the worker died before',
    async (status) => {
      const { charge, input } = await disputed(status);
      const cutOff = newWorker({ startDelivery: died });
      await expect(cutOff.recordDispute(input)).rejects.toThrow('the worker died');
      expect((await aftermathOf(charge)).started).toBe(0);
      expect(await newWorker().recordDispute(input)).toBe(EXPECTED[status].status);
      expect(await aftermathOf(charge)).toEqual(EXPECTED[status]);
    },
  );

  it.each(['OPEN', 'WON', 'LOST'] as const)(
    'records a dispute reported as %s once if its activity runs again',
    async (status) => {
      const { charge, input } = await disputed(status);
      fixture.provider.failNext('findDispute', 1);
      await expect(newWorker().recordDispute(input)).rejects.toThrow('the provider is down');
      fixture.provider.afterNextAnswer('findDispute', died);
      await expect(newWorker().recordDispute(input)).rejects.toThrow('the worker died');
      for (let time = 0; time < 3; time++)
        expect(await newWorker().recordDispute(input)).toBe(EXPECTED[status].status);
      expect(await aftermathOf(charge)).toEqual(EXPECTED[status]);
    },
  );
});

describe('a settlement whose worker dies', () => {
  it('makes a payment available once if the worker dies during settlement', async () => {
    const dueDate = addDays(saoPauloDateOf(new Date()), 30);
    const charge = await paid(() => insertBoleto(fixture, { dueDate, interest: null, fine: null }));
    const em = fixture.database.em.fork();
    const { settlesAt } = await em.findOneOrFail(ChargeEntity, { id: charge.id });
    const due = { storeId: fixture.storeId, devMode: true, nowMs: settlesAt?.getTime() ?? 0 };
    await dyingAtMovement('SETTLEMENT', () => newWorker().settleCharges(due));
    expect(await heldBy(fixture)).toMatchObject({ pendingCents: 9_920 });
    expect(await newWorker().settleCharges(due)).toBe(1);
    expect(await newWorker().settleCharges(due)).toBe(0);
    expect(await heldBy(fixture)).toEqual(PAID);
  });
});
