import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { writeMovement } from '../../../src/database/ledger/ledger.ts';
import { addDays, saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import { paymentAmounts } from '../../../src/domain/ledger.ts';
import type { ProviderPayment } from '../../../src/providers/provider.ts';
import { askForPayout } from '../api/store-request.ts';
import type { WebhookSink } from '../outside/webhook-sink.ts';
import { insertBoleto, insertPix, startAsleep } from '../rows/charges.ts';
import { deliveryOf, send } from '../rows/deliveries.ts';
import { eventually } from '../waiting/eventually.ts';
import { chargeUpdates, mustPay, notify, recordOf } from './charge-life.ts';
import {
  beginPayment,
  checkoutRecordOf,
  openLink,
  sleepingCheckout,
  startCheckoutAsleep,
} from './checkout-life.ts';
import { payoutOf, refundOf, requestRefund, startPayout } from './money-life.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import {
  cyclesOf,
  eventsOf,
  insertSubscription,
  outcomesOf,
  startSubscription,
  subscriptionOf,
} from './subscription-life.ts';
import type { WorkflowWorld } from './workflow-world.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Hours from the beginning to the loss of Temporal's data, to when all goes on, and to the end. */
export const LOSS_MS = 60 * HOUR_MS;
export const GOES_ON_MS = 61 * HOUR_MS;
export const END_MS = 75 * DAY_MS;

/** Something that is open when Temporal's data is lost, and ends some time afterwards. */
export interface OpenThing {
  /** What its payer or integrator does right before the loss. */
  readonly before?: (world: WorkflowWorld) => Promise<unknown>;
  /** What they do an hour later. */
  readonly after?: (world: WorkflowWorld) => Promise<unknown>;
  /** What the service itself does where nothing is lost, and a rebuild does else. */
  readonly resumed?: (world: WorkflowWorld) => Promise<unknown>;
  /** How it has ended, without ids and times. */
  readonly ended: (world: WorkflowWorld) => Promise<unknown>;
}

/** A world with an integrator's server, which outlives its Temporal server. */
export type HeardWorld = WorkflowWorld & { readonly sink: WebhookSink };

/** One of each state that something can be open in. @param start when the world began. */
export const OPEN_THINGS: Readonly<Record<string, (world: HeardWorld, start: Date) => Promise<OpenThing>>> = {
  async 'PIX that nobody pays'(world) {
    const charge = await insertPix(world, { expiresInS: (10 * DAY_MS) / 1_000 });
    await startAsleep(world, charge);
    return { ended: (now) => recordOf(now, charge) };
  },
  async 'PIX that is paid and never told'(world) {
    const charge = await insertPix(world, { expiresInS: (10 * DAY_MS) / 1_000 });
    await startAsleep(world, charge);
    return { before: (now) => mustPay(now, charge), ended: (now) => recordOf(now, charge) };
  },
  async 'PIX that is paid before and told after'(world) {
    const charge = await insertPix(world, { expiresInS: (10 * DAY_MS) / 1_000 });
    await startAsleep(world, charge);
    const paid = Promise.withResolvers<Awaited<ReturnType<typeof mustPay>>>();
    return {
      before: async (now) => paid.resolve(await mustPay(now, charge)),
      after: async (now) => tell(now, await paid.promise),
      ended: (now) => recordOf(now, charge),
    };
  },
  async 'boleto that is late'(world, start) {
    const dueDate = addDays(saoPauloDateOf(start), 1);
    const charge = await insertBoleto(world, { dueDate, interest: { value: 100 }, fine: null });
    await startAsleep(world, charge);
    return { ended: (now) => recordOf(now, charge) };
  },
  async 'boleto that is paid and not settled'(world, start) {
    const dueDate = addDays(saoPauloDateOf(start), 30);
    const charge = await insertBoleto(world, { dueDate, interest: null, fine: null });
    await startAsleep(world, charge);
    const before = async (now: WorkflowWorld) => tell(now, await mustPay(now, charge));
    return { before, ended: (now) => recordOf(now, charge) };
  },
  async 'checkout that was paid by card and is not settled'(world) {
    const { checkout } = await sleepingCheckout(world);
    // The test server may lose the answer, but not what it is about.
    await beginPayment(world, checkout, { method: 'CARD' }).catch(() => {});
    await eventually(async () => {
      const { charges } = await checkoutRecordOf(world, checkout);
      if (charges.join() !== 'CARD PAID') throw new Error(`paid by ${charges.join()}`);
    });
    return { ended: (now) => checkoutRecordOf(now, checkout) };
  },
  async 'checkout that nobody pays'(world) {
    const { checkout } = await sleepingCheckout(world);
    await beginPayment(world, checkout);
    return { ended: (now) => checkoutRecordOf(now, checkout) };
  },
  async 'checkout whose boleto outlives it'(world) {
    const { checkout } = await sleepingCheckout(world, { expiresInMs: 2 * DAY_MS });
    await beginPayment(world, checkout, { method: 'BOLETO' });
    return { ended: (now) => checkoutRecordOf(now, checkout) };
  },
  async 'payment link with a boleto under way'(world) {
    const link = await openLink(world);
    await startCheckoutAsleep(world, link);
    const charge = await beginPayment(world, link, { method: 'BOLETO' });
    const after = async (now: WorkflowWorld) => tell(now, await mustPay(now, charge));
    return { after, ended: (now) => checkoutRecordOf(now, link) };
  },
  'subscription between two cycles': (world, start) =>
    subscribed(world, new Date(start.getTime() - 20 * DAY_MS)),
  'subscription whose card is declined at first': (world, start) =>
    inDunning(world, start, new Date(start.getTime() + 3.5 * DAY_MS)),
  'subscription whose card is declined for good': (world, start) =>
    inDunning(world, start, new Date(start.getTime() + 1_000 * DAY_MS)),
  'subscription whose PIX code waits for its payer': (world, start) =>
    subscribed(world, monthBefore(start, 2 * DAY_MS), { methods: ['PIX'], retryEveryDays: 2 }),
  'subscription in its trial': (world, start) => subscribed(world, start, { trialDays: 7 }),
  async 'transfer that hangs at a bank'(world, start) {
    await paidCharge(world);
    const key = ScriptedProvider.keyThatTakesUntil(new Date(start.getTime() + GOES_ON_MS + 12 * HOUR_MS));
    const asked = Promise.withResolvers<Awaited<ReturnType<typeof askForPayout>>>();
    return {
      // Not earlier: a bank that takes days is asked hundreds of times.
      before: async (now) => {
        const payout = await askForPayout(now, 1_000, {
          kind: 'TRANSFER',
          destination: { type: 'EMAIL', key },
        });
        await startPayout(now, payout);
        asked.resolve(payout);
      },
      ended: async (now) => (await payoutOf(now, (await asked.promise).id)).status,
    };
  },
  async 'refund that was asked for'(world) {
    const charge = await paidCharge(world);
    const { id } = await requestRefund(world, charge);
    return {
      resumed: (now) => eventually(() => chargeUpdates(now).refund(charge, id, null)),
      ended: async (now) => [(await refundOf(now, id)).status, await recordOf(now, charge)],
    };
  },
  async 'refund that the provider was being asked for'(world) {
    const charge = await paidCharge(world);
    const { id } = await requestRefund(world, charge);
    world.provider.failNext('refund', 1);
    const nowMs = (await world.now()).getTime();
    await world.activities.refundCharge({ chargeId: charge.id, refundId: id, nowMs }).catch(() => {});
    return {
      resumed: (now) => eventually(() => chargeUpdates(now).refund(charge, id, null)),
      ended: async (now) => [(await refundOf(now, id)).status, await recordOf(now, charge)],
    };
  },
  async 'webhook to an endpoint that is down for good'(world) {
    const delivery = await send(world, world.sink.endpoint(() => 500).url);
    return { ended: (now) => deliveredOf(now, delivery) };
  },
  async 'webhook to an endpoint that is back for the last attempt'(world) {
    const delivery = await send(world, world.sink.endpoint((attempt) => (attempt < 11 ? 500 : 200)).url);
    return { ended: (now) => deliveredOf(now, delivery) };
  },
};

