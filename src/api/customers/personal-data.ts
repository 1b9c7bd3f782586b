import { isObject } from '../idempotency/canonical-json.ts';

/** Names of personal fields in customers and payers, in every API version. */
const PERSONAL = ['name', 'email', 'taxId', 'cellphone', 'zipCode'];

type Json = Record<string, unknown>;

/**
 * The JSON text of an event's `data` without the customer's and payer's personal data (contract section 7).
 */
export function withoutPersonalData(data: string): string {
  const known = mapped(JSON.parse(data), (value, name) => {
    if (!isObject(value)) return value;
    if (name === 'customer') return emptied(value);
    return name === 'payerInformation' ? payerWithoutNames(value) : value;
  });
  return JSON.stringify(known);
}

/**
 * Shape: `{ method, <method>: { name, taxId, … } }`. A card shows only brand and last digits, which identify
 * nobody.
 */
function payerWithoutNames(payer: Json): Json {
  return mapped(payer, (value) => (isObject(value) ? erased(value, null) : value));
}

/** A JSON text without this customer's personal data at any depth. */
export function withoutCustomer(text: string, customerId: string): string {
  const withoutIt = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutIt);
    if (!isObject(value)) return value;
    return value.id === customerId ? customerWithoutData(value) : mapped(value, withoutIt);
  };
  return JSON.stringify(withoutIt(JSON.parse(text)));
}

/**
 * A customer without a tax id beside its metadata has its personal fields inside them, as older answers have. Otherwise the metadata is the
 * store's own data about the customer.
 */
function customerWithoutData(customer: Json): Json {
  const isV2 = 'taxId' in customer;
  const { metadata } = customer;
  if (!isObject(metadata)) return emptied(customer);
  return { ...emptied(customer), metadata: isV2 ? {} : emptied(metadata) };
}

/** Unknown customer texts are empty (contract section 1, "Texts and null"). */
function emptied(customer: Json): Json {
  return erased(customer, '');
}

function erased(person: Json, nothing: '' | null): Json {
  return mapped(person, (value, name) => (PERSONAL.includes(name) ? nothing : value));
}

function mapped(object: Json, map: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}
