import { type CheckoutSummary, checkoutSummaries } from '../../../api/checkouts/checkout-summaries.ts';
import { getCheckout } from '../../../api/checkouts/routes.ts';
import type { ShownCheckout } from '../../../wire/checkout.ts';
import { qrCodeSvgPath } from '../../../wire/qr-code.ts';
import { renderQrCode } from '../../frame/codes.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyable, copyChip, link, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, methodName } from '../words.ts';
import { itemsText } from './checkout-list.ts';
import { standingOf } from './standing.ts';

export const checkoutPage = dashboardRoute({
  method: 'GET',
  path: '/checkouts/:id',
  action: 'read',
  async handler(visit) {
    const { say, em, caller, params } = visit;
    const shown = await read(visit, getCheckout, { query: { id: params.id } });
    const summary = (await checkoutSummaries(em, caller, [shown.id])).get(shown.id);
    const isLink = shown.frequency === 'MULTIPLE_PAYMENTS';
    const title = isLink ? say('Link de pagamento', 'Payment link') : 'Checkout';
    const isOpen = shown.status === 'PENDING';
    const attempts = html`<p><a href="${visit.link('/payments', { checkoutId: shown.id })}">${say('Pagamentos e tentativas', 'Payments and attempts')}</a></p>`;
    return detailPage(visit, {
      title: `${title} · ${amount(shown.amount)}`,
      active: 'checkouts',
      main: html`${isOpen && section(say('Envie a quem vai pagar', 'Send it to the payer'), addressOf(visit, shown))}`,
      cards: [{ title: say('Dados', 'Details'), rows: rowsOf(visit, shown, summary), below: attempts }],
      actions: html`${standingOf(visit, shown, summary)}${isOpen && visit.can('sell') && endDialog(visit, shown, isLink)}`,
    });
  },
});

function endDialog(visit: Visit, { id }: ShownCheckout, isLink: boolean): Html {
  const { say } = visit;
  const end = isLink
    ? say('Desligar o link', 'Switch the link off')
    : say('Cancelar o checkout', 'Cancel the checkout');
  return formDialog(visit, {
    name: 'end',
    button: end,
    style: 'quiet',
    title: `${end}?`,
    text: say(
      'Isto não pode ser desfeito. Ninguém mais poderá pagar por aqui; o que já foi pago não muda.',
      'This cannot be undone. Nobody can pay through it any more; past payments do not change.',
    ),
    action: `/checkouts/${id}/cancel`,
    submit: end,
    isDangerous: true,
  });
}

function addressOf(visit: Visit, { url }: ShownCheckout): Html {
  const { say } = visit;
  return html`${copyable(visit, 'checkout-url', url)}
<p>${renderQrCode(qrCodeSvgPath(url), say('Código QR da página de pagamento', 'QR code of the payment page'))}</p>
<p><a href="${url}">${say('Abrir a página', 'Open the page')}</a></p>`;
}

function rowsOf(visit: Visit, shown: ShownCheckout, summary: CheckoutSummary | undefined): SideCard['rows'] {
  const { say } = visit;
  const { customerId = null, customerName = null, items = [] } = summary ?? {};
  const installments = shown.card?.maxInstallments ?? 1;
  return [
    [say('O quê', 'What'), itemsText(items)],
    [say('Valor', 'Amount'), amount(shown.amount)],
    [say('Recebido', 'Paid'), shown.paidAmount === null ? '–' : amount(shown.paidAmount)],
    ...(customerId === null
      ? []
      : [
          [
            say('Cliente', 'Customer'),
            link(visit, `/customers/${customerId}`, customerName ?? customerId),
          ] as const,
        ]),
    [say('Métodos', 'Methods'), shown.methods.map((method) => methodName(method, say)).join(', ')],
    ...(installments > 1
      ? [[say('Parcelas', 'Installments'), say(`até ${installments}×`, `up to ${installments}×`)] as const]
      : []),
    ...(shown.coupons.length > 0 ? [[say('Cupons', 'Coupons'), couponLinks(visit, shown)] as const] : []),
    ...(shown.subscriptionId
      ? [
          [
            say('Assinatura', 'Subscription'),
            link(visit, `/subscriptions/${shown.subscriptionId}`, shown.subscriptionId),
          ] as const,
        ]
      : []),
    [say('Seu id', 'Your id'), shown.externalId ?? ''],
    ['Id', copyChip(visit, shown.id)],
    [say('Criado', 'Created'), time(visit, shown.createdAt)],
    ...(shown.expiresAt === null ? [] : [[say('Expira', 'Expires'), time(visit, shown.expiresAt)] as const]),
  ];
}

function couponLinks(visit: Visit, { coupons }: ShownCheckout): Html {
  return html`${coupons.map((code, index) => html`${index > 0 && ', '}${link(visit, `/coupons/${code}`, code)}`)}`;
}
