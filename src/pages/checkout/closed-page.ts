import type { Subscription } from '../../database/entities/subscription.ts';
import { paymentStylesheet } from '../frame/assets.ts';
import { html } from '../frame/html.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import type { CheckoutState } from './checkout-state.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderOrderSummary } from './order-summary.ts';
import { renderSubscriptionFacts } from './subscription-facts.ts';

type ClosedState = Exclude<CheckoutState, 'OPEN'>;

function wordingOf(
  state: ClosedState,
  { merchantName, subscription }: LoadedCheckout,
  now: Date,
): { title: string; text: string } {
  switch (state) {
    case 'PAID':
      if (subscription !== null) return subscribedWording(subscription.subscription, merchantName, now);
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
      if (subscription !== null) return refundedWording(subscription.subscription, merchantName);
      return {
        title: 'O pagamento foi devolvido',
        text: `O valor pago foi devolvido. Para comprar de novo, fale com ${merchantName}.`,
      };
  }
}

function subscribedWording({ status, trialEndsAt }: Subscription, merchantName: string, now: Date) {
  if (status === 'CANCELLED') {
    return {
      title: 'Assinatura cancelada',
      text: `Nada mais é cobrado. Para assinar de novo, peça um novo link a ${merchantName}.`,
    };
  }
  if (trialEndsAt !== null && now < trialEndsAt) {
    return {
      title: 'Teste grátis em andamento',
      text: `Você está testando a assinatura de ${merchantName}.`,
    };
  }
  return { title: 'Assinatura ativa', text: `Sua assinatura de ${merchantName} está ativa.` };
}

function linkText(isPaid: boolean, isSubscription: boolean): string {
  if (isSubscription) return 'Ver o primeiro pagamento';
  return isPaid ? 'Ver confirmação' : 'Ver o pagamento';
}

/** Only the first payment went back; what follows is up to the subscription. */
function refundedWording({ status }: Subscription, merchantName: string) {
  return {
    title: 'O primeiro pagamento foi devolvido',
    text:
      status === 'CANCELLED'
        ? 'A assinatura foi cancelada e nada mais é cobrado.'
        : `A assinatura continua ativa. Para cancelar, fale com ${merchantName}.`,
  };
}

/** `/pay/<id>` where no payment can be begun: why, and where what was paid can be seen. */
export function renderClosedPage(loaded: LoadedCheckout, state: ClosedState, now: Date): string {
  const { checkout, merchantName, subscription } = loaded;
  const { title, text } = wordingOf(state, loaded, now);
  const isCancelled = subscription?.subscription.status === 'CANCELLED';
  const isPaid = state === 'PAID';
  const paidBy = checkout.paidByChargeId;
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
    main: html`<div class="pay__main"><section class="panel state state--${isPaid && !isCancelled ? 'good' : 'over'}">
<h1>${title}</h1>
<p class="state__text">${text}</p>
${
  paidBy !== null &&
  html`<p class="actions"><a class="button${subscription !== null && ' button--quiet'}" href="/pay/${checkout.id}/${paidBy}">${linkText(isPaid, subscription !== null)}</a>
${subscription === null && html`<a class="button button--quiet" href="/receipt/${paidBy}">Ver comprovante</a>`}</p>`
}
</section>
${subscription !== null && renderSubscriptionFacts(subscription, merchantName)}</div>
${!isPaid && renderOrderSummary(order)}`,
  });
}
