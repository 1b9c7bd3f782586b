import { paymentStylesheet } from '../assets.ts';
import { html } from '../html.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import type { CheckoutState } from './checkout-state.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderOrderSummary } from './order-summary.ts';

type ClosedState = Exclude<CheckoutState, 'OPEN'>;

function wordingOf(state: ClosedState, merchantName: string): { title: string; text: string } {
  switch (state) {
    case 'PAID':
      return {
        title: 'Este pedido já foi pago',
        text: `${merchantName} recebeu o pagamento. Não é preciso pagar de novo.`,
      };
    case 'EXPIRED':
      return {
        title: 'O prazo para pagar terminou',
        text: `Nada foi cobrado. Para pagar, peça um novo link a ${merchantName}.`,
      };
    case 'CANCELLED':
      return {
        title: 'Este pedido foi cancelado',
        text: `${merchantName} cancelou esta cobrança. Não é preciso pagar.`,
      };
    case 'REFUNDED':
      return {
        title: 'O pagamento foi devolvido',
        text: `O valor pago foi devolvido. Para comprar de novo, fale com ${merchantName}.`,
      };
  }
}

/** `/pay/<id>` where no payment can be begun: why, and where what was paid can be seen. */
export function renderClosedPage(loaded: LoadedCheckout, state: ClosedState): string {
  const { checkout, merchantName } = loaded;
  const { title, text } = wordingOf(state, merchantName);
  const paidBy = state === 'PAID' ? checkout.paidByChargeId : null;
  const order = {
    items: checkout.items,
    discountCents: 0,
    couponCode: null,
    totalCents: checkout.amountCents,
  };
  return renderCheckoutLayout({
    title,
    loaded,
    stylesheet: paymentStylesheet,
    main: html`<div class="pay__main"><section class="panel state state--${state === 'PAID' ? 'good' : 'over'}">
<h1>${title}</h1>
<p class="state__text">${text}</p>
${
  paidBy !== null &&
  html`<p class="actions"><a class="button" href="/pay/${checkout.id}/${paidBy}">Ver confirmação</a>
<a class="button button--quiet" href="/receipt/${paidBy}">Ver comprovante</a></p>`
}
</section></div>
${state !== 'PAID' && renderOrderSummary(order)}`,
  });
}
