import { type CheckoutSummary, checkoutSummaries } from '../../../api/checkouts/checkout-summaries.ts';
import { getCheckout } from '../../../api/checkouts/routes.ts';
import { itemsText } from '../../../domain/checkout.ts';
import type { ShownCheckout } from '../../../wire/checkout.ts';
import { qrCodeSvgPath } from '../../../wire/qr-code.ts';
import { renderQrCode } from '../../frame/codes.ts';
import { type Html, html } from '../../frame/html.ts';
import { copyable, copyChip, customerLink, link, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, methodName } from '../words.ts';
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
    const title = isLink ? say('dashboard.paymentLink') : 'Checkout';
    const isOpen = shown.status === 'PENDING';
    const attempts = html`<p><a href="${visit.link('/payments', { checkoutId: shown.id })}">${say('dashboard.paymentsAndAttempts')}</a></p>`;
    return detailPage(visit, {
      title: `${title} · ${amount(shown.amount)}`,
      active: 'checkouts',
      main: html`${isOpen && section(say('dashboard.checkouts.sendItToThePayer'), addressOf(visit, shown))}`,
      cards: [{ title: say('dashboard.details'), rows: rowsOf(visit, shown, summary), below: attempts }],
      state: standingOf(visit, shown, summary),
      ...(isOpen && visit.can('sell') && { actions: endDialog(visit, shown, isLink) }),
    });
  },
});

function endDialog(visit: Visit, { id }: ShownCheckout, isLink: boolean): Html {
  const { say } = visit;
  const end = isLink
    ? say('dashboard.checkouts.switchTheLinkOff')
    : say('dashboard.checkouts.cancelTheCheckout');
  return formDialog(visit, {
    name: 'end',
    button: end,
    title: `${end}?`,
    text: say('dashboard.checkouts.thisCannotBeUndone'),
    action: `/checkouts/${id}/cancel`,
    isDangerous: true,
  });
}

function addressOf(visit: Visit, { url }: ShownCheckout): Html {
  const { say } = visit;
  return html`${copyable(visit, 'checkout-url', url)}
<p>${renderQrCode(qrCodeSvgPath(url), say('dashboard.checkouts.qrCodeOfThePayment'))}</p>
<p><a href="${url}">${say('dashboard.checkouts.openThePage')}</a></p>`;
}

function rowsOf(visit: Visit, shown: ShownCheckout, summary: CheckoutSummary | undefined): SideCard['rows'] {
  const { say } = visit;
  const { customerId = null, customerName = null, items = [] } = summary ?? {};
  const { customerNamedBy } = shown;
  const installments = shown.card?.maxInstallments ?? 1;
  return [
    [say('dashboard.what'), itemsText(items)],
    [say('dashboard.amount'), amount(shown.amount)],
    [say('dashboard.paid2'), shown.paidAmount === null ? '–' : amount(shown.paidAmount)],
    ...(shown.customerFee === null
      ? []
      : [[say('dashboard.customerFee'), amount(shown.customerFee)] as const]),
    ...(customerId === null
      ? []
      : [
          [
            say('dashboard.customer'),
            customerLink(visit, { customerId, customerNamedBy }, customerName ?? customerId),
          ] as const,
        ]),
    [say('dashboard.checkouts.methods'), shown.methods.map((method) => methodName(method, say)).join(', ')],
    ...(installments > 1
      ? [[say('dashboard.installments'), say('dashboard.checkouts.upTo', { installments })] as const]
      : []),
    ...(shown.card?.passFeesToCustomer === true
      ? [
          [
            say('dashboard.checkouts.whoPaysTheCardFee'),
            say('dashboard.checkouts.thePayerPaysTheFee'),
          ] as const,
        ]
      : []),
    ...(shown.coupons.length > 0 ? [[say('dashboard.coupons'), couponLinks(visit, shown)] as const] : []),
    ...(shown.subscriptionId
      ? [
          [
            say('dashboard.subscription'),
            link(visit, `/subscriptions/${shown.subscriptionId}`, say('dashboard.home.seeTheSubscription')),
          ] as const,
        ]
      : []),
    ...(shown.externalId === null ? [] : [[say('dashboard.yourId'), shown.externalId] as const]),
    ['Id', copyChip(visit, shown.id)],
    [say('dashboard.created'), time(visit, shown.createdAt)],
    ...(shown.expiresAt === null
      ? []
      : [[say('dashboard.checkouts.expires'), time(visit, shown.expiresAt)] as const]),
  ];
}

function couponLinks(visit: Visit, { coupons }: ShownCheckout): Html {
  return html`${coupons.map((code, index) => html`${index > 0 && ', '}${link(visit, `/coupons/${code}`, code)}`)}`;
}
