import type { EntityName } from '@mikro-orm/core';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../database/entities/checkout.ts';
import { CouponEntity } from '../database/entities/coupon.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import { CycleEntity } from '../database/entities/cycle.ts';
import { DisputeEntity } from '../database/entities/dispute.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import { type Product, ProductEntity } from '../database/entities/product.ts';
import { RefundEntity } from '../database/entities/refund.ts';
import { SandboxChargeEntity } from '../database/entities/sandbox-charge.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import type { CheckoutItem } from '../domain/checkout.ts';
import type { CheckoutId, CouponId, CustomerId, ProductId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { Books } from './books.ts';
import { type Member, newMember, writeChanges } from './members.ts';
import { anyOf, GOODS, inventPerson, isLucky, upTo } from './people-and-goods.ts';
import { ended, newSale, type Shop } from './sales.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAYS = 365;
/** Rows of one statement. */
const BATCH = 500;

/** What the demo shop has after its year. */
export interface FilledYear {
  readonly customers: number;
  readonly charges: number;
  readonly subscriptions: number;
}

/**
 * Gives a store in dev mode a year of business, in rows as the service leaves them, with every movement in the ledger.
 * What is still open is given its workflow by the sweeper. Events and deliveries are not made: nobody was told.
 */
export async function fillYear(em: Em, shop: Shop): Promise<FilledYear> {
  const beganAt = new Date(shop.now.getTime() - DAYS * DAY_MS);
  const products = GOODS.map((good) => productOf(shop, good, beganAt));
  const customers: Customer[] = [];
  const checkouts: Checkout[] = [linkOf(shop, products[5], beganAt)];
  const members: Member[] = [];
  const books = new Books(shop);
  for (let day = 0; day < DAYS; day += 1) {
    const from = new Date(beganAt.getTime() + day * DAY_MS);
    const isWeekend = [0, 6].includes(from.getUTCDay());
    const sales = Math.round((14 + (20 * day) / DAYS) * (isWeekend ? 0.7 : 1) * (0.8 + 0.4 * Math.random()));
    for (let index = 0; index < sales; index += 1)
      sell(shop, { products, customers, checkouts, books }, momentIn(from));
    if (isLucky(0.8)) join(shop, { products, customers, checkouts, books, members }, momentIn(from));
  }
  const [link, ...others] = checkouts;
  const sold = link === undefined ? [] : [withSales(link, books.charges), ...others];
  await em.transactional(async (tx) => {
    await insertAll(tx, ProductEntity, products);
    await tx.insert(CouponEntity, couponOf(shop, beganAt));
    await insertAll(tx, CustomerEntity, customers);
    const cycles = members.flatMap((member) => member.cycles);
    // What points to each other is inserted without one of the two, and pointed to it then.
    await insertAll(
      tx,
      CheckoutEntity,
      sold.map((row) => ({ ...row, paidByChargeId: null, subscriptionId: null })),
    );
    await insertAll(
      tx,
      SubscriptionEntity,
      members.map(({ began }) => began),
    );
    await insertAll(
      tx,
      CycleEntity,
      cycles.map((row) => ({ ...row, status: 'PENDING' as const, paidByChargeId: null })),
    );
    await insertAll(
      tx,
      ChargeEntity,
      books.charges.map((row) => ({ ...row, refundId: null })),
    );
    await insertAll(tx, PaymentEntity, books.payments);
    await insertAll(tx, RefundEntity, books.refunds);
    const paidBy = 'paid_by_charge_id = "paidByChargeId"';
    await point(tx, 'installments', `${paidBy}, status = 'PAID'`, cycles);
    const paid = sold.filter(({ paidByChargeId }) => paidByChargeId !== null);
    await point(tx, 'checkouts', `${paidBy}, subscription_id = "subscriptionId"`, paid);
    await point(
      tx,
      'charges',
      'refund_id = "refundId"',
      books.charges.filter(({ refundId }) => refundId !== null),
    );
    await insertAll(tx, DisputeEntity, books.disputes);
    await insertAll(tx, SandboxChargeEntity, books.sandboxCharges);
    await writeChanges(tx, members);
    await books.write(tx);
    await insertAll(tx, PayoutEntity, books.payouts);
  });
  return { customers: customers.length, charges: books.charges.length, subscriptions: members.length };
}

interface World {
  readonly products: readonly Product[];
  readonly customers: Customer[];
  readonly checkouts: Checkout[];
  readonly books: Books;
}

/** Somebody buys something: on the shop's own page, through a checkout or by the link. */
function sell(shop: Shop, { products, customers, checkouts, books }: World, at: Date): void {
  if (at >= shop.now) return;
  const customer = isLucky(0.55)
    ? newCustomer(shop, customers, at)
    : anyOf(customers.length > 0 ? customers : [newCustomer(shop, customers, at)]);
  const goods = products.filter(({ cycle }) => cycle === null);
  const items = [itemOf(anyOf(goods), 1 + upTo(3))];
  const method = anyOf<PaymentMethod>(['PIX', 'PIX', 'PIX', 'PIX', 'PIX', 'CARD', 'CARD', 'CARD', 'BOLETO']);
  const [link] = checkouts;
  if (link !== undefined && isLucky(0.1)) {
    const ofLink = newSale(shop, {
      customer,
      items: link.items,
      method: isLucky(0.5) ? 'PIX' : 'CARD',
      checkout: link,
      at,
    });
    books.take(ended(shop, ofLink));
    return;
  }
  if (method !== 'CARD' && isLucky(0.5)) {
    books.take(ended(shop, newSale(shop, { customer, items, method, checkout: null, at })));
    return;
  }
  const checkout = checkoutOf(shop, items, at);
  if (isLucky(0.2)) checkouts.push(abandoned(shop, checkout));
  else checkouts.push(paidThrough(shop, checkout, books, customer, method));
}

/** A checkout whose payer tries at most twice. */
function paidThrough(
  shop: Shop,
  checkout: Checkout,
  books: Books,
  customer: Customer,
  method: PaymentMethod,
): Checkout {
  const { items, createdAt } = checkout;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const at = new Date(createdAt.getTime() + (attempt + 1) * 60_000);
    const sale = { customer, items, method: attempt === 0 ? method : 'PIX', checkout, at } as const;
    const charge = books.take(ended(shop, newSale(shop, sale)));
    if (charge.paidAt !== null) return paidBy(checkout, charge);
    if (isLucky(0.4)) break;
  }
  return { ...abandoned(shop, checkout), customerId: customer.id };
}

