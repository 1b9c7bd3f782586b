import { cardsKeptFor, type KeptCard } from '../../../api/customers/cards.ts';
import { getCustomer } from '../../../api/customers/routes.ts';
import { paymentFilter } from '../../../api/payments/filter.ts';
import { listPayments } from '../../../api/payments/routes.ts';
import { totalsOf } from '../../../api/payments/totals.ts';
import { listSavedCards } from '../../../api/saved-cards/routes.ts';
import type { ShownSavedCard } from '../../../api/saved-cards/schema.ts';
import { subscriptionsBy } from '../../../api/subscriptions/list-by-state.ts';
import { outsidePaymentsOf } from '../../../customers/outside-payments.ts';
import type { OutsidePayment } from '../../../database/entities/outside-payment.ts';
import type { CustomerId } from '../../../domain/ids.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { formatTaxId } from '../../../domain/tax-id.ts';
import { brandName } from '../../frame/card-text.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, copyChip, day, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import { realMoneyStepUp, stepUpFields } from '../frame/step-up.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { headingsOf as paymentHeadings, rowsOf as paymentRows } from '../payments/rows.ts';
import { rowOf as subscriptionRow } from '../subscriptions/list.ts';
import { amount, amountCell, amountHeading, expiryText, methodName } from '../words.ts';
import { masked } from './masked.ts';

const SHOWN = 10;
/** Years of months; older ones are in the store's own records. */
const MOST_OUTSIDE = 100;

/** The name of the form that erases the personal data. */
export const ERASE = 'erase';

/** One customer: what they spent, their payments, subscriptions and cards. */
export const customerDetail = dashboardRoute({
  method: 'GET',
  path: '/customers/:id',
  action: 'read',
  async handler(visit) {
    const { say, em, caller, params } = visit;
    const customer = await read(visit, getCustomer, { query: { id: params.id } });
    const { id, name, email, taxId, cellphone, zipCode, createdAt, typedByPayer } = customer;
    const customerId = id as CustomerId;
    const [payments, totals, subscriptions, cards, saved, outside] = await Promise.all([
      read(visit, listPayments, { query: { customerId, limit: String(SHOWN) } }),
      paymentFilter(em, caller, { customerId } as never).then((filter) => totalsOf(em, caller, filter)),
      subscriptionsBy(em, caller, { state: null, customerIds: [customerId] }, { limit: SHOWN }),
      cardsKeptFor(em, customerId),
      read(visit, listSavedCards, { query: { customerId, limit: String(SHOWN) } }),
      outsidePaymentsOf(em, caller, customerId, MOST_OUTSIDE),
    ]);
    const more = say('dashboard.customers.allPayments');
    return detailPage(visit, {
      title: name === '' ? say('dashboard.customer') : name,
      active: 'customers',
      ...(visit.can('sell') && { actions: erasure(visit, id) }),
      main: html`${section(
        say('dashboard.payments'),
        html`${table({
          caption: say('dashboard.payments'),
          headings: withoutCustomer(paymentHeadings(visit, say('dashboard.created'))),
          rows: (await paymentRows(visit, payments.items)).map(({ href, cells }) => ({
            href,
            cells: withoutCustomer(cells),
          })),
          empty: say('dashboard.customers.noPaymentsYet'),
        })}
${payments.pagination.hasMore && html`<p><a href="${visit.link('/payments', { customerId: id })}">${more}</a></p>`}`,
      )}
${outside.length > 0 && section(say('dashboard.customers.outsidePayments'), outsideTable(visit, outside))}
${section(
  say('dashboard.subscriptions'),
  html`${table({
    caption: say('dashboard.subscriptions'),
    headings: [
      say('dashboard.plan'),
      say('dashboard.state2'),
      say('dashboard.nextCharge'),
      amountHeading(say('dashboard.amount')),
      say('dashboard.chargedTo'),
      say('dashboard.began'),
    ],
    rows: subscriptions.items.map((subscription) => {
      const { href, cells } = subscriptionRow(visit, subscription, name);
      return { href, cells: cells.slice(1) };
    }),
    empty: say('dashboard.customers.noSubscriptions'),
  })}
${subscriptions.pagination.hasMore && html`<p><a href="${visit.link('/subscriptions', { customerId: id })}">${say('dashboard.customers.allSubscriptions')}</a></p>`}`,
)}
${cards.length > 0 && section(say('dashboard.customers.cardsKept'), cardsTable(visit, cards))}
${saved.items.length > 0 && section(say('dashboard.customers.savedCards'), savedCardsTable(visit, id, saved.items))}`,
      cards: [
        {
          title: say('dashboard.customers.summary'),
          rows: [
            [
              say('dashboard.customers.totalSpent'),
              `${totals.isCut ? say('dashboard.customers.moreThan') : ''}${amount(totals.paidCents - totals.refundedCents)}`,
            ],
            totals.refundedCents === 0 ? null : [say('dashboard.refunded'), amount(totals.refundedCents)],
            [say('dashboard.paymentsAndAttempts'), `${totals.count}${totals.isCut ? '+' : ''}`],
            [say('dashboard.customers.customerSince'), day(visit, createdAt)],
          ],
        },
        {
          title: say('dashboard.customers.contact'),
          rows: [
            [say('dashboard.taxId'), taxIdFor(visit, taxId)],
            [say('dashboard.eMail'), email || '–'],
            [say('dashboard.phone'), cellphone || '–'],
            ['CEP', zipCode || '–'],
            [
              say('dashboard.source'),
              typedByPayer
                ? say('dashboard.customers.typedByAPayer')
                : say('dashboard.customers.registeredByTheStore'),
            ],
            ['Id', copyChip(visit, id)],
          ],
        },
      ],
    });
  },
});

