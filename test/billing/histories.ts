import type { ActivityDeps } from '../../activities/deps.ts';
import { ApiError } from '../../src/api/frame/errors.ts';
import { recordUsage } from '../../src/api/subscriptions/record-usage.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { type Cycle, CycleEntity } from '../../src/database/entities/cycle.ts';
import { type Product, ProductEntity } from '../../src/database/entities/product.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { itemOf, totalCentsOf } from '../../src/domain/checkout.ts';
import { cyclePeriod, PRODUCT_CYCLES, type ProductCycle } from '../../src/domain/cycle.ts';
import type { CycleDiscount } from '../../src/domain/cycle-price.ts';
import type { ChargeId, CycleId, PlanUpdateId } from '../../src/domain/ids.ts';
import type { Proration } from '../../src/domain/proration.ts';
import { withAddOns } from '../../src/domain/subscribed-plan.ts';
import {
  dividesCycle,
  nextCycleAtOf,
  USAGE_CYCLES,
  type UsageCycle,
  usageEndsAtOf,
} from '../../src/domain/usage-cycle.ts';
import { USAGE_PRICE_MODELS, type UsagePrice } from '../../src/domain/usage-price.ts';
import { derivedId, mintId } from '../../src/ids.ts';
import { changePlan } from '../../src/subscriptions/change-plan.ts';
import {
  changedPlan,
  type PlanTerms,
  type PlanWish,
  planOfNextCycle,
} from '../../src/subscriptions/changed-plan.ts';
import { finalUsageOf } from '../../src/subscriptions/final-usage.ts';
import type { NewPlan } from '../../src/subscriptions/next-opening.ts';
import { openCycle } from '../../src/subscriptions/open-cycle.ts';
import { pauseSubscription } from '../../src/subscriptions/pause-subscription.ts';
import { hasNoCharge } from '../../src/subscriptions/planned-cycle.ts';
import { type Intention, previewCharges } from '../../src/subscriptions/preview-charges.ts';
import { resumeSubscription } from '../../src/subscriptions/resume-subscription.ts';
import type { BareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertCharge, insertProduct, paid } from '../support/rows/checkout-rows.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';

/** What happened at a second since 1970, with its terms. */
export type Act =
  | readonly ['open' | 'pay' | 'pause', number]
  | readonly ['usage', number, meter: number, units: number]
  | readonly ['resume', number, keepsAnchor: boolean]
  | readonly [
      'change',
      number,
      priceCents: number,
      cycle: ProductCycle,
      mode: 'NEXT' | Proration,
      usageCycle: UsageCycle | null,
      addOns: ChosenAddOns,
    ];

/** The add-ons that a change names: each with its quantity and what its product costs then; null if they stay. */
type ChosenAddOns = readonly (readonly [productId: string, quantity: number, priceCents: number])[] | null;

/** A history as the model reads it, and what the service has charged in it. */
export interface History {
  readonly start: {
    at: number;
    price: number;
    cycle: ProductCycle;
    usageCycle: UsageCycle | null;
    coupon: unknown;
    addOns: NonNullable<ChosenAddOns>;
    meters: readonly unknown[];
  };
  readonly acts: readonly Act[];
  /** Number, second and cents of each cycle after the first. */
  readonly charges: readonly (readonly [number, number, number])[];
  readonly credit: number;
  /** What a cancellation would charge for usage now. */
  readonly final: number;
}

const FIRST_DAY_MS = Date.parse('2026-12-01T03:00:00.000Z');
const DAY_SECONDS = 86_400;
const SEEDS_OF_METERS = 1_000_000;
const SEEDS_OF_USAGE_CYCLES = 2_000_000;
const SEEDS_OF_ADD_ONS = 3_000_000;
const PRICES = [100, 990, 2_990, 4_900, 9_999, 120_000];
const PRICES_OF_ADD_ONS = [1, 333, 990, 5_000];

/** Draws numbers from a seed: mulberry32. */
export function drawing(seed: number) {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (most: number) => Math.floor(fraction() * most);
  return { below, oneOf: <Any>(all: readonly Any[]): Any => all[below(all.length)] as Any };
}
type Draw = ReturnType<typeof drawing>;

