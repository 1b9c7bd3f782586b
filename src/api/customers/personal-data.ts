/** What is known of a person, in customers and payers alike, under whatever version of the API they are shown. */
const PERSONAL = ['name', 'email', 'taxId', 'cellphone', 'zipCode'];

type Json = Record<string, unknown>;

/** The JSON text of an event's `data` without who its customer is and who paid (contract section 7). */
export function withoutPersonalData(data: string): string {
  const erased = mapped(JSON.parse(data), (value, name) => {
    if (!isObject(value)) return value;
    if (name === 'customer') return nulled(value);
    return name === 'payerInformation' ? payerWithoutNames(value) : value;
  });
  return JSON.stringify(erased);
}

/** `{ method, <method>: { name, taxId, … } }`. Of a card there are brand and last digits, which name nobody. */
function payerWithoutNames(payer: Json): Json {
  return mapped(payer, (value) => (isObject(value) ? nulled(value) : value));
}

/** A JSON text without what it shows of this customer, wherever in it the customer is. */
export function withoutCustomer(text: string, customerId: string): string {
  const erased = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(erased);
    if (!isObject(value)) return value;
    return value.id === customerId ? customerWithoutData(value) : mapped(value, erased);
  };
  return JSON.stringify(erased(JSON.parse(text)));
}

/** In v1 the fields are inside `metadata`; in v2 that holds whatever the store has written about the customer. */
function customerWithoutData(customer: Json): Json {
  const isV2 = 'taxId' in customer;
  const { metadata } = customer;
  if (!isObject(metadata)) return nulled(customer);
  return { ...nulled(customer), metadata: isV2 ? {} : nulled(metadata) };
}

function nulled(person: Json): Json {
  return mapped(person, (value, name) => (PERSONAL.includes(name) ? null : value));
}

function mapped(object: Json, map: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