function paidBy(
  checkout: Checkout,
  { id, status, customerId, paidAmountCents, updatedAt }: Charge,
): Checkout {
  const isBack = status === 'REFUNDED';
  return {
    ...checkout,
    status: isBack ? 'REFUNDED' : 'PAID',
    customerId,
    paidByChargeId: id,
    paidAmountCents,
    updatedAt,
  };
}

function abandoned(shop: Shop, checkout: Checkout): Checkout {
  const isOver = checkout.expiresAt !== null && checkout.expiresAt < shop.now;
  return isOver
    ? { ...checkout, status: 'EXPIRED', updatedAt: checkout.expiresAt ?? shop.now }
    : { ...checkout, workflowStartedAt: null };
}

function join(shop: Shop, world: World & { readonly members: Member[] }, at: Date): void {
  const { products, customers, checkouts, books, members } = world;
  if (at >= shop.now) return;
  const plans = products
    .filter(({ cycle }) => cycle !== null)
    .map((product) => ({ item: itemOf(product, 1), cycle: product.cycle ?? 'MONTHLY' }) as const);
  const [single, double, yearly] = plans;
  if (single === undefined || double === undefined || yearly === undefined) return;
  const plan = isLucky(0.2) ? yearly : isLucky(0.3) ? double : single;
  const customer = newCustomer(shop, customers, at);
  const checkout = {
    ...checkoutOf(shop, [plan.item], at),
    frequency: 'SUBSCRIPTION' as const,
    methods: ['CARD' as const],
    cycle: plan.cycle,
    customerId: customer.id,
  };
  const member = newMember(shop, { customer, checkout, plan, better: plan === single ? double : null });
  const charges = member.charges.map((charge) => books.take(charge));
  const [first] = charges;
  if (first === undefined) return;
  checkouts.push({ ...paidBy(checkout, first), subscriptionId: member.began.id });
  members.push(member);
}

