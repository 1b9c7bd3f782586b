import { newSubscription } from '../../../activities/acceptance/new-subscription.ts';
import { recordUsage } from '../../../src/api/subscriptions/record-usage.ts';
import type { Charge } from '../../../src/database/entities/charge.ts';
import type { Checkout } from '../../../src/database/entities/checkout.ts';
import { CycleEntity } from '../../../src/database/entities/cycle.ts';
import { EventEntity } from '../../../src/database/entities/event.ts';
import { PlanUpdateEntity } from '../../../src/database/entities/plan-update.ts';
import type { Product } from '../../../src/database/entities/product.ts';
import { type Subscription, SubscriptionEntity } from '../../../src/database/entities/subscription.ts';
import { saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import type { RecordedEventName } from '../../../src/domain/event.ts';
import type { PlanUpdateId } from '../../../src/domain/ids.ts';
import type { SubscriptionStatus } from '../../../src/domain/subscription.ts';
import { mintId } from '../../../src/ids.ts';
import { SubscriptionUpdates } from '../../../src/temporal/subscription.ts';
import { subscriptionWorkflowId } from '../../../workflows/subscription.contract.ts';
import type { subscription as subscriptionWorkflow } from '../../../workflows/subscription.ts';
import { NO_STARTER } from '../api/no-starter.ts';
import {
  chargesOf,
  insertCharge,
  insertCheckout,
  insertProduct,
  itemOf,
  paid,
} from '../rows/checkout-rows.ts';
import { eventually } from '../waiting/eventually.ts';
import { mustPay, notify } from './charge-life.ts';
import { beginPayment, openCheckout } from './checkout-life.ts';
import type { WorkflowWorld } from './workflow-world.ts';

type Terms = Partial<
  Pick<
    Checkout,
    | 'cycle'
    | 'trialDays'
    | 'maxRetry'
    | 'retryEveryDays'
    | 'methods'
    | 'customerId'
    | 'externalId'
    | 'metadata'
  >
>;

/** What rows are made in; it needs no Temporal server. */
type Place = Pick<WorkflowWorld, 'database' | 'storeId' | 'provider' | 'now'>;

export const DAY_MS = 24 * 60 * 60 * 1_000;

/** The checkout of a subscription at R$ 50.00 a month, by card, that nobody has paid yet. */
export async function openSubscriptionCheckout(world: WorkflowWorld, terms: Terms = {}): Promise<Checkout> {
  const { cycle = 'MONTHLY' } = terms;
  const product = await insertProduct(world, { cycle, name: 'Plano' });
  return openCheckout(world, {
    frequency: 'SUBSCRIPTION',
    methods: ['CARD'],
    maxRetry: 3,
    retryEveryDays: 1,
    items: [itemOf(product)],
    amountCents: product.priceCents,
    ...terms,
    cycle,
  });
}

/**
 * A subscription whose first payment has just been made (or whose trial has begun), by the method that its
 * checkout offers. Its workflow is asleep.
 */
export async function subscribe(world: WorkflowWorld, terms: Terms = {}): Promise<Subscription> {
  const checkout = await openSubscriptionCheckout(world, terms);
  if (checkout.methods.includes('PIX')) {
    const charge = await beginPayment(world, checkout, { method: 'PIX' });
    if (charge.status === 'PENDING') await notify(world, await mustPay(world, charge));
  } else {
    await beginPayment(world, checkout, { method: 'CARD' });
  }
  return subscriptionOf(world, { checkoutId: checkout.id });
}

/**
 * Inserts a subscription as one would be whose first payment, of R$ 50.00 by card, was made at `anchor`, with
 * the first cycle as the current one. Nothing has started its workflow; started with an anchor long ago, it
 * charges one cycle after the other.
 */
export async function insertSubscription(
  place: Place,
  anchor: Date,
  { cycle = 'MONTHLY', methods = ['CARD'], ...terms }: Terms = {},
): Promise<Subscription> {
  const product = await insertProduct(place, { cycle, name: 'Plano' });
  const checkout = await insertCheckout(place, {
    frequency: 'SUBSCRIPTION',
    status: 'PAID',
    methods,
    maxRetry: 3,
    retryEveryDays: 1,
    items: [itemOf(product)],
    amountCents: product.priceCents,
    paidAmountCents: product.priceCents,
    cycle,
    ...terms,
  });
  const method = methods.includes('PIX') ? 'PIX' : 'CARD';
  const first = await insertCharge(place, checkout, method, {
    ...paid(checkout.amountCents),
    paidAt: anchor,
    settlesAt: anchor,
    settledAt: anchor,
    createdAt: anchor,
    updatedAt: anchor,
    provider: place.provider.name,
  });
  const { subscription, firstCycle } = newSubscription(checkout, first, anchor);
  const em = place.database.em.fork();
  await em.insert(SubscriptionEntity, subscription);
  if (firstCycle !== null) await em.insert(CycleEntity, firstCycle);
  return subscription;
}

/** Starts the workflow of an inserted subscription. */
export async function startSubscription(world: WorkflowWorld, subscription: Subscription): Promise<void> {
  await updatesOf(world).start(subscription, (await world.now()).getTime());
}

/** The row as it is now. */
export function subscriptionOf(
  { database }: Pick<WorkflowWorld, 'database'>,
  where: Partial<Pick<Subscription, 'id' | 'checkoutId'>>,
): Promise<Subscription> {
  return database.em.fork().findOneOrFail(SubscriptionEntity, where);
}

export function workflowOf({ client }: WorkflowWorld, { id }: Pick<Subscription, 'id'>) {
  return client.workflow.getHandle<typeof subscriptionWorkflow>(subscriptionWorkflowId(id));
}

/** What reaches the workflow from outside. */
export function updatesOf({ client, taskQueue }: WorkflowWorld): SubscriptionUpdates {
  return new SubscriptionUpdates(client, taskQueue, NO_STARTER);
}

/** The integrator cancels. @returns the status afterwards. */
export async function cancelSubscription(
  world: WorkflowWorld,
  { id }: Pick<Subscription, 'id'>,
): Promise<SubscriptionStatus> {
  return updatesOf(world).cancel(await subscriptionOf(world, { id }), null);
}

/** The integrator changes the plan to `quantity` of a new product. */
export async function changePlan(
  world: WorkflowWorld,
  { id }: Pick<Subscription, 'id'>,
  to: Partial<Product> = {},
  quantity = 1,
): Promise<{ readonly status: SubscriptionStatus; readonly planUpdateId: PlanUpdateId; product: Product }> {
  const product = await insertProduct(world, { cycle: 'MONTHLY', ...to });
  const planUpdateId = mintId<PlanUpdateId>('planUpdate', await world.now());
  const change = { planUpdateId, productId: product.id, quantity };
  const status = await updatesOf(world).changePlan(await subscriptionOf(world, { id }), change, null);
  return { status, planUpdateId, product };
}

/** Records usage of so many cents, as POST /subscriptions/record-usage does. */
export async function addUsage(
  world: Place,
  { id }: Pick<Subscription, 'id'>,
  cents: number,
  product?: Product,
): Promise<void> {
  const { database, storeId } = world;
  const { id: productId } = product ?? (await insertProduct(world, { name: 'Mensagem', priceCents: 1 }));
  await recordUsage({
    em: database.em.fork(),
    key: { storeId, devMode: true },
    body: { id, productId, units: cents, action: 'add' },
    now: await world.now(),
    // It takes nothing else of the request.
  } as unknown as Parameters<typeof recordUsage>[0]);
}

/** Lets the server's time come to this instant. */
export async function sleepUntil(world: WorkflowWorld, instant: Date): Promise<void> {
  await world.environment.sleep(Math.max(1, instant.getTime() - (await world.now()).getTime()));
}

/** Lets the next cycle come. @returns the subscription once that cycle's first attempt has ended. */
export async function nextCycle(
  world: WorkflowWorld,
  { id }: Pick<Subscription, 'id'>,
): Promise<Subscription> {
  const { cycleEndsAt, cycleNumber } = await subscriptionOf(world, { id });
  await sleepUntil(world, new Date(cycleEndsAt.getTime() + 60_000));
  return eventually(async () => {
    const subscription = await subscriptionOf(world, { id });
    if (subscription.cycleNumber === cycleNumber) throw new Error('the next cycle has not been opened');
    const { status } = await newestCharge(world, subscription);
    if (status === 'PENDING') throw new Error('its charge is still open');
    return subscription;
  });
}

/** What every cycle costs, in cents. */
export async function amountsOf(
  world: Pick<WorkflowWorld, 'database'>,
  subscription: Pick<Subscription, 'id'>,
): Promise<number[]> {
  return (await cyclesOf(world, subscription)).map((line) => Number(line.split(' ')[2]));
}

/** Every cycle as one line: number, São Paulo day it starts, amount, status. */
export async function cyclesOf(
  { database }: Pick<WorkflowWorld, 'database'>,
  { id }: Pick<Subscription, 'id'>,
): Promise<string[]> {
  const rows = await database.em
    .fork()
    .find(CycleEntity, { subscriptionId: id }, { orderBy: { number: 'asc' } });
  return rows.map(
    ({ number, startsAt, amountCents, status }) =>
      `${number} ${saoPauloDateOf(startsAt)} ${amountCents} ${status}`,
  );
}

/** What became of every charge of a subscription, oldest first. */
export async function outcomesOf(
  world: Pick<WorkflowWorld, 'database'>,
  subscription: Pick<Subscription, 'checkoutId'>,
): Promise<string[]> {
  return (await chargesOf(world, subscription.checkoutId)).map(({ status }) => status);
}

/** The charge that was made last. */
export async function newestCharge(
  world: Pick<WorkflowWorld, 'database'>,
  subscription: Pick<Subscription, 'checkoutId'>,
): Promise<Charge> {
  const charge = (await chargesOf(world, subscription.checkoutId)).at(-1);
  if (charge === undefined) throw new Error('a subscription has a first charge');
  return charge;
}

/** An event and the `data` that its webhooks carry. */
export interface ToldEvent {
  readonly name: RecordedEventName;
  readonly data: unknown;
}

/** Its events in the order in which they happened; one that ends it is the last of its moment. */
export async function toldOf(
  { database }: Pick<WorkflowWorld, 'database'>,
  subscription: Pick<Subscription, 'id' | 'checkoutId'>,
): Promise<ToldEvent[]> {
  const em = database.em.fork();
  const charges = await chargesOf({ database }, subscription.checkoutId);
  const updates = await em.find(PlanUpdateEntity, { subscriptionId: subscription.id });
  const subjects = [subscription, ...charges, ...updates].map(({ id }) => id as string);
  const names = { name: { $like: 'subscription.%' } };
  const events = await em.find(EventEntity, names, { orderBy: { createdAt: 'asc', id: 'asc' } });
  const isEnd = (name: RecordedEventName) => Number(name === 'subscription.cancelled');
  return events
    .filter(({ key }) => subjects.includes(key.slice(key.indexOf('/') + 1)))
    .sort((one, other) => +one.createdAt - +other.createdAt || isEnd(one.name) - isEnd(other.name))
    .map(({ name, data }) => ({ name, data: JSON.parse(data) }));
}

/** Names of its events, in the order in which they happened. */
export async function eventsOf(
  world: Pick<WorkflowWorld, 'database'>,
  subscription: Pick<Subscription, 'id' | 'checkoutId'>,
): Promise<string[]> {
  return (await toldOf(world, subscription)).map(({ name }) => name.replace('subscription.', ''));
}
