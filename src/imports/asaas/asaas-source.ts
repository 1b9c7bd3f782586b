import type { ProductCycle } from '../../domain/cycle.ts';
import { formatBrl } from '../../domain/money.ts';
import { type Fields, fieldsOf, idOf, listOf, numberOf, textOf } from '../foreign.ts';
import { HttpReader } from '../http-reader.ts';
import { type HttpSourceOptions, httpSource } from '../http-source.ts';
import type { Problem } from '../rows.ts';
import type { Source, SourcedRow } from '../source.ts';

const DEFAULT_URL = 'https://api.asaas.com';
const PER_PAGE = 100;
export const ASAAS_KEY = 'ASAAS_API_KEY';

/** An account at Asaas, by version 3 of its API. */
export function asaasSource({ key, apiUrl = DEFAULT_URL, pause }: HttpSourceOptions): Source {
  const reader = new HttpReader({
    who: 'Asaas',
    keyName: ASAAS_KEY,
    baseUrl: apiUrl,
    headers: { access_token: key, 'user-agent': 'recebe' },
    ...(pause !== undefined && { pause }),
  });
  return httpSource('asaas', reader, rowsOf);
}

/** Asaas' pages begin at an offset. A row that is added meanwhile moves others, which are then imported once. */
function list(reader: HttpReader, path: string, more = ''): AsyncGenerator<unknown> {
  let offset = 0;
  return reader.items<number>(
    (from) => `/v3/${path}?limit=${PER_PAGE}&offset=${from ?? 0}${more}`,
    (answer) => {
      const { data, hasMore } = fieldsOf(answer);
      const { length } = listOf(data);
      offset += length;
      return { items: data, next: hasMore === true && length > 0 ? offset : null };
    },
  );
}

async function* rowsOf(reader: HttpReader): AsyncGenerator<SourcedRow> {
  for await (const customer of list(reader, 'customers')) yield customerRow(fieldsOf(customer));
  const plans = new Set<string>();
  for await (const listed of list(reader, 'subscriptions')) {
    const subscription = fieldsOf(listed);
    const plan = planOf(subscription);
    if (plan !== null && !plans.has(plan.id)) {
      plans.add(plan.id);
      yield plan;
    }
    yield await subscriptionRow(reader, subscription, plan);
  }
  for await (const payment of list(reader, 'payments')) yield paymentRow(fieldsOf(payment));
}

function customerRow(customer: Fields): SourcedRow {
  const id = idOf(customer) ?? '';
  const at = { kind: 'customer' as const, place: 'customers', id };
  if (customer.deleted === true) return { ...at, fields: {}, skipped: 'it is deleted' };
  const reference = textOf(customer.externalReference);
  const fields = {
    name: textOf(customer.name),
    email: textOf(customer.email),
    taxId: textOf(customer.cpfCnpj),
    cellphone: textOf(customer.mobilePhone) ?? textOf(customer.phone),
    zipCode: textOf(customer.postalCode),
    metadata: reference === null ? {} : { externalReference: reference },
  };
  return { ...at, fields };
}

const CYCLES: Readonly<Record<string, ProductCycle>> = {
  WEEKLY: 'WEEKLY',
  MONTHLY: 'MONTHLY',
  QUARTERLY: 'QUARTERLY',
  SEMIANNUALLY: 'SEMIANNUALLY',
  YEARLY: 'ANNUALLY',
};

/** Asaas has no products: each price and frequency of its subscriptions becomes one. */
function planOf({ cycle: every, value, description, deleted, status }: Fields): SourcedRow | null {
  const cycle = CYCLES[textOf(every) ?? ''];
  const cents = centsOf(value);
  if (cycle === undefined || cents === null || deleted === true || status !== 'ACTIVE') return null;
  const name = textOf(description)?.slice(0, 200) ?? `Assinatura de ${formatBrl(cents)}`;
  const id = `asaas-${cycle.toLowerCase()}-${cents}`;
  return { kind: 'product', place: 'subscriptions', id, fields: { name, price: cents, cycle } };
}