/**
 * Runs a random history of a subscription by the service's own functions, without Temporal: its run does nothing but
 * call them at their times. Before every charge, the preview must name it.
 */
export async function runHistory(fixture: BareFixture, deps: ActivityDeps, seed: number): Promise<History> {
  const draw = drawing(seed);
  const usageCycles = drawing(seed + SEEDS_OF_USAGE_CYCLES);
  const addOns = new AddOnsOnSale(fixture, drawing(seed + SEEDS_OF_ADD_ONS));
  const begun = await begin(fixture, draw, usageCycles, addOns);
  const meters = await insertMeters(fixture, drawing(seed + SEEDS_OF_METERS));
  const running = new RandomSubscription(fixture, deps, { ...begun, draw, meters, usageCycles, addOns });
  for (let steps = 6 + draw.below(14); steps > 0; steps -= 1) await running.step();
  const { id } = begun.subscription;
  const em = fixture.database.em.fork();
  const cycles = await em.find(
    CycleEntity,
    { subscriptionId: id, number: { $gt: 1 } },
    { orderBy: { number: 'asc' } },
  );
  const subscription = await em.findOneOrFail(SubscriptionEntity, { id });
  const { creditCents } = subscription;
  await em.nativeUpdate(ProductEntity, { id: subscription.plan.productId }, { billsFinalUsage: true });
  const owed = await finalUsageOf(em, subscription);
  return {
    start: { ...begun.start, meters: meters.products.map(meterOf) },
    acts: running.acts,
    charges: cycles.map(({ number, createdAt, amountCents }) => [number, secondOf(createdAt), amountCents]),
    credit: creditCents,
    final: totalCentsOf(owed?.items ?? []),
  };
}

/** How often usage is charged: half of the time as often as the plan. */
function usageCycleOf(draw: Draw, cycle: ProductCycle): UsageCycle | null {
  const fitting = USAGE_CYCLES.filter((each) => dividesCycle(each, cycle));
  return draw.below(2) === 0 || fitting.length === 0 ? null : draw.oneOf(fitting);
}

async function begin(fixture: BareFixture, draw: Draw, usageCycles: Draw, onSale: AddOnsOnSale) {
  const at = new Date(FIRST_DAY_MS + draw.below(400 * DAY_SECONDS) * 1_000);
  const cycle = draw.oneOf(PRODUCT_CYCLES);
  const ownPrice = draw.oneOf(PRICES);
  const sold = await onSale.chosen(cycle);
  const price = ownPrice + totalCentsOf(sold.map(({ product, quantity }) => itemOf(product, quantity)));
  const discount = couponOf(draw);
  const { startsAt, endsAt } = cyclePeriod(at, cycle, 0);
  const dates = {
    anchorAt: at,
    anchorNumber: 1,
    cycleNumber: 1,
    cycleStartsAt: startsAt,
    cycleEndsAt: endsAt,
  };
  const usageCycle = usageCycleOf(usageCycles, cycle);
  const { plan, ...made } = await insertSubscription(fixture, {
    cycle,
    amountCents: price,
    discount,
    ...dates,
  });
  const em = fixture.database.em.fork();
  const item = { ...plan, unitPriceCents: ownPrice, ...(usageCycle && { usageCycle }) };
  const whole = withAddOns(
    item,
    sold.map(({ product, quantity }) => itemOf(product, quantity)),
  );
  const usage = {
    plan: whole,
    usageEndsAt: usageEndsAtOf({ anchorAt: at, plan: whole, cycleEndsAt: endsAt }, at),
  };
  await em.nativeUpdate(SubscriptionEntity, { id: made.id }, usage);
  const subscription = { ...made, ...usage };
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: subscription.checkoutId });
  const charge = await insertCharge(fixture, checkout, 'CARD', paid(price));
  const { discountValue = 0, discountKind, lastNumber = null } = discount ?? {};
  const off =
    discount === null
      ? 0
      : discountKind === 'FIXED'
        ? Math.min(discountValue, price)
        : Number((BigInt(price) * BigInt(discountValue) + 5_000n) / 10_000n);
  const first: Cycle = {
    ...{
      id: derivedId<CycleId>('cycle', at, `${subscription.id}/1`),
      subscriptionId: subscription.id,
      number: 1,
    },
    ...{
      status: 'PAID',
      amountCents: price - off,
      discountCents: off,
      usageCents: 0,
      creditCents: 0,
      part: null,
      isUsage: false,
    },
    ...{ startsAt, endsAt, paidByChargeId: charge.id, createdAt: at },
  };
  await em.insert(CycleEntity, first);
  const coupon = discount && { kind: discountKind, value: discountValue, last: lastNumber };
  const start = { at: secondOf(at), price: ownPrice, cycle, usageCycle, coupon, addOns: sold.map(namedIn) };
  return { subscription, chargeId: charge.id, start };
}

