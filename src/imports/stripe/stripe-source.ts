import { type Fields, fieldsOf, idOf, listOf, metadataOf, textOf } from '../foreign.ts';
import { HttpReader } from '../http-reader.ts';
import { type HttpSourceOptions, httpSource } from '../http-source.ts';
import type { Source, SourcedRow } from '../source.ts';
import { chargeRow } from './charges.ts';
import { couponRow, priceRow } from './prices-and-coupons.ts';
import { type StripeMaps, subscriptionRow } from './subscriptions.ts';
import { taxIdOf } from './tax-id.ts';

/** The version whose fields are read here, and older fields beside them. */
const API_VERSION = '2026-10-28.endive';
const DEFAULT_URL = 'https://api.stripe.com';
export const STRIPE_KEY = 'STRIPE_API_KEY';

/** An account at Stripe, by its API. A restricted key that can only read is enough. */
export function stripeSource({ key, apiUrl = DEFAULT_URL, pause }: HttpSourceOptions): Source {
  const reader = new HttpReader({
    who: 'Stripe',
    keyName: STRIPE_KEY,
    baseUrl: apiUrl,
    headers: { authorization: `Bearer ${key}`, 'stripe-version': API_VERSION },
    ...(pause !== undefined && { pause }),
  });
  return httpSource('stripe', reader, rowsOf);
}

/** A list by Stripe's cursors. */
function list(reader: HttpReader, path: string, more = ''): AsyncGenerator<unknown> {
  return reader.items<string>(
    (after) =>
      `${path}?limit=100${more}${after === null ? '' : `&starting_after=${encodeURIComponent(after)}`}`,
    (answer) => {
      const { data } = fieldsOf(answer);
      const last = idOf(listOf(data).at(-1));
      return { items: data, next: fieldsOf(answer).has_more === true ? last : null };
    },
  );
}

async function* rowsOf(reader: HttpReader): AsyncGenerator<SourcedRow> {
  const maps: StripeMaps = { prices: new Map(), cardOfCustomer: new Map(), coupons: new Set() };
  for await (const customer of list(reader, '/v1/customers', '&expand[]=data.tax_ids')) {
    const fields = fieldsOf(customer);
    const id = idOf(customer) ?? '';
    const card = defaultCardOf(fields);
    if (card !== null) maps.cardOfCustomer.set(id, card);
    yield customerRow(id, fields);
  }
  const names = new Map<string, Fields>();
  for await (const product of list(reader, '/v1/products')) names.set(idOf(product) ?? '', fieldsOf(product));
  for await (const price of prices(reader)) {
    const fields = fieldsOf(price);
    const row = priceRow(fields, names.get(idOf(fields.product) ?? '') ?? {});
    maps.prices.set(row.id, fields);
    yield row;
  }
  for await (const coupon of list(reader, '/v1/coupons')) {
    maps.coupons.add(idOf(coupon) ?? '');
    yield couponRow(fieldsOf(coupon), false);
  }
  for await (const subscription of list(reader, '/v1/subscriptions'))
    yield* subscriptionRow(reader, fieldsOf(subscription), maps);
  for await (const charge of list(reader, '/v1/charges')) yield chargeRow(fieldsOf(charge));
}

/** Prices, or plans where there are no prices. */
async function* prices(reader: HttpReader): AsyncGenerator<unknown> {
  const hasPrices = (await reader.find('/v1/prices?limit=1')) !== null;
  yield* list(reader, hasPrices ? '/v1/prices' : '/v1/plans');
}

function customerRow(id: string, customer: Fields): SourcedRow {
  const { name, email, phone, address, metadata } = customer;
  const fields = {
    name: textOf(name),
    email: textOf(email),
    taxId: taxIdOf(customer),
    cellphone: textOf(phone),
    zipCode: textOf(fieldsOf(address).postal_code),
    metadata: metadataOf(metadata),
  };
  return { kind: 'customer', place: 'customers', id, fields };
}

function defaultCardOf({ invoice_settings: invoices, default_source: source }: Fields): string | null {
  return idOf(fieldsOf(invoices).default_payment_method) ?? idOf(source);
}
