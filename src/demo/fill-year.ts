import { beneficiaryOf } from '../charges/new-charge.ts';
import type { Charge } from '../database/entities/charge.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import type { Product } from '../database/entities/product.ts';
import type { Em } from '../database/orm.ts';
import type { PaymentMethod } from '../domain/charge.ts';
import { merchantsCustomer } from '../domain/payer.ts';
import { withBoletoCodes } from './boleto-codes.ts';
import { Books } from './books.ts';
import { type Member, newMember } from './members.ts';
import { checkoutOf, couponOf, itemOf, linkOf, newCustomer, productOf } from './new-rows.ts';
import { anyOf, GOODS, isLucky, upTo } from './people-and-goods.ts';
import { ended, left, newSale, type Shop } from './sales.ts';
import { writeYear } from './write-year.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 365;

/** The objects of the demo shop after its year. */
export interface FilledYear {
  readonly customers: number;
  readonly charges: number;
  readonly subscriptions: number;
}

/**
 * Gives a store in dev mode a year of business: rows as the service would leave them, and every movement in the ledger. Existing
 * data stays unchanged. The sweeper starts the workflows of open objects. There are no events and deliveries, because nobody was
 * notified.
 */
export async function fillYear(em: Em, filled: Omit<Shop, 'beneficiary'>): Promise<FilledYear> {
  const shop = { ...filled, beneficiary: await beneficiaryOf(em, filled.storeId) };
  const beganAt = new Date(shop.now.getTime() - DAYS * DAY_MS);
  const products = GOODS.map((good) => productOf(shop, good, beganAt));
  const customers = new Newcomers(shop, await taxIdsOf(em, shop));
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
  books.take(openBoleto(shop, products, customers));
  books.charges = await withBoletoCodes(em, books.charges);
  const [link, ...others] = checkouts;
  const sold = link === undefined ? [] : [withSales(link, books.charges), ...others];
  await writeYear(em, {
    storeId: shop.storeId,
    products,
    customers: customers.all,
    checkouts: sold,
    members,
    books,
    coupon: couponOf(shop, beganAt),
  });
  return { customers: customers.all.length, charges: books.charges.length, subscriptions: members.length };
}

interface DemoData {
  readonly products: readonly Product[];
  readonly customers: Newcomers;
  readonly checkouts: Checkout[];
  readonly books: Books;
}

/** A boleto of the last hour, so that there is always one to look at and pay. */
function openBoleto(shop: Shop, products: readonly Product[], customers: Newcomers): Charge {
  const at = new Date(shop.now.getTime() - HOUR_MS);
  const items = products
    .filter(({ cycle }) => cycle === null)
    .slice(0, 1)
    .map((product) => itemOf(product, 1));
  return left(newSale(shop, { customer: customers.come(at), items, method: 'BOLETO', checkout: null, at }));
}

/** Sells something: on the shop's own page, through a checkout or by the payment link. */
function sell(shop: Shop, { products, customers, checkouts, books }: DemoData, at: Date): void {
  if (at >= shop.now) return;
  const customer = isLucky(0.55) || customers.all.length === 0 ? customers.come(at) : anyOf(customers.all);
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
  return { ...abandoned(shop, checkout), ...merchantsCustomer(customer.id) };
}

function paidBy(
  checkout: Checkout,
  { id, status, customerId, customerNamedBy, paidAmountCents, updatedAt }: Charge,
): Checkout {
  const isBack = status === 'REFUNDED';
  return {
    ...checkout,
    status: isBack ? 'REFUNDED' : 'PAID',
    customerId,
    customerNamedBy,
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

/** First-time buyers. Tax ids are unique, including those of earlier runs. */
class Newcomers {
  readonly all: Customer[] = [];
  readonly #shop: Shop;
  readonly #taken: Set<Customer['taxId']>;

  constructor(shop: Shop, taken: Iterable<Customer['taxId']>) {
    this.#shop = shop;
    this.#taken = new Set(taken);
  }

  come(at: Date): Customer {
    const customer = newCustomer(this.#shop, at);
    if (this.#taken.has(customer.taxId)) return this.come(at);
    this.#taken.add(customer.taxId);
    this.all.push(customer);
    return customer;
  }
}

async function taxIdsOf(em: Em, { storeId }: Shop): Promise<Customer['taxId'][]> {
  const before = await em.find(CustomerEntity, { storeId, devMode: true }, { fields: ['taxId'] });
  return before.map(({ taxId }) => taxId);
}

function join(shop: Shop, data: DemoData & { readonly members: Member[] }, at: Date): void {
  const { products, customers, checkouts, books, members } = data;
  if (at >= shop.now) return;
  const plans = products
    .filter(({ cycle }) => cycle !== null)
    .map((product) => ({ item: itemOf(product, 1), cycle: product.cycle ?? 'MONTHLY' }) as const);
  const [single, double, yearly] = plans;
  if (single === undefined || double === undefined || yearly === undefined) return;
  const plan = isLucky(0.2) ? yearly : isLucky(0.3) ? double : single;
  const customer = customers.come(at);
  const checkout = {
    ...checkoutOf(shop, [plan.item], at),
    frequency: 'SUBSCRIPTION' as const,
    methods: ['CARD' as const],
    cycle: plan.cycle,
    ...merchantsCustomer(customer.id),
  };
  const member = newMember(shop, { customer, checkout, plan, better: plan === single ? double : null });
  const charges = member.charges.map((charge) => books.take(charge));
  const [first] = charges;
  if (first === undefined) return;
  checkouts.push({ ...paidBy(checkout, first), subscriptionId: member.began.id });
  members.push(member);
}

/** The sum of all payments through a link. */
function withSales(link: Checkout, charges: readonly Charge[]): Checkout {
  const paid = charges.filter(({ checkoutId, paidAt }) => checkoutId === link.id && paidAt !== null);
  return {
    ...link,
    paidAmountCents: paid.reduce((sum, { paidAmountCents }) => sum + (paidAmountCents ?? 0), 0),
  };
}

/** A random time, mostly by day. */
function momentIn(day: Date): Date {
  return new Date(day.getTime() + upTo(DAY_MS));
}
