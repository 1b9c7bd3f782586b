import { listCheckouts } from '../../../api/checkouts/routes.ts';
import { invoiceOperations } from '../../../api/invoices/routes.ts';
import { listPayments } from '../../../api/payments/routes.ts';
import { searchProducts } from '../../../api/products/search-products.ts';
import { subscriptionsBy } from '../../../api/subscriptions/list-by-state.ts';
import { type CustomerSearch, findCustomers } from '../../../customers/find-customers.ts';
import { parseInvoiceNumber } from '../../../domain/invoice.ts';
import { subscriptionStateOf } from '../../../domain/subscription.ts';
import { maskTaxId } from '../../../domain/tax-id.ts';
import { read } from '../frame/operation.ts';
import type { Visit } from '../frame/visit.ts';
import { soughtBy } from '../payments/search.ts';
import { stateName } from '../subscriptions/words.ts';
import { amount, paymentStatusName, statusName } from '../words.ts';
import type { Found } from './found.ts';

/** At most this many of each kind are shown. Their lists find more. */
const MOST = '5';
/** Subscriptions are searched for this many of the customers found. */
const MOST_SUBSCRIBERS = 3;

/** Customers, subscriptions, products, checkouts, payments and invoices that the text is an id, `externalId`, number or name of. */
export async function objectsOf(visit: Visit, text: string): Promise<Found[]> {
  const sought = soughtBy(text);
  if (sought.kind === 'page') return [{ path: sought.path as `/${string}`, icon: 'search', text }];
  if (sought.kind === 'amount') return [paymentsOf(visit, text)];
  const [people, named, invoices] = await Promise.all([
    peopleOf(visit, sought),
    sought.kind === 'text' ? namedBy(visit, text) : [],
    parseInvoiceNumber(text) === null ? [] : invoicesNumbered(visit, text),
  ]);
  return [...people, ...named, ...invoices];
}

async function invoicesNumbered(visit: Visit, number: string): Promise<Found[]> {
  const { items } = await read(visit, invoiceOperations.list, { query: { number } });
  return items.map(({ id, amount: cents, payer }) => ({
    path: `/invoices/${id}` as const,
    icon: 'receipt-text' as const,
    text: visit.say('invoice.title', { number }),
    detail: [payer?.name, amount(cents)].filter(Boolean).join(' · '),
  }));
}

/** An amount has no index. The list of payments looks for it step by step. */
function paymentsOf({ say }: Visit, text: string): Found {
  const query = new URLSearchParams({ q: text });
  return {
    path: `/payments?${query}`,
    icon: 'credit-card',
    text: say('dashboard.search.paymentsOf', { text }),
  };
}

async function peopleOf(visit: Visit, sought: CustomerSearch): Promise<Found[]> {
  const { em, caller, say } = visit;
  const customers = await findCustomers(em, caller, sought, Number(MOST));
  const customerIds = customers.slice(0, MOST_SUBSCRIBERS).map(({ id }) => id);
  const { items } = await subscriptionsBy(em, caller, { state: null, customerIds }, { limit: Number(MOST) });
  const names = new Map(customers.map(({ id, name }) => [id, name]));
  const subscriptions = items.map((subscription) => ({
    path: `/subscriptions/${subscription.id}` as const,
    icon: 'repeat' as const,
    text: say('dashboard.search.subscriptionOf', {
      value: (subscription.customerId && names.get(subscription.customerId)) ?? subscription.plan.name,
    }),
    detail: `${amount(subscription.amountCents)} · ${stateName(subscriptionStateOf(subscription), say)}`,
  }));
  const found = customers.map(({ id, name, email, taxId }) => ({
    path: `/customers/${id}` as const,
    icon: 'users' as const,
    text: name ?? email ?? id,
    detail: taxId === null ? (email ?? '') : maskTaxId(taxId),
  }));
  return [...found, ...subscriptions];
}

async function namedBy(visit: Visit, text: string): Promise<Found[]> {
  const { em, caller, say } = visit;
  const { storeId, devMode } = caller;
  const query = { externalId: text, limit: MOST };
  const [products, checkouts, payments] = await Promise.all([
    searchProducts(em, { storeId, devMode, text }),
    read(visit, listCheckouts, { query }),
    read(visit, listPayments, { query }),
  ]);
  return [
    ...products.map(({ id, name, priceCents }) => ({
      path: `/products/${id}` as const,
      icon: 'package' as const,
      text: name,
      detail: amount(priceCents),
    })),
    ...checkouts.items.map(({ id, amount: cents, status }) => ({
      path: `/checkouts/${id}` as const,
      icon: 'shopping-cart' as const,
      text: say('dashboard.search.checkout', { text }),
      detail: `${amount(cents)} · ${statusName(status, say)}`,
    })),
    ...payments.items.map((payment) => ({
      path: `/payments/${payment.id}` as const,
      icon: 'credit-card' as const,
      text: say('dashboard.search.payment', { text }),
      detail: `${amount(payment.paidAmount ?? payment.amount)} · ${paymentStatusName(payment, say)}`,
    })),
  ];
}
