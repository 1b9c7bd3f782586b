import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import {
  type Subscription,
  SubscriptionEntity,
  UNEVENTFUL,
} from '../../src/database/entities/subscription.ts';
import { DEFAULT_BILLING_SETTINGS } from '../../src/domain/billing-settings.ts';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import type { CheckoutId, ProductId, StoreId, SubscriptionId } from '../../src/domain/ids.ts';
import { NO_CUSTOMER } from '../../src/domain/payer.ts';
import { mintId } from '../../src/ids.ts';
import { saveBillingSettings } from '../../src/stores/billing-settings.ts';
import { subscriptionStart } from '../../src/temporal/subscription.ts';
import { taskQueuesOf } from '../../src/temporal/task-queues.ts';
import { auditorScheduleId } from '../../workflows/auditor.contract.ts';
import { CONNECTIONS } from './api.ts';
import type { Bench } from './bench.ts';
import { completions } from './ceilings.ts';
import type { Figures } from './figures.ts';
import { until } from './load.ts';
import { SERVICE_QUEUE } from './service.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const MONTH_MS = 31 * DAY_MS;

/**
 * Monthly subscriptions whose last cycles are all overdue, so that they are charged one right after the other as fast as the
 * service can, including charges and webhooks. Only the timers between cycles are missing.
 *
 * The scenario runs in parts, and measures the ceiling again before each part: the speed of the machine varies by a third
 * within the half hour of all parts.
 */
export async function subscriptions(bench: Bench): Promise<Figures> {
  const { temporal, nothingQueue, durations } = bench;
  const { count, cycles, parts } = durations.subscriptions;
  await using pause = new AsyncDisposableStack();
  // All of them are overdue: an audit would start those that are not to run yet.
  const audits = temporal.schedule.getHandle(auditorScheduleId(SERVICE_QUEUE));
  await audits.pause();
  pause.defer(() => audits.unpause());
  const made = await insertSubscriptions(bench, count, cycles);
  const bytesBefore = await databaseBytes(bench);
  const ceilings: number[] = [];
  let cyclesMs = 0;
  for (const part of partsOf(made, parts)) {
    ceilings.push(await completions(temporal, nothingQueue, CONNECTIONS, durations.ceilingMs));
    cyclesMs += await throughAllCycles(bench, part, cycles);
  }
  const wanted = count * cycles;
  const perSecond = ceilings.reduce((sum, ceiling) => sum + ceiling, 0) / ceilings.length;
  const cyclesPerSecond = wanted / (cyclesMs / 1_000);
  const { charges, paid } = await progressOf(bench, made);
  return {
    cycleCompletionsPerSecond: perSecond,
    cyclesPerSecond,
    cyclesToCompletions: cyclesPerSecond / perSecond,
    chargesBesideCycles: Math.abs(charges - wanted) + Math.abs(paid - wanted),
    bytesPerCycle: ((await databaseBytes(bench)) - bytesBefore) / wanted,
  };
}