function couponOf(draw: Draw): CycleDiscount | null {
  if (draw.below(3) > 0) return null;
  const lastNumber = draw.oneOf([1, 3, null]);
  return draw.below(2) === 0
    ? {
        code: 'C',
        discountKind: 'PERCENTAGE',
        discountValue: draw.oneOf([333, 1_000, 5_000, 10_000]),
        lastNumber,
      }
    : { code: 'C', discountKind: 'FIXED', discountValue: draw.oneOf([99, 1_500]), lastNumber };
}

/** A plan that somebody asks for, without add-ons. */
interface WantedItem {
  readonly wish: PlanWish;
  /** Of the plan's own product. */
  readonly ownCents: number;
  readonly cycle: ProductCycle;
  readonly usageCycle: UsageCycle | null;
}

function soldOnce(product: Product, cycle: ProductCycle): WantedItem {
  const { id: productId, priceCents: ownCents, usageCycle } = product;
  return { wish: { productId, quantity: 1 }, ownCents, cycle, usageCycle };
}

/** The plan as it is, for a change of its quantity or its add-ons. */
function keptItem({ plan, cycle }: PlanTerms, quantity?: number): WantedItem {
  const { productId, unitPriceCents, usageCycle = null } = plan;
  return {
    wish: { productId, keepsPrice: true, ...(quantity !== undefined && { quantity }) },
    ownCents: unitPriceCents * (quantity ?? plan.quantity),
    cycle,
    usageCycle,
  };
}

/** A change with everything that it results in. */
interface WantedPlan extends WantedItem {
  readonly plan: NewPlan;
  readonly addOns: ChosenAddOns;
}

interface AddOnOnSale {
  readonly product: Product;
  readonly quantity: number;
}

function namedIn({ product, quantity }: AddOnOnSale): readonly [string, number, number] {
  return [product.id, quantity, product.priceCents];
}

/** Products of each cycle whose prices change, and what decides which of them are chosen. */
class AddOnsOnSale {
  readonly #fixture: BareFixture;
  readonly #draw: Draw;
  readonly #products = new Map<ProductCycle, Product[]>();

  constructor(fixture: BareFixture, draw: Draw) {
    this.#fixture = fixture;
    this.#draw = draw;
  }

  /** Whether only the add-ons change. */
  changesAlone(): boolean {
    return this.#draw.below(3) === 0;
  }

