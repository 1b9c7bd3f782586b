import { cardsKeptFor, type KeptCard } from '../../../api/customers/cards.ts';
import { getCustomer } from '../../../api/customers/routes.ts';
import { paymentFilter } from '../../../api/payments/filter.ts';
import { listPayments } from '../../../api/payments/routes.ts';
import { totalsOf } from '../../../api/payments/totals.ts';
import { subscriptionsBy } from '../../../api/subscriptions/list-by-state.ts';
import type { CustomerId } from '../../../domain/ids.ts';
import { maskTaxId } from '../../../domain/tax-id.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, copyChip, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { headingsOf as paymentHeadings, rowsOf as paymentRows } from '../payments/rows.ts';
import { rowOf as subscriptionRow } from '../subscriptions/list.ts';
import { amount, amountHeading } from '../words.ts';

const SHOWN = 10;

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
    const [payments, totals, subscriptions, cards] = await Promise.all([
      read(visit, listPayments, { query: { customerId, limit: String(SHOWN) } }),
      paymentFilter(em, caller, { customerId } as never).then((filter) => totalsOf(em, caller, filter)),
      subscriptionsBy(em, caller, { state: null, customerIds: [customerId] }, { limit: SHOWN }),
      cardsKeptFor(em, customerId),
    ]);
    const more = say('Todos os pagamentos', 'All payments');
    return detailPage(visit, {
      title: name === '' ? say('Cliente', 'Customer') : name,
      active: 'customers',
      ...(visit.can('sell') && { actions: erasure(visit, id) }),
      main: html`${section(
        say('Pagamentos', 'Payments'),
        html`${table({
          caption: say('Pagamentos', 'Payments'),
          headings: withoutCustomer(paymentHeadings(visit, say('Criado', 'Created'))),
          rows: (await paymentRows(visit, payments.items)).map(({ href, cells }) => ({
            href,
            cells: withoutCustomer(cells),
          })),
          empty: say('Nenhum pagamento ainda.', 'No payments yet.'),
        })}
${payments.pagination.hasMore && html`<p><a href="${visit.link('/payments', { customerId: id })}">${more}</a></p>`}`,
      )}
${section(
  say('Assinaturas', 'Subscriptions'),
  html`${table({
    caption: say('Assinaturas', 'Subscriptions'),
    headings: [
      say('Plano', 'Plan'),
      say('Situação', 'State'),
      say('Próxima cobrança', 'Next charge'),
      amountHeading(say('Valor', 'Amount')),
      say('Cobrada em', 'Charged to'),
      say('Começou', 'Began'),
    ],
    rows: subscriptions.items.map((subscription) => {
      const { href, cells } = subscriptionRow(visit, subscription, name);
      return { href, cells: cells.slice(1) };
    }),
    empty: say('Nenhuma assinatura.', 'No subscriptions.'),
  })}
${subscriptions.pagination.hasMore && html`<p><a href="${visit.link('/subscriptions', { customerId: id })}">${say('Todas as assinaturas', 'All subscriptions')}</a></p>`}`,
)}
${section(say('Cartões guardados', 'Cards kept'), cardsTable(visit, cards))}`,
      cards: [
        {
          title: say('Resumo', 'Summary'),
          rows: [
            [
              say('Total gasto', 'Total spent'),
              `${totals.isCut ? say('mais de ', 'more than ') : ''}${amount(totals.paidCents - totals.refundedCents)}`,
            ],
            totals.refundedCents === 0 ? null : [say('Devolvido', 'Refunded'), amount(totals.refundedCents)],
            [
              say('Pagamentos e tentativas', 'Payments and attempts'),
              `${totals.count}${totals.isCut ? '+' : ''}`,
            ],
            [say('Cliente desde', 'Customer since'), time(visit, createdAt)],
          ],
        },
        {
          title: say('Contato', 'Contact'),
          rows: [
            [say('CPF ou CNPJ', 'Tax id'), visit.role === 'developer' ? masked(taxId) : taxId || '–'],
            [say('E-mail', 'E-mail'), email || '–'],
            [say('Telefone', 'Phone'), cellphone || '–'],
            ['CEP', zipCode || '–'],
            [
              say('Origem', 'Source'),
              typedByPayer
                ? say('Digitado por quem pagou', 'Typed by a payer')
                : say('Cadastrado pela loja', 'Registered by the store'),
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
    caption: say('Cartões guardados', 'Cards kept'),
    headings: [say('Cartão', 'Card'), say('Último uso', 'Last used'), say('Para quê', 'Used for')],
    rows: cards.map(({ brand, lastFour, lastUsedAt, paysSubscription }) => [
      `${brand ?? ''} •••• ${lastFour}`,
      time(visit, lastUsedAt),
      paysSubscription
        ? badge('good', say('Assinatura ativa', 'Active subscription'))
        : say('Compras', 'Purchases'),
    ]),
    empty: say('Nenhum cartão guardado.', 'No cards kept.'),
  });
}

export function masked(taxId: string): string {
  return taxId === '' ? '' : maskTaxId(taxId.replace(/[./-]/g, ''));
}

function erasure(visit: Visit, id: string) {
  const { say } = visit;
  const warning = say(
    'Nome, CPF ou CNPJ, e-mail, telefone e CEP são apagados para sempre. Os pagamentos ficam.',
    'Name, tax id, e-mail, phone and postal code are erased for good. The payments stay.',
  );
  return formDialog(visit, {
    name: 'erase',
    button: say('Apagar os dados pessoais (LGPD)', 'Erase the personal data (LGPD)'),
    style: 'quiet',
    title: say('Apagar os dados pessoais?', 'Erase the personal data?'),
    text: warning,
    action: `/customers/${id}/erase`,
    submit: say('Apagar para sempre', 'Erase for good'),
    isDangerous: true,
  });
}