/** Splits the subscriptions into parts of the same size. The last one may be smaller. */
function partsOf<Item>(items: readonly Item[], parts: number): Item[][] {
  const size = Math.ceil(items.length / parts);
  return Array.from({ length: parts }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/**
 * Runs every subscription through its cycles, with the same concurrency as other scenarios. A cycle is over when its webhook
 * has arrived: counting rows takes a tenth of a second in a large table, and would be measured too.
 * @returns the duration in milliseconds.
 */
async function throughAllCycles(
  bench: Bench,
  made: readonly Subscription[],
  cycles: number,
): Promise<number> {
  const { sink, temporal } = bench;
  const startedMs = performance.now();
  // The webhook of a renewal names the checkout that created the subscription.
  const left = new Map<string, number>(made.map(({ checkoutId }) => [checkoutId, cycles]));
  const next = made.values();
  const startNext = async () => {
    const { value } = next.next();
    if (value === undefined) return;
    const { workflowType, options } = subscriptionStart(value, null);
    const taskQueue = taskQueuesOf(SERVICE_QUEUE).dev;
    await temporal.workflow.start(workflowType, { ...options, taskQueue });
  };
  sink.listen((id) => {
    const rest = (left.get(id) ?? 0) - 1;
    if (rest >= 0) left.set(id, rest);
    if (rest !== 0) return;
    left.delete(id);
    void startNext();
  });
  for (let inFlight = 0; inFlight < CONNECTIONS; inFlight += 1) await startNext();
  await until('the cycles', async () => left.size === 0, { everyMs: 100, timeoutMs: 3_600_000 });
  const tookMs = performance.now() - startedMs;
  // The last attempts are recorded a moment after their webhooks. Unfinished work would lower the next ceiling.
  const isDone = async () => (await progressOf(bench, made)).delivered >= made.length * cycles;
  await until('the last deliveries', isDone, { everyMs: 100, timeoutMs: 60_000 });
  return tookMs;
}

async function insertSubscriptions(bench: Bench, count: number, cycles: number): Promise<Subscription[]> {
  const em = bench.database.em.fork();
  const [row] = await em.execute<{ store_id: StoreId }[]>('select store_id from api_keys limit 1');
  if (row === undefined) throw new Error('there is no key');
  const billing = { ...DEFAULT_BILLING_SETTINGS, missedCycles: 'CHARGE' } as const;
  await saveBillingSettings(em, { storeId: row.store_id, devMode: true }, billing, new Date());
  const productId = (await bench.api.createProduct('MONTHLY')) as ProductId;
  const product = await em.findOneOrFail(ProductEntity, { id: productId });
  const plan = {
    productId,
    name: product.name,
    imageUrl: null,
    quantity: 1,
    unitPriceCents: product.priceCents,
  };
  const made = Array.from({ length: count }, (_, index) => {
    // A start from which exactly these cycles have begun.
    const startsAt = new Date(firstDay(cycles).getTime() + index);
    return subscriptionRow(row.store_id, plan, startsAt);
  });
  await em.insertMany(
    CheckoutEntity,
    made.map(({ checkout }) => checkout),
  );
  await em.insertMany(
    SubscriptionEntity,
    made.map(({ subscription }) => subscription),
  );
  return made.map(({ subscription }) => subscription);
}

/** A subscription with this start that is paid by card, with its checkout. */
export function subscriptionRow(storeId: StoreId, plan: Subscription['plan'], startsAt: Date) {
  const common = { storeId, devMode: true, ...NO_CUSTOMER, externalId: null, metadata: {}, coupons: [] };
  const checkout: Checkout = {
    ...common,
    id: mintId<CheckoutId>('checkout', startsAt),
    frequency: 'SUBSCRIPTION',
    status: 'PAID',
    amountCents: plan.unitPriceCents,
    paidAmountCents: plan.unitPriceCents,
    items: [plan],
    methods: ['CARD'],
    passesFees: false,
    customerFeeCents: null,
    allowCoupons: false,
    returnUrl: null,
    completionUrl: null,
    maxInstallments: 1,
    interest: null,
    fine: null,
    upSellProductId: null,
    paidByChargeId: null,
    installmentsCount: null,
    cycle: 'MONTHLY',
    trialDays: null,
    maxRetry: 3,
    retryEveryDays: 1,
    mandateAmount: null,
    subscriptionId: null,
    expiresAt: startsAt,
    createdAt: startsAt,
    updatedAt: startsAt,
    deletedAt: null,
    workflowStartedAt: startsAt,
  };
  const { endsAt } = cyclePeriod(startsAt, 'MONTHLY', 0);
  const subscription: Subscription = {
    ...common,
    id: mintId<SubscriptionId>('subscription', startsAt),
    checkoutId: checkout.id,
    status: 'ACTIVE',
    method: 'CARD',
    cardToken: 'sandbox_approved_00',
    cardBrand: 'visa',
    cardLastFour: '4242',
    cardExpiryMonth: '2049-12',
    plan,
    amountCents: plan.unitPriceCents,
    cycle: 'MONTHLY',
    trialDays: null,
    trialEndsAt: null,
    maxRetry: 3,
    retryEveryDays: 1,
    anchorAt: startsAt,
    anchorNumber: 1,
    cycleNumber: 1,
    cycleStartsAt: startsAt,
    cycleEndsAt: endsAt,
    ...UNEVENTFUL,
    createdAt: startsAt,
    updatedAt: startsAt,
    workflowStartedAt: startsAt,
  };
  return { checkout, subscription };
}

/** A start from which exactly `cycles` months have begun. */
function firstDay(cycles: number): Date {
  let day = new Date(Date.now() - cycles * MONTH_MS);
  while (cyclePeriod(day, 'MONTHLY', cycles).startsAt.getTime() > Date.now()) {
    day = new Date(day.getTime() - DAY_MS);
  }
  return day;
}

/** The numbers of charges of these subscriptions, of paid charges, and of delivered webhooks. */
async function progressOf({ database }: Bench, made: readonly Subscription[]) {
  const [first, last] = [made[0], made.at(-1)];
  const [row] = await database.em.fork().execute<{ charges: number; paid: number; delivered: number }[]>(
    `select count(*)::int as charges,
       count(*) filter (where charges.status = 'PAID')::int as paid,
       count(*) filter (where deliveries.status = 'DELIVERED')::int as delivered
     from charges
     left join events on events.key = 'subscription.renewed/' || charges.id
     left join deliveries on deliveries.event_id = events.id
     where charges.installment_id is not null and charges.checkout_id between ? and ?`,
    [first?.checkoutId, last?.checkoutId],
  );
  return row ?? { charges: 0, paid: 0, delivered: 0 };
}

async function databaseBytes({ database }: Bench): Promise<number> {
  const [row] = await database.em
    .fork()
    .execute<{ bytes: string }[]>('select pg_database_size(current_database())::text as bytes');
  return Number(row?.bytes ?? 0);
}
