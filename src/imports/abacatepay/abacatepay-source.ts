import { type Fields, fieldsOf, idOf, listOf, metadataOf, numberOf, textOf } from '../foreign.ts';
import { HttpReader } from '../http-reader.ts';
import { type HttpSourceOptions, httpSource } from '../http-source.ts';
import type { Source, SourcedRow } from '../source.ts';
import { subscriptionRow } from './subscriptions.ts';

const DEFAULT_URL = 'https://api.abacatepay.com';
export const ABACATEPAY_KEY = 'ABACATEPAY_API_KEY';

/** A store at AbacatePay, or at another Recebe, by version 2 of the API. A key that can only read is enough. */
export function abacatepaySource({ key, apiUrl = DEFAULT_URL, pause }: HttpSourceOptions): Source {
  const reader = new HttpReader({
    who: 'AbacatePay',
    keyName: ABACATEPAY_KEY,
    baseUrl: apiUrl,
    headers: { authorization: `Bearer ${key}` },
    ...(pause !== undefined && { pause }),
  });
  return httpSource('abacatepay', reader, rowsOf);
}

function list(reader: HttpReader, path: string, more = ''): AsyncGenerator<unknown> {
  return reader.items<string>(
    (after) => `/v2/${path}?limit=100${more}${after === null ? '' : `&after=${encodeURIComponent(after)}`}`,
    (answer) => {
      const { data, pagination } = fieldsOf(answer);
      const { hasMore, next } = fieldsOf(pagination);
      return { items: data, next: hasMore === true ? textOf(next) : null };
    },
  );
}

async function* rowsOf(reader: HttpReader): AsyncGenerator<SourcedRow> {
  for await (const customer of list(reader, 'customers/list')) yield customerRow(fieldsOf(customer));
  for await (const product of list(reader, 'products/list')) yield productRow(fieldsOf(product));
  for await (const coupon of list(reader, 'coupons/list')) yield couponRow(fieldsOf(coupon));
  for await (const listed of list(reader, 'subscriptions/list'))
    yield* listedSubscription(reader, fieldsOf(listed));
  yield* paymentRows(reader);
}

function customerRow(customer: Fields): SourcedRow {
  // Older answers have the person in `metadata`.
  const { name, email, taxId, cellphone, zipCode, metadata } = customer;
  const fields = {
    name: textOf(name),
    email: textOf(email),
    taxId: textOf(taxId),
    cellphone: textOf(cellphone),
    zipCode: textOf(zipCode),
    metadata: metadataOf(metadata),
  };
  return { kind: 'customer', place: 'customers', id: idOf(customer) ?? '', fields };
}

function productRow(product: Fields): SourcedRow {
  const fields = {
    name: textOf(product.name) ?? undefined,
    price: numberOf(product.price) ?? undefined,
    cycle: textOf(product.cycle),
    description: textOf(product.description),
    imageUrl: textOf(product.imageUrl),
    trialDays: textOf(product.cycle) === null ? null : numberOf(product.trialDays),
    // Another Recebe says it; AbacatePay charges usage with the plan.
    usageCycle: textOf(product.usageCycle),
    externalId: textOf(product.externalId),
    archived: product.status === 'ARCHIVED' || product.status === 'INACTIVE',
  };
  return { kind: 'product', place: 'products', id: idOf(product) ?? '', fields };
}

function couponRow(coupon: Fields): SourcedRow {
  const id = idOf(coupon) ?? textOf(coupon.code) ?? '';
  const fields = {
    code: id,
    discountKind: textOf(coupon.discountKind) ?? undefined,
    discount: numberOf(coupon.discount) ?? undefined,
    duration: textOf(coupon.duration) ?? 'ONCE',
    durationInCycles: numberOf(coupon.durationInCycles),
    maxRedeems: numberOf(coupon.maxRedeems) ?? -1,
    redeemed: numberOf(coupon.redeemsCount) ?? 0,
    isActive: coupon.status === 'ACTIVE',
    validUntil: textOf(coupon.validUntil),
    notes: textOf(coupon.notes),
    metadata: metadataOf(coupon.metadata),
  };
  return { kind: 'coupon', place: 'coupons', id, fields };
}

/** The list has the checkouts that started subscriptions; the subscription itself has the dates. */
async function* listedSubscription(reader: HttpReader, listed: Fields): AsyncGenerator<SourcedRow> {
  const own = idOf(listed)?.startsWith('subs_') ? idOf(listed) : textOf(listed.subscriptionId);
  // Nobody has paid its checkout yet.
  if (own === null) return;
  const answer = fieldsOf(await reader.find(`/v2/subscriptions/get?id=${encodeURIComponent(own)}`));
  yield subscriptionRow(own, fieldsOf(answer.data));
}

const PAID = ['PAID', 'REFUNDED', 'UNDER_DISPUTE'];
const METHODS = ['PIX', 'BOLETO', 'CARD'];

/** All payments, where there is a list of them; otherwise those of charges and checkouts. */
async function* paymentRows(reader: HttpReader): AsyncGenerator<SourcedRow> {
  const hasList = (await reader.find('/v2/payments/list?limit=1')) !== null;
  const lists = hasList ? ['payments/list'] : ['transparents/list', 'checkouts/list'];
  for (const path of lists)
    for await (const payment of list(reader, path)) {
      const row = paymentRow(path.split('/')[0] ?? path, fieldsOf(payment));
      if (row !== null) yield row;
    }
}

/** Null for what nobody has paid, and for a payment of nothing. */
function paymentRow(place: string, payment: Fields): SourcedRow | null {
  const amount = numberOf(payment.paidAmount) ?? numberOf(payment.amount);
  if (!PAID.includes(textOf(payment.status) ?? '') || amount === 0) return null;
  const method = textOf(payment.method) ?? textOf(listOf(payment.methods)[0]) ?? '';
  const refunded = numberOf(payment.refundedAmount) ?? (payment.status === 'REFUNDED' ? amount : 0);
  const fields = {
    customer: textOf(payment.customerId) ?? idOf(payment.customer),
    subscription: textOf(payment.subscriptionId),
    amount: amount ?? undefined,
    refunded: refunded ?? 0,
    method: METHODS.includes(method) ? method : 'OTHER',
    paidAt: textOf(payment.paidAt) ?? textOf(payment.updatedAt) ?? textOf(payment.createdAt) ?? undefined,
  };
  return { kind: 'payment', place, id: idOf(payment) ?? '', fields };
}
