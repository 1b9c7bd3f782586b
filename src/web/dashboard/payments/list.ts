import { validated } from '../../../api/frame/validation.ts';
import { paymentFilter } from '../../../api/payments/filter.ts';
import { paymentsOfAmount } from '../../../api/payments/payments-of-amount.ts';
import { presentPayment } from '../../../api/payments/presenter.ts';
import { readPayments } from '../../../api/payments/read-payments.ts';
import { listPayments } from '../../../api/payments/routes.ts';
import { listPaymentsQuery } from '../../../api/payments/schema.ts';
import { totalsOf } from '../../../api/payments/totals.ts';
import { findCustomers } from '../../../customers/find-customers.ts';
import { CHARGE_STATUSES, PAYMENT_METHODS } from '../../../domain/charge.ts';
import { maskTaxId } from '../../../domain/tax-id.ts';
import { textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { paymentsSheet } from '../exports/payments-sheet.ts';
import { guideLink, link, pager, section, time } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import { dashboardRoute, type Reply, seeOther } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { choice, dayFields, listPage, sortHeading } from '../lists/list-page.ts';
import { filledIn } from '../lists/totals-text.ts';
import { amount, methodName, numberText, statusName } from '../words.ts';
import { headingsOf, rowsOf } from './rows.ts';
import { soughtBy } from './search.ts';

const PARAMETERS = [
  'status',
  'method',
  'customerId',
  'checkoutId',
  'subscriptionId',
  'externalId',
  'createdFrom',
  'createdTo',
  'paidFrom',
  'paidTo',
];

/** At most this many customers are found. A search is narrowed by more of the name. */
const MOST_CUSTOMERS = 12;

/** Payments of every kind, with one search box for anything known about a payment. */
export const paymentsList = dashboardRoute({
  method: 'GET',
  path: '/payments',
  action: 'read',
  async handler(visit) {
    const text = visit.query.get('q')?.trim() ?? '';
    return text === '' ? paymentsPage(visit, {}, null) : searched(visit, text);
  },
});

async function searched(visit: Visit, text: string): Promise<Reply> {
  const { em, caller, say } = visit;
  const sought = soughtBy(text);
  if (sought.kind === 'page') return seeOther(visit.link(sought.path));
  if (sought.kind === 'amount') return amountPage(visit, sought.cents);
  const customers = await findCustomers(em, caller, sought, MOST_CUSTOMERS);
  const [only] = customers;
  if (only !== undefined && customers.length === 1)
    return paymentsPage(
      visit,
      { customerId: only.id },
      html`<p>${say('dashboard.payments.customer')} ${link(visit, `/customers/${only.id}`, only.name ?? only.id)}</p>`,
    );
  const rows = customers.map(({ id, name, taxId, email }) => [
    html`<a href="${visit.link('/payments', { customerId: id })}">${name ?? id}</a>`,
    taxId === null ? '' : maskTaxId(taxId),
    email ?? '',
  ]);
  const title = say('dashboard.payments.customersFound');
  const headings = [say('dashboard.name'), say('dashboard.taxId'), say('dashboard.eMail')];
  const above =
    rows.length === 0 ? null : section(title, table({ caption: title, headings, rows, empty: '' }));
  return paymentsPage(visit, { externalId: text }, above);
}

/** Amounts have no index, so each page scans a part of the payments and says how far it got. */
async function amountPage(visit: Visit, cents: number): Promise<Reply> {
  const { em, caller, say, deps, query } = visit;
  const { ids, end } = await paymentsOfAmount(em, caller, cents, query.get('after'));
  const found = await readPayments(em, caller, ids);
  const items = found.map((row) => presentPayment(row, { publicUrl: deps.publicUrl, showsPayer: true }));
  const title = say('dashboard.payments');
  const empty = say('dashboard.payments.noneOfThesePaymentsHas');
  const body = html`${searchBox(visit)}
<p class="soft">${
    end === null
      ? say('dashboard.payments.searchedBackToTheStores')
      : html`${say('dashboard.payments.lookedForBackTo')} ${time(visit, end.createdAt)}.`
  }</p>
${table({ caption: title, headings: headingsOf(visit, say('dashboard.created')), rows: await rowsOf(visit, items), empty })}
${pager(visit, { next: end?.id ?? null, before: null })}`;
  return page(visit, { title, active: 'payments', body });
}

function paymentsPage(
  visit: Visit,
  query: Readonly<Record<string, string>>,
  above: Html | null,
): Promise<Reply> {
  const { say } = visit;
  const names = (values: readonly Parameters<typeof statusName>[0][]) =>
    values.map((value) => [value, statusName(value, say)] as const);
  return listPage(visit, {
    title: say('dashboard.payments'),
    active: 'payments',
    operation: listPayments,
    sheet: paymentsSheet,
    parameters: PARAMETERS,
    query,
    above: html`${searchBox(visit)}${above}`,
    fields: html`${choice(visit, { name: 'status', label: say('dashboard.status'), options: names(CHARGE_STATUSES) })}
${choice(visit, { name: 'method', label: say('dashboard.method'), options: PAYMENT_METHODS.map((method) => [method, methodName(method, say)]) })}
${dayFields(visit)}
${paidFields(visit)}`,
    headings: headingsOf(visit, sortHeading(visit, say('dashboard.created'))),
    totals: (sent) => totalsText(visit, sent),
    rows: (items) => rowsOf(visit, items),
    empty: emptyState({
      icon: 'credit-card',
      title: say('dashboard.payments.noPaymentsHere'),
      text: say('dashboard.payments.chargesCreatedByTheApi'),
      action: guideLink(visit, 'charges', say('dashboard.payments.howToCreateACharge')),
    }),
  });
}

/** `128 pagamentos · R$ 1.280,00 pagos · R$ 10,00 devolvidos`. */
async function totalsText(visit: Visit, sent: Readonly<Record<string, string | undefined>>): Promise<Html> {
  const { em, caller, say, locale } = visit;
  const filter = await paymentFilter(em, caller, validated(listPaymentsQuery, filledIn(sent)));
  const { count, paidCents, refundedCents, isCut } = await totalsOf(em, caller, filter);
  const number = numberText(count, locale);
  if (isCut) return html`${say('dashboard.payments.moreThanPayments', { number })}`;
  const payments = count === 1 ? say('dashboard.payments.payment') : say('dashboard.payments2');
  return html`<strong>${number}</strong> ${payments} · <strong>${amount(paidCents)}</strong> ${say('dashboard.paid3')}${
    refundedCents > 0 &&
    html` · <strong>${amount(refundedCents)}</strong> ${say('dashboard.payments.refunded')}`
  }`;
}

/** The days on which they were paid. */
function paidFields({ say, query }: Visit): Html {
  const field = (name: string, label: string) =>
    textField({ name, label, type: 'date', required: false, value: query.get(name) ?? '' });
  return html`${field('paidFrom', say('dashboard.payments.paidFrom'))}${field('paidTo', say('dashboard.payments.paidTo'))}`;
}

function searchBox(visit: Visit): Html {
  const { say, query } = visit;
  const label = say('dashboard.payments.searchByIdYourId');
  return html`<form class="search" role="search" method="get" action="${visit.link('/payments')}">
<input name="q" value="${query.get('q') ?? ''}" aria-label="${label}" placeholder="${label}" maxlength="200">
<button class="button">${say('dashboard.search2')}</button>
</form>`;
}