/** The columns of payments without the fifth, which would name the same customer in each row. */
function withoutCustomer<Cell>(cells: readonly Cell[]): Cell[] {
  return cells.toSpliced(4, 1);
}

function cardsTable(visit: Visit, cards: readonly KeptCard[]): Html {
  const { say } = visit;
  return table({
    caption: say('dashboard.customers.cardsKept'),
    headings: [say('dashboard.card'), say('dashboard.lastUsed'), say('dashboard.customers.usedFor')],
    rows: cards.map(({ brand, lastFour, expiryMonth, lastUsedAt, paysSubscription }) => [
      `${brandName(brand ?? '')} •••• ${lastFour}${expiryText(expiryMonth)}`,
      time(visit, lastUsedAt),
      paysSubscription
        ? badge('good', say('dashboard.customers.activeSubscription'))
        : say('dashboard.customers.purchases'),
    ]),
    empty: '',
  });
}

/** What another system took and settled: no balance or total counts it. */
function outsideTable(visit: Visit, payments: readonly OutsidePayment[]): Html {
  const { say } = visit;
  const rows = payments.map(({ paidAt, amountCents, refundedCents, method, source, externalId }) => [
    time(visit, paidAt.toISOString()),
    amountCell(amountCents),
    amountCell(refundedCents),
    method === 'OTHER' ? '–' : methodName(method, say),
    source,
    externalId,
  ]);
  return html`<p>${say('dashboard.customers.settledOutside')}</p>
${table({
  caption: say('dashboard.customers.outsidePayments'),
  headings: [
    say('dashboard.paid'),
    amountHeading(say('dashboard.amount')),
    amountHeading(say('dashboard.refunded')),
    say('dashboard.method'),
    say('dashboard.source'),
    'Id',
  ],
  rows,
  empty: '',
})}`;
}

/** Cards that the store's program may charge. */
function savedCardsTable(visit: Visit, customerId: string, cards: readonly ShownSavedCard[]): Html {
  const { say } = visit;
  return table({
    caption: say('dashboard.customers.savedCards'),
    headings: [say('dashboard.card'), 'Id', say('dashboard.created'), ''],
    rows: cards.map(({ id, card, createdAt }) => [
      `${brandName(card.brand ?? '')} •••• ${card.lastFour ?? ''}`,
      copyChip(visit, id),
      time(visit, createdAt),
      visit.can('sell')
        ? formDialog(visit, {
            name: `remove-${id}`,
            button: say('dashboard.customers.removeCard'),
            title: say('dashboard.customers.removeCardQuestion'),
            text: say('dashboard.customers.removeCardMeans'),
            action: `/customers/${customerId}/cards/${id}/remove`,
            isDangerous: true,
          })
        : '',
    ]),
    empty: '',
  });
}

function taxIdFor({ role }: Visit, taxId: string): string {
  if (taxId === '') return '–';
  // Integrators may have sent it with or without punctuation.
  return seesTaxIds(role) ? formatTaxId(taxId.replace(/[./-]/g, '')) : masked(taxId);
}

function erasure(visit: Visit, id: string) {
  const { say } = visit;
  const warning = say('dashboard.customers.nameTaxIdEMail');
  const fields = stepUpFields(visit, realMoneyStepUp(visit), fieldsOf(visit, ERASE).problems, ERASE);
  return formDialog(visit, {
    name: ERASE,
    button: say('dashboard.customers.eraseThePersonalDataLgpd'),
    title: say('dashboard.customers.eraseThePersonalData'),
    text: warning,
    action: `/customers/${id}/erase`,
    ...(fields !== null && { fields }),
    submit: say('dashboard.customers.eraseForGood'),
    isDangerous: true,
  });
}