function newCustomer({ storeId }: Shop, customers: Customer[], at: Date): Customer {
  const customer: Customer = {
    id: mintId<CustomerId>('customer', at),
    storeId,
    devMode: true,
    ...inventPerson(),
    cellphone: null,
    zipCode: null,
    country: 'BR',
    metadata: {},
    typedByPayer: false,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
  customers.push(customer);
  return customer;
}

function productOf(
  { storeId }: Shop,
  { name, priceCents, cycle }: (typeof GOODS)[number],
  at: Date,
): Product {
  const id = mintId<ProductId>('product', at);
  const externalId = `demo-${id.slice(-8).toLowerCase()}`;
  const made = { createdAt: at, updatedAt: at, deletedAt: null, madeByV1: false };
  const texts = { name, description: null, imageUrl: null, fileUrl: null };
  return { id, storeId, devMode: true, externalId, ...texts, priceCents, cycle, trialDays: null, ...made };
}

function itemOf(
  { id: productId, name, priceCents: unitPriceCents }: Product,
  quantity: number,
): CheckoutItem {
  return { productId, name, imageUrl: null, quantity, unitPriceCents };
}

function checkoutOf({ storeId }: Shop, items: readonly CheckoutItem[], at: Date): Checkout {
  return {
    id: mintId<CheckoutId>('checkout', at),
    storeId,
    devMode: true,
    frequency: 'ONE_TIME',
    status: 'PENDING',
    amountCents: items.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0),
    paidAmountCents: null,
    items,
    methods: ['PIX', 'CARD', 'BOLETO'],
    coupons: [],
    allowCoupons: false,
    customerId: null,
    externalId: `carrinho-${upTo(1_000_000)}`,
    returnUrl: null,
    completionUrl: null,
    metadata: {},
    maxInstallments: 3,
    interest: null,
    fine: null,
    upSellProductId: null,
    cycle: null,
    trialDays: null,
    maxRetry: null,
    retryEveryDays: null,
    subscriptionId: null,
    paidByChargeId: null,
    installmentsCount: null,
    expiresAt: new Date(at.getTime() + 30 * DAY_MS),
    createdAt: at,
    updatedAt: at,
    workflowStartedAt: at,
  };
}

function linkOf(shop: Shop, product: Product | undefined, at: Date): Checkout {
  if (product === undefined) throw new RangeError('the shop sells nothing');
  const link = checkoutOf(shop, [itemOf(product, 1)], at);
  return { ...link, frequency: 'MULTIPLE_PAYMENTS', expiresAt: null, externalId: 'link-da-bio' };
}

/** What was paid through a link, all payers together. */
function withSales(link: Checkout, charges: readonly Charge[]): Checkout {
  const paid = charges.filter(({ checkoutId, paidAt }) => checkoutId === link.id && paidAt !== null);
  return {
    ...link,
    paidAmountCents: paid.reduce((sum, { paidAmountCents }) => sum + (paidAmountCents ?? 0), 0),
  };
}

function couponOf({ storeId }: Shop, at: Date) {
  return {
    id: mintId<CouponId>('coupon', at),
    storeId,
    devMode: true,
    code: `CAFE${upTo(10_000)}`,
    discountKind: 'PERCENTAGE' as const,
    discountValue: 1_000,
    maxRedeems: -1,
    redeemsCount: 0,
    reservedCount: 0,
    status: 'ACTIVE' as const,
    notes: 'Dez por cento para quem volta',
    metadata: {},
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
}

/** Mostly by day. */
function momentIn(day: Date): Date {
  return new Date(day.getTime() + upTo(DAY_MS));
}

interface Pointing {
  readonly id: string;
  readonly paidByChargeId?: string | null;
  readonly subscriptionId?: string | null;
  readonly refundId?: string | null;
}

/** Sets columns of rows that point to what was inserted after them. @param set such as `refund_id = "refundId"`. */
async function point(em: Em, table: string, set: string, rows: readonly Pointing[]): Promise<void> {
  const sql = `update ${table} set ${set}
    from json_to_recordset(:rows::json) pointed (id text, "paidByChargeId" text, "subscriptionId" text, "refundId" text)
    where ${table}.id = pointed.id`;
  const pointed = rows.map(({ id, paidByChargeId, subscriptionId, refundId }) => ({
    id,
    paidByChargeId,
    subscriptionId,
    refundId,
  }));
  await em.execute(sql, { rows: JSON.stringify(pointed) } as never, 'run');
}

async function insertAll<Row extends object>(
  em: Em,
  entity: EntityName<Row>,
  rows: readonly Row[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH)
    await em.insertMany(entity, rows.slice(from, from + BATCH) as never);
}