  /** Often none; otherwise some of the cycle's, at today's prices. */
  async chosen(cycle: ProductCycle): Promise<AddOnOnSale[]> {
    if (this.#draw.below(2) === 0) return [];
    const products = await this.#onSale(cycle);
    return products
      .filter(() => this.#draw.below(2) === 0)
      .map((product) => ({ product, quantity: 1 + this.#draw.below(3) }));
  }

  /** What a change names; null if the add-ons stay. */
  async named(before: PlanTerms, { wish, cycle }: WantedItem): Promise<AddOnOnSale[] | null> {
    const mayStay = before.cycle === cycle || before.plan.addOns === undefined;
    const isAlone = wish.keepsPrice === true && wish.quantity === undefined;
    return mayStay && !isAlone && this.#draw.below(2) === 0 ? null : this.chosen(cycle);
  }

  async #onSale(cycle: ProductCycle): Promise<Product[]> {
    const known = this.#products.get(cycle) ?? [];
    const products: Product[] = [];
    for (let nth = 0; nth < 3; nth += 1) products.push(await this.#priced(known[nth], cycle));
    this.#products.set(cycle, products);
    return products;
  }

  /** Its price may have changed since. */
  async #priced(known: Product | undefined, cycle: ProductCycle): Promise<Product> {
    const priceCents = this.#draw.oneOf(PRICES_OF_ADD_ONS);
    if (known === undefined) return insertProduct(this.#fixture, { cycle, priceCents });
    const em = this.#fixture.database.em.fork();
    await em.nativeUpdate(ProductEntity, { id: known.id }, { priceCents });
    return { ...known, priceCents };
  }
}

/** Products whose units are recorded, and what decides which, apart from the history's other numbers. */
interface Meters {
  readonly products: readonly Product[];
  readonly draw: Draw;
}

/** One whose units all cost the same, and others with prices of every model. */
async function insertMeters(fixture: BareFixture, draw: Draw): Promise<Meters> {
  const plain = await insertProduct(fixture, { priceCents: 1 });
  const priced = await Promise.all(
    Array.from({ length: draw.below(3) }, () => {
      const usagePrice = usagePriceOf(draw);
      return insertProduct(fixture, { priceCents: 1 + draw.below(300), usagePrice });
    }),
  );
  return { products: [plain, ...priced], draw };
}

function usagePriceOf(draw: Draw): UsagePrice {
  const model = draw.oneOf(USAGE_PRICE_MODELS);
  const includedUnits = draw.oneOf([0, 0, 100, 2_500]);
  if (model === 'PER_UNIT') return { model, includedUnits };
  if (model === 'PACKAGE') return { model, includedUnits, packageSize: draw.oneOf([1, 7, 1_000]) };
  let upTo = 0;
  const ends = Array.from({ length: draw.below(4) }, () => {
    upTo += 1 + draw.below(1_500);
    return upTo;
  });
  const tiers = [...ends, null].map((end) => ({
    upTo: end,
    unitPriceCents: draw.below(12),
    flatPriceCents: draw.oneOf([0, 0, 500]),
  }));
  return { model, includedUnits, tiers };
}

/** A meter as the model reads it. */
function meterOf({ priceCents, usagePrice }: Product) {
  const { model, includedUnits } = usagePrice ?? { model: 'PLAIN', includedUnits: 0 };
  const tiers = usagePrice !== null && 'tiers' in usagePrice ? usagePrice.tiers : [];
  const size = usagePrice?.model === 'PACKAGE' ? usagePrice.packageSize : 1;
  return {
    model,
    included: includedUnits,
    price: priceCents,
    size,
    tiers: tiers.map(({ upTo, unitPriceCents, flatPriceCents }) => [upTo, unitPriceCents, flatPriceCents]),
  };
}

function notBelowZero(error: unknown): null {
  if (error instanceof ApiError && error.details.rule === 'USAGE_BELOW_ZERO') return null;
  throw error;
}

class RandomSubscription {
  readonly acts: Act[] = [];
  readonly #fixture: BareFixture;
  readonly #deps: ActivityDeps;
  readonly #id: Subscription['id'];
  readonly #chargeId: ChargeId;
  readonly #draw: Draw;
  readonly #meters: Meters;
  readonly #usageCycles: Draw;
  readonly #addOns: AddOnsOnSale;
  #now: Date;

  constructor(
    fixture: BareFixture,
    deps: ActivityDeps,
    {
      subscription: { id, anchorAt },
      chargeId,
      draw,
      meters,
      usageCycles,
      addOns,
    }: {
      subscription: Subscription;
      chargeId: ChargeId;
      draw: Draw;
      meters: Meters;
      usageCycles: Draw;
      addOns: AddOnsOnSale;
    },
  ) {
    this.#fixture = fixture;
    this.#deps = deps;
    this.#id = id;
    this.#meters = meters;
    this.#usageCycles = usageCycles;
    this.#addOns = addOns;
    this.#chargeId = chargeId;
    this.#draw = draw;
    this.#now = anchorAt;
  }

  /** Some time passes; then what is due happens, or something that somebody asks for. */
  async step(): Promise<void> {
    const row = await this.#row();
    if (row.pausedAt !== null) return this.#resume(row);
    const isOpen = row.attemptDueAt !== null;
    const choice = this.#draw.below(10);
    if (isOpen && choice < 7) return this.#pay();
    if (isOpen && choice < 9) return this.#pause(row);
    if (isOpen) return this.#changeNext(row);
    if (choice < 3) return this.#open(row);
    if (choice < 5) return this.#use(row);
    if (choice < 7) return this.#changeNow(row);
    if (choice < 8) return this.#changeNext(row);
    if (choice < 9) return this.#pause(row);
    return this.#open(row);
  }

  #row(): Promise<Subscription> {
    return this.#fixture.database.em.fork().findOneOrFail(SubscriptionEntity, { id: this.#id });
  }

  /** Somewhere between now and the next cycle; not later. */
  #within(row: Subscription): void {
    const seconds = secondOf(nextCycleAtOf(row)) - secondOf(this.#now);
    if (seconds > 1) this.#now = laterBy(this.#now, this.#draw.below(seconds));
  }

  async #open(row: Subscription): Promise<void> {
    // Sometimes an outage delays it, by whole periods too.
    const lateSeconds = this.#draw.below(8) === 0 ? this.#draw.below(100 * DAY_SECONDS) : 0;
    if (nextCycleAtOf(row) > this.#now) this.#now = nextCycleAtOf(row);
    this.#now = laterBy(this.#now, lateSeconds);
    const number = row.cycleNumber + 1;
    await this.#previewed(
      { kind: 'NOTHING' },
      async () => {
        const em = this.#fixture.database.em.fork();
        const opening = { subscriptionId: this.#id, number, now: this.#now };
        await openCycle(this.#deps, em, opening, async () => null);
      },
      lateSeconds === 0,
    );
    this.acts.push(['open', secondOf(this.#now)]);
  }

  async #pay(): Promise<void> {
    this.#now = laterBy(this.#now, this.#draw.below(DAY_SECONDS));
    const em = this.#fixture.database.em.fork();
    const open = { subscriptionId: this.#id, status: 'PENDING' as const };
    await em.nativeUpdate(CycleEntity, open, { status: 'PAID', paidByChargeId: this.#chargeId });
    await em.nativeUpdate(SubscriptionEntity, { id: this.#id }, { attemptDueAt: null, failedAttempts: 0 });
    this.acts.push(['pay', secondOf(this.#now)]);
  }

  async #use(row: Subscription): Promise<void> {
    this.#within(row);
    const units = 1 + this.#draw.below(3_000);
    const { products, draw } = this.#meters;
    const meter = draw.below(products.length);
    const action = draw.below(4) === 0 ? 'subtract' : 'add';
    const { id: productId } = products[meter] as Product;
    const record = recordUsage({
      em: this.#fixture.database.em.fork(),
      key: { storeId: row.storeId, devMode: true },
      body: { id: row.id, productId, units, action },
      now: this.#now,
      // It takes nothing else of the request.
    } as unknown as Parameters<typeof recordUsage>[0]);
    // More than the cycle has cannot be subtracted.
    const isRecorded = action === 'add' ? await record : await record.catch(notBelowZero);
    if (isRecorded) this.acts.push(['usage', secondOf(this.#now), meter, action === 'add' ? units : -units]);
  }

  async #changeNow(row: Subscription): Promise<void> {
    this.#within(row);
    if (row.cycleEndsAt <= this.#now) return this.#open(row);
    const mode = this.#draw.oneOf(['NONE', 'DIFFERENCE', 'FULL'] as const);
    const item = this.#quantityOf(row) ?? (await this.#planIn(row, mode));
    const wanted = await this.#whole(row, this.#addOns.changesAlone() ? keptItem(row) : item);
    const intention = { kind: 'CHANGE_PLAN', plan: wanted.plan, proration: mode } as const;
    await this.#previewed(intention, () => this.#changePlan(wanted, mode), mode !== 'NONE');
    this.#note(wanted, mode);
  }

  async #changeNext(row: Subscription): Promise<void> {
    this.#within(row);
    const cycle = this.#draw.oneOf(PRODUCT_CYCLES);
    const item = soldOnce(await this.#product(cycle), cycle);
    const before = await planOfNextCycle(this.#fixture.database.em.fork(), row);
    const wanted = await this.#whole(before, this.#addOns.changesAlone() ? keptItem(before) : item);
    await this.#changePlan(wanted);
    this.#note(wanted, 'NEXT');
  }

  #note({ ownCents, cycle, usageCycle, addOns }: WantedPlan, mode: 'NEXT' | Proration): void {
    this.acts.push(['change', secondOf(this.#now), ownCents, cycle, mode, usageCycle, addOns]);
  }

  async #whole(before: PlanTerms, item: WantedItem): Promise<WantedPlan> {
    const named = await this.#addOns.named(before, item);
    const addOns = named?.map(({ product, quantity }) => ({ productId: product.id, quantity }));
    const wish = { ...item.wish, ...(addOns && { addOns }) };
    const plan = await changedPlan(this.#fixture.database.em.fork(), before, wish);
    if (plan === null) throw new Error('the add-ons do not fit');
    return { ...item, wish, plan, addOns: named?.map(namedIn) ?? null };
  }

  /** Sometimes only the quantity changes, of the plan at its price. */
  #quantityOf(row: Subscription): WantedItem | null {
    const quantity = 1 + this.#meters.draw.below(9);
    return quantity > 3 ? null : keptItem(row, quantity);
  }

  async #planIn(row: Subscription, mode: Proration): Promise<WantedItem> {
    const cycle = mode === 'DIFFERENCE' ? row.cycle : this.#draw.oneOf(PRODUCT_CYCLES);
    return soldOnce(await this.#product(cycle), cycle);
  }

  #product(cycle: ProductCycle) {
    const usageCycle = usageCycleOf(this.#usageCycles, cycle);
    return insertProduct(this.#fixture, { cycle, usageCycle, priceCents: this.#draw.oneOf(PRICES) });
  }

  async #changePlan({ wish }: WantedPlan, proration?: Proration): Promise<void> {
    const planUpdateId = mintId<PlanUpdateId>('planUpdate', this.#now);
    const wanted = { subscriptionId: this.#id, planUpdateId, ...wish, ...(proration && { proration }) };
    await changePlan(this.#deps, wanted, this.#now);
  }

  async #pause(row: Subscription): Promise<void> {
    this.#within(row);
    const keepsAnchor = this.#draw.below(2) === 0;
    await pauseSubscription(this.#deps, { subscriptionId: this.#id, untilMs: null, keepsAnchor }, this.#now);
    this.acts.push(['pause', secondOf(this.#now)]);
  }

  async #resume({ keepsAnchor }: Subscription): Promise<void> {
    this.#now = laterBy(this.#now, this.#draw.below(60 * DAY_SECONDS));
    await resumeSubscription(this.#deps, this.#id, this.#now);
    this.acts.push(['resume', secondOf(this.#now), keepsAnchor]);
  }

  /** @param isExact whether the preview was asked for at the instant of the charge. */
  async #previewed(intention: Intention, act: () => Promise<void>, isExact: boolean): Promise<void> {
    const em = this.#fixture.database.em.fork();
    const before = await this.#row();
    const { charges } = await previewCharges(em, before, intention, this.#now);
    await act();
    const number = before.cycleNumber + 1;
    const opened = await em.findOne(
      CycleEntity,
      { subscriptionId: this.#id, number },
      { disableIdentityMap: true },
    );
    const named = charges.find(({ cycle }) => cycle.number === number)?.cycle;
    // A cycle of usage without any has no charge, and none is announced.
    const namedCents = named?.amountCents ?? (opened !== null && hasNoCharge(opened) ? 0 : undefined);
    if (isExact && opened?.amountCents !== namedCents)
      throw new Error(
        `${JSON.stringify(this.acts)}: the preview says ${namedCents}, charged are ${opened?.amountCents}`,
      );
  }
}

function secondOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}

function laterBy(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}