async function subscriptionRow(
  reader: HttpReader,
  subscription: Fields,
  plan: SourcedRow | null,
): Promise<SourcedRow> {
  const id = idOf(subscription) ?? '';
  const at = { kind: 'subscription' as const, place: 'subscriptions', id };
  if (subscription.deleted === true || subscription.status !== 'ACTIVE')
    return { ...at, fields: {}, skipped: 'it is not active' };
  const problems: Problem[] = [];
  const wrong = (field: string, problem: string) => void problems.push({ field, problem });
  if (CYCLES[textOf(subscription.cycle) ?? ''] === undefined)
    wrong('cycle', `must be one of ${Object.keys(CYCLES).join(', ')}`);
  else if (plan === null) wrong('value', 'must be reais with two decimals');
  if (textOf(subscription.endDate) !== null || numberOf(subscription.maxPayments) !== null)
    wrong(
      'endDate',
      'must be empty: a subscription here has no last date, and is cancelled when it should end',
    );
  if ((numberOf(fieldsOf(subscription.discount).value) ?? 0) > 0)
    wrong(
      'discount',
      'must be 0: Recebe has no discount for early payment; lower the price, or use a coupon',
    );
  const billing = textOf(subscription.billingType);
  const isCard = billing === 'CREDIT_CARD';
  const next = textOf(subscription.nextDueDate);
  return {
    ...at,
    fields: {
      customer: idOf(subscription.customer) ?? '',
      // A row without one is refused for its cycle or price.
      product: plan?.id ?? 'none',
      unitPrice: centsOf(subscription.value),
      method: isCard ? 'CARD' : 'PIX',
      card: isCard ? textOf(fieldsOf(subscription.creditCard).creditCardToken) : null,
      nextChargeAt: next ?? undefined,
      anchorDay: next === null ? null : await anchorDayOf(reader, id, next, subscription.cycle),
      externalId: textOf(subscription.externalReference),
    },
    problems,
    ...(!isCard &&
      billing !== 'PIX' && { note: 'it was paid by boleto: here its payer gets a PIX code per cycle' }),
  };
}

/**
 * The day of the month by which Asaas counts, if the next date is the last day of its month: earlier payments of a longer month
 * show it. Null if the date itself tells it.
 */
async function anchorDayOf(
  reader: HttpReader,
  id: string,
  next: string,
  cycle: unknown,
): Promise<number | null> {
  const day = Number(next.slice(8));
  const [year = 0, month = 0] = next.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (cycle === 'WEEKLY' || day !== lastDay || day === 31) return null;
  let latest = day;
  for await (const payment of list(reader, 'payments', `&subscription=${encodeURIComponent(id)}`)) {
    const due = textOf(fieldsOf(payment).originalDueDate) ?? textOf(fieldsOf(payment).dueDate);
    if (due !== null) latest = Math.max(latest, Number(due.slice(8, 10)) || 0);
  }
  return latest > day ? latest : null;
}

const PAID = ['RECEIVED', 'CONFIRMED', 'RECEIVED_IN_CASH', 'REFUNDED', 'DUNNING_RECEIVED'];
const METHODS: Readonly<Record<string, string>> = {
  PIX: 'PIX',
  BOLETO: 'BOLETO',
  CREDIT_CARD: 'CARD',
  DEBIT_CARD: 'CARD',
};

function paymentRow(payment: Fields): SourcedRow {
  const at = { kind: 'payment' as const, place: 'payments', id: idOf(payment) ?? '' };
  const status = textOf(payment.status) ?? '';
  if (!PAID.includes(status))
    return { ...at, fields: {}, skipped: 'it was not paid, or its payer disputes it' };
  const cents = centsOf(payment.value);
  return {
    ...at,
    fields: {
      customer: idOf(payment.customer),
      subscription: idOf(payment.subscription),
      amount: cents ?? undefined,
      refunded: status === 'REFUNDED' ? (cents ?? 0) : 0,
      method: METHODS[textOf(payment.billingType) ?? ''] ?? 'OTHER',
      paidAt:
        textOf(payment.clientPaymentDate) ??
        textOf(payment.paymentDate) ??
        textOf(payment.confirmedDate) ??
        textOf(payment.dueDate) ??
        undefined,
    },
  };
}

/** A number of reais with two decimals, in cents; null for any other. */
function centsOf(value: unknown): number | null {
  const reais = numberOf(value);
  if (reais === null) return null;
  const cents = Math.round(reais * 100);
  return Math.abs(reais * 100 - cents) < 1e-4 ? cents : null;
}
