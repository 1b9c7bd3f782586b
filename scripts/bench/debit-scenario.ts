import { type Checkout, CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { type Mandate, MandateEntity } from '../../src/database/entities/mandate.ts';
import { ProductEntity } from '../../src/database/entities/product.ts';
import { SandboxMandateEntity } from '../../src/database/entities/sandbox-mandate.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { MandateId, ProductId, StoreId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { subscriptionStart } from '../../src/temporal/subscription.ts';
import { taskQueuesOf } from '../../src/temporal/task-queues.ts';
import { type Bench, openStore } from './bench.ts';
import type { Figures } from './figures.ts';
import { until } from './load.ts';
import { SERVICE_QUEUE } from './service.ts';
import { subscriptionRow } from './subscription-scenario.ts';

type Made = ReturnType<typeof subscriptionRow>;

/**
 * Monthly subscriptions of one store, all due at the same times of its clock: paid by card, and debited by PIX. The clock moves
 * to the next time as soon as everything due has ended, so this measures how fast many cycles are charged at once. The kinds
 * alternate, because the speed of the machine varies.
 */
export async function debits(bench: Bench): Promise<Figures> {
  const { count, cycles, turns } = bench.durations.debits;
  let [cardsMs, debitsMs] = [0, 0];
  for (let turn = 0; turn < turns; turn += 1) {
    cardsMs += await throughCycles(bench, 'CARD');
    debitsMs += await throughCycles(bench, 'PIX');
  }
  const perSecond = (ms: number) => (turns * count * cycles) / (ms / 1_000);
  return {
    cardCyclesOnClockPerSecond: perSecond(cardsMs),
    debitedCyclesPerSecond: perSecond(debitsMs),
    debitedToCardCycles: cardsMs / debitsMs,
  };
}

/** @returns how long all cycles took, in milliseconds. */
async function throughCycles(bench: Bench, method: 'CARD' | 'PIX'): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const { count, cycles } = bench.durations.debits;
  const { storeId, api } = await openStore(bench);
  cleanup.defer(() => api.close());
  const productId = (await api.createProduct('MONTHLY')) as ProductId;
  const made = await insertAll(bench, storeId as StoreId, productId, method, count);
  for (const { subscription } of made) {
    const { workflowType, options } = subscriptionStart(subscription, null);
    await bench.temporal.workflow.start(workflowType, {
      ...options,
      taskQueue: taskQueuesOf(SERVICE_QUEUE).dev,
    });
  }
  const beganMs = performance.now();
  await api.advanceClock(`P${cycles}M1D`);
  await until('the clock', () => api.isClockReady(), { everyMs: 100, timeoutMs: 3_600_000 });
  const tookMs = performance.now() - beganMs;
  const [row] = await bench.database.em.fork().execute<{ paid: number }[]>(
    `select count(*)::int as paid from charges
     where store_id = ? and installment_id is not null and status = 'PAID' and method = ?`,
    [storeId, method],
  );
  if (row?.paid !== count * cycles)
    throw new Error(`${row?.paid} cycles by ${method} were paid instead of ${count * cycles}`);
  return tookMs;
}

async function insertAll(
  { database }: Bench,
  storeId: StoreId,
  productId: ProductId,
  method: 'CARD' | 'PIX',
  count: number,
): Promise<readonly { readonly subscription: Subscription }[]> {
  const em = database.em.fork();
  const { name, priceCents } = await em.findOneOrFail(ProductEntity, { id: productId });
  const plan = { productId, name, imageUrl: null, quantity: 1, unitPriceCents: priceCents };
  const now = new Date();
  const rows = Array.from({ length: count }, () => subscriptionRow(storeId, plan, now));
  if (method === 'CARD') {
    await insertRows(database, rows);
    return rows;
  }
  const debited = rows.map((row) => debitedRow(row, now));
  await insertRows(database, debited);
  await em.insertMany(
    SandboxMandateEntity,
    debited.map(({ mandate }) => ({
      id: mandate.providerMandateId,
      chargeReference: null,
      behaviour: 'PAYS' as const,
      periodicity: mandate.periodicity,
      amountCents: mandate.amountCents,
      minimumCents: null,
      firstDate: mandate.firstDate,
      brCode: '',
      answer: 'ACCEPT' as const,
      createdAt: now,
    })),
  );
  await em.insertMany(
    MandateEntity,
    debited.map(({ mandate }) => mandate),
  );
  return debited;
}

async function insertRows(database: Bench['database'], rows: readonly Made[]): Promise<void> {
  const em = database.em.fork();
  await em.insertMany(
    CheckoutEntity,
    rows.map(({ checkout }): Checkout => ({ ...checkout, subscriptionId: null })),
  );
  await em.insertMany(
    SubscriptionEntity,
    rows.map(({ subscription }) => subscription),
  );
  for (const { checkout, subscription } of rows)
    await em.nativeUpdate(CheckoutEntity, { id: checkout.id }, { subscriptionId: subscription.id });
}

/** The same, debited under a mandate that its payer has accepted. */
function debitedRow({ checkout, subscription }: Made, now: Date) {
  const id = mintId<MandateId>('mandate', now);
  const mandate: Mandate = {
    id,
    storeId: subscription.storeId,
    devMode: true,
    checkoutId: checkout.id,
    consentCode: null,
    provider: 'sandbox',
    providerMandateId: id,
    status: 'ACTIVE',
    amountCents: subscription.amountCents,
    periodicity: subscription.cycle,
    firstDate: saoPauloDateOf(subscription.cycleEndsAt),
    endedBy: null,
    endCode: null,
    askedAt: now,
    endRequestedAt: null,
    activatedAt: now,
    endedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  const noCard = { cardToken: null, cardBrand: null, cardLastFour: null, cardExpiryMonth: null };
  return {
    mandate,
    checkout: { ...checkout, methods: ['PIX' as const], mandateAmount: 'FIXED' as const },
    subscription: { ...subscription, ...noCard, method: 'PIX' as const, mandateId: id },
  };
}
