import type { Store } from '../../database/entities/store.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { paymentStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { renderCheckoutLayout } from './checkout-layout.ts';
import type { CheckoutState } from './checkout-state.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { renderOrderSummary } from './order-summary.ts';
import { storeLink } from './store-identity.ts';
import { renderSubscriptionFacts } from './subscription-facts.ts';

type ClosedState = Exclude<CheckoutState, 'OPEN'>;

function wordingOf(
  state: ClosedState,
  { merchantName, store, subscription }: LoadedCheckout,
  now: Date,
): { title: string; text: string | Html } {
  const contact = storeLink(store);
  switch (state) {
    case 'PAID':
      if (subscription !== null) return subscribedWording(subscription.subscription, store, now);
      return {
        title: 'Este pedido já foi pago',
        text: `${merchantName} recebeu o pagamento. Não é preciso pagar de novo.`,
      };
    case 'EXPIRED':
      return {
        title: 'O prazo para pagar terminou',
        text: html`Nada foi cobrado. Para pagar, peça um novo link a ${contact}.`,
      };
    case 'CANCELLED':
      return {
        title: 'Este pedido foi cancelado',
        text: `${merchantName} cancelou esta cobrança. Não é preciso pagar.`,
      };
    case 'REFUNDED':
      if (subscription !== null) return refundedWording(subscription.subscription, store);
      return {
        title: 'O pagamento foi devolvido',
        text: html`O valor pago foi devolvido. Para comprar de novo, fale com ${contact}.`,
      };
  }
}

function subscribedWording({ status, trialEndsAt }: Subscription, store: Store, now: Date) {
  if (status === 'CANCELLED') {
    return {
      title: 'Assinatura cancelada',
      text: html`Nada mais é cobrado. Para assinar de novo, peça um novo link a ${storeLink(store)}.`,
    };
  }
  if (trialEndsAt !== null && now < trialEndsAt) {
    return {
      title: 'Teste grátis em andamento',
      text: `Você está testando a assinatura de ${store.name}.`,
    };
  }
  return { title: 'Assinatura ativa', text: `Sua assinatura de ${store.name} está ativa.` };
}

function linkText(isPaid: boolean, isSubscription: boolean): string {
  if (isSubscription) return 'Ver o primeiro pagamento';
  return isPaid ? 'Ver confirmação' : 'Ver o pagamento';
}

/** Only the first payment went back; what follows is up to the subscription. */
function refundedWording({ status }: Subscription, store: Store) {
  return {
    title: 'O primeiro pagamento foi devolvido',
    text:
      status === 'CANCELLED'
        ? 'A assinatura foi cancelada e nada mais é cobrado.'
        : html`A assinatura continua ativa. Para cancelar, fale com ${storeLink(store)}.`,
  };
}

/** `/pay/<id>` where no payment can be begun: why, and where what was paid can be seen. */
export function renderClosedPage(loaded: LoadedCheckout, state: ClosedState, now: Date): string {
  const { checkout, subscription } = loaded;
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
${subscription !== null && renderSubscriptionFacts(subscription, loaded.store)}</div>
${!isPaid && renderOrderSummary(order)}`,
  });
}