/** A provider tells of a payment until that has been taken in. */
function tell(world: WorkflowWorld, payment: ProviderPayment) {
  return eventually(() => notify(world, payment));
}

async function paidCharge(world: WorkflowWorld): Promise<Charge> {
  const charge = await insertPix(world);
  await tell(world, await mustPay(world, charge));
  return charge;
}

/** So long ago that the next month begins after this time. */
function monthBefore(start: Date, beginsInMs: number): Date {
  const next = new Date(start.getTime() + beginsInMs);
  // No month is skipped or cut short: what is compared are two worlds that began on the same day.
  return new Date(
    Date.UTC(next.getUTCFullYear(), next.getUTCMonth() - 1, next.getUTCDate(), next.getUTCHours()),
  );
}

type Terms = Parameters<typeof insertSubscription>[2];

async function subscribed(
  world: HeardWorld,
  anchor: Date,
  terms: Terms = {},
  cardToken: string | null = null,
): Promise<OpenThing> {
  const subscription = await insertSubscription(world, anchor, terms);
  const { id } = subscription;
  if (cardToken !== null)
    await world.database.em.fork().nativeUpdate(SubscriptionEntity, { id }, { cardToken });
  await bookFirstPayment(world, subscription);
  await startSubscription(world, subscription);
  return {
    ended: async (now) => ({
      status: (await subscriptionOf(now, { id })).status,
      cycles: (await cyclesOf(now, subscription)).map((line) => line.replace(/\S+-\S+-\S+/, 'day')),
      outcomes: await outcomesOf(now, subscription),
      events: await eventsOf(now, subscription),
    }),
  };
}

/** What a first payment that was inserted leaves in the ledger, so that every cent can be held against a row. */
async function bookFirstPayment({ database }: WorkflowWorld, { checkoutId }: Subscription): Promise<void> {
  const em = database.em.fork();
  const paid = await em.find(ChargeEntity, { checkoutId, paidAmountCents: { $gt: 0 } });
  for (const charge of paid) {
    const { id: subjectId, paidAmountCents, platformFeeCents: feeCents, createdAt } = charge;
    const amounts = paymentAmounts({ paidCents: paidAmountCents ?? 0, feeCents, isSettled: true });
    await writeMovement(em, charge, { kind: 'PAYMENT', subjectId, amounts, createdAt });
  }
}

function inDunning(world: HeardWorld, start: Date, goodFrom: Date): Promise<OpenThing> {
  const anchor = monthBefore(start, 2 * DAY_MS);
  return subscribed(world, anchor, {}, ScriptedProvider.cardGoodFrom(goodFrom));
}

async function deliveredOf(world: WorkflowWorld, delivery: Awaited<ReturnType<typeof send>>) {
  const { status, attempts } = await deliveryOf(world, delivery);
  return `${status} after ${attempts} attempts`;
}
