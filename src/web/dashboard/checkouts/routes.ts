import { cancelCheckout, createCheckout, getCheckout, listCheckouts } from '../../../api/checkouts/routes.ts';
import { listPaymentLinks } from '../../../api/payment-links/routes.ts';
import { listProducts } from '../../../api/products/routes.ts';
import { CheckoutEntity } from '../../../database/entities/checkout.ts';
import type { Em } from '../../../database/orm.ts';
import { PAYMENT_METHODS } from '../../../domain/charge.ts';
import { CHECKOUT_STATUSES } from '../../../domain/checkout.ts';
import type { CheckoutId } from '../../../domain/ids.ts';
import { qrCodeSvgPath } from '../../../wire/qr-code.ts';
import { renderQrCode } from '../../frame/codes.ts';
import { html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import {
  copyable,
  copyButton,
  copyChip,
  facts,
  guideLink,
  link,
  section,
  time,
} from '../frame/components.ts';
import { checkboxes, form, selectField, textField } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { choice, dayFields, listPage } from '../lists/list-page.ts';
import { amount, amountCell, amountHeading, methodName, statusName } from '../words.ts';
import { standingsOf } from './standing.ts';

const list = dashboardRoute({
  method: 'GET',
  path: '/checkouts',
  action: 'read',
  handler(visit) {
    const { say, em, query } = visit;
    const isLinks = query.get('kind') === 'links';
    const title = isLinks
      ? say('Links de pagamento', 'Payment links')
      : say('Checkouts e links', 'Checkouts and links');
    const statuses = CHECKOUT_STATUSES.map((status) => [status, statusName(status, say)] as const);
    return listPage(visit, {
      title,
      active: 'checkouts',
      operation: isLinks ? listPaymentLinks : listCheckouts,
      parameters: ['status', 'externalId', 'customerId', 'createdFrom', 'createdTo'],
      fields: html`${isLinks && html`<input type="hidden" name="kind" value="links">`}${choice(visit, { name: 'status', label: say('Situação', 'Status'), options: statuses })}
${textField({ name: 'externalId', label: say('Seu id', 'Your id'), required: false, value: query.get('externalId') ?? '' })}${dayFields(visit)}`,
      above: isLinks
        ? html`<p><a href="${visit.link('/checkouts')}">${say('Ver todos', 'See all')}</a></p>`
        : html`<p><a href="${visit.link('/checkouts', { kind: 'links' })}">${say('Só os links de pagamento', 'Payment links only')}</a></p>`,
      headings: [
        say('Criado', 'Created'),
        amountHeading(say('Valor', 'Amount')),
        say('Situação', 'Status'),
        say('O quê', 'What'),
        say('Seu id', 'Your id'),
        'Link',
      ],
      async rows(items) {
        const names = await namesOf(
          em,
          items.map(({ id }) => id),
        );
        const standingOf = await standingsOf(visit, items);
        return items.map((item) => ({
          href: visit.link(`/checkouts/${item.id}`),
          cells: [
            time(visit, item.createdAt),
            amountCell(item.amount),
            standingOf(item),
            names.get(item.id) ?? '',
            item.externalId ?? '',
            copyButton(visit, item.url),
          ],
        }));
      },
      empty: emptyState({
        icon: 'shopping-cart',
        title: say('Nenhum checkout aqui', 'No checkouts here'),
        text: say(
          'Crie um checkout ou um link, e envie o endereço a quem vai pagar.',
          'Create a checkout or a link, and send its address to the payer.',
        ),
        action: guideLink(
          visit,
          'checkouts',
          say('Como funcionam checkouts e links', 'How checkouts and links work'),
        ),
      }),
      ...(visit.can('sell') && {
        actions: html`<a class="button" href="${visit.link('/new-checkout')}">${icon('plus')}${say('Novo', 'New')}</a>`,
      }),
    });
  },
});

/** The names of what the caller's checkouts sell, by checkout id. */
async function namesOf(em: Em, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const where = { id: { $in: ids as CheckoutId[] } };
  const rows = await em.find(CheckoutEntity, where, { disableIdentityMap: true });
  return new Map(
    rows.map(({ id, items }) => [
      id,
      items.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', '),
    ]),
  );
}

const detail = dashboardRoute({
  method: 'GET',
  path: '/checkouts/:id',
  action: 'read',
  async handler(visit) {
    const { say, em, params } = visit;
    const shown = await read(visit, getCheckout, { query: { id: params.id } });
    const names = await namesOf(em, [shown.id]);
    const isLink = shown.frequency === 'MULTIPLE_PAYMENTS';
    const isOpen = shown.status === 'PENDING';
    const place = html`${copyable(visit, 'checkout-url', shown.url)}
<p>${renderQrCode(qrCodeSvgPath(shown.url), say('Código QR da página de pagamento', 'QR code of the payment page'))}</p>
<p><a href="${shown.url}">${say('Abrir a página', 'Open the page')}</a></p>`;
    const body = html`${isOpen && section(say('Envie a quem vai pagar', 'Send it to the payer'), place)}
${section(
  say('Dados', 'Details'),
  facts([
    ['Id', copyChip(visit, shown.id)],
    [say('O quê', 'What'), names.get(shown.id) ?? ''],
    [say('Valor', 'Amount'), amount(shown.amount)],
    [say('Recebido', 'Paid'), shown.paidAmount === null ? '–' : amount(shown.paidAmount)],
    [say('Métodos', 'Methods'), shown.methods.map((method) => methodName(method, say)).join(', ')],
    [say('Seu id', 'Your id'), shown.externalId ?? ''],
    [say('Criado', 'Created'), time(visit, shown.createdAt)],
    ...(shown.subscriptionId
      ? [
          [
            say('Assinatura', 'Subscription'),
            link(visit, `/subscriptions/${shown.subscriptionId}`, shown.subscriptionId),
          ] as const,
        ]
      : []),
  ]),
)}
<p><a href="${visit.link('/payments', { checkoutId: shown.id })}">${say('Pagamentos e tentativas', 'Payments and attempts')}</a></p>
${isOpen && visit.can('sell') && form(visit, { action: `/checkouts/${shown.id}/cancel`, submit: isLink ? say('Desligar o link', 'Switch the link off') : say('Cancelar', 'Cancel'), style: 'danger' })}`;
    const title = isLink ? say('Link de pagamento', 'Payment link') : say('Checkout', 'Checkout');
    return page(visit, {
      title: `${title} · ${amount(shown.amount)}`,
      active: 'checkouts',
      body,
      actions: (await standingsOf(visit, [shown]))(shown),
    });
  },
});

/** The form offers the newest products. */
const OFFERED = '100';

const newCheckout = dashboardRoute({
  method: 'GET',
  path: '/new-checkout',
  action: 'sell',
  async handler(visit) {
    const { say } = visit;
    const title = say('Novo checkout ou link', 'New checkout or link');
    const { items } = await read(visit, listProducts, { query: { limit: OFFERED } });
    const products = items
      .filter(({ cycle }) => cycle === null)
      .map(({ id, name, price }) => [id, `${name} · ${amount(price)}`] as const);
    if (products.length === 0) {
      const text = say('Crie um produto primeiro.', 'Create a product first.');
      return page(visit, {
        title,
        active: 'checkouts',
        body: html`<p>${link(visit, '/products', text)}</p>`,
      });
    }
    const fields = html`${selectField({ name: 'productId', label: say('Produto', 'Product'), options: products })}
${textField({ name: 'quantity', label: say('Quantidade', 'Quantity'), value: '1', maxLength: 7 })}
${selectField({
  name: 'frequency',
  label: say('Tipo', 'Kind'),
  options: [
    [
      'MULTIPLE_PAYMENTS',
      say('Link, pago por qualquer número de pessoas', 'Payment link for any number of payers'),
    ],
    ['ONE_TIME', say('Checkout, pago uma vez', 'Checkout, paid once')],
  ],
})}
${checkboxes({ name: 'methods', legend: say('Métodos', 'Methods'), options: PAYMENT_METHODS, labelOf: (method) => methodName(method, say), chosen: ['PIX', 'CARD'] })}
${textField({ name: 'externalId', label: say('Seu id (opcional)', 'Your id (optional)'), required: false })}`;
    return page(visit, {
      title,
      active: 'checkouts',
      body: section(title, form(visit, { action: '/checkouts', fields, submit: say('Criar', 'Create') })),
    });
  },
});

const create = formAction({
  path: '/checkouts',
  action: 'sell',
  back: () => '/new-checkout',
  async work(visit) {
    const externalId = visit.field('externalId');
    const body = {
      items: [{ id: visit.field('productId'), quantity: Number(visit.field('quantity')) }],
      frequency: visit.field('frequency'),
      methods: visit.form.getAll('methods'),
      ...(externalId !== '' && { externalId }),
    };
    const { id } = await carryOut(visit, createCheckout, { body });
    return seeOther(visit.link(`/checkouts/${id}`), visit.say('Pronto para enviar.', 'Ready to be sent.'));
  },
});

const cancel = formAction({
  path: '/checkouts/:id/cancel',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    const { id = '' } = visit.params;
    await carryOut(visit, cancelCheckout, { body: { id }, subjectId: id });
    return seeOther(
      visit.link(pathOf(visit)),
      visit.say('Nada mais pode ser pago por aqui.', 'It can no longer be paid.'),
    );
  },
});

function pathOf({ params }: Visit): `/${string}` {
  return `/checkouts/${params.id}`;
}

export const checkoutPages: readonly DashboardRoute[] = [list, newCheckout, detail, create, cancel];
