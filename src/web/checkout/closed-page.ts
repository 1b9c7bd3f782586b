import type { Store } from '../../database/entities/store.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { paymentStylesheet } from '../frame/assets.ts';
import { type Html, html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
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
        title: say('Este pedido já foi pago'),
        text: say('{store} recebeu o pagamento. Não é preciso pagar de novo.', { store: merchantName }),
      };
    case 'EXPIRED':
      return {
        title: say('O prazo para pagar terminou'),
        text: sayHtml('Nada foi cobrado. Para pagar, peça um novo link a {store}.', { store: contact }),
      };
    case 'CANCELLED':
      return {
        title: say('Este pedido foi cancelado'),
        text: say('{store} cancelou esta cobrança. Não é preciso pagar.', { store: merchantName }),
      };
    case 'REFUNDED':
      if (subscription !== null) return refundedWording(subscription.subscription, store);
      return {
        title: say('O pagamento foi devolvido'),
        text: sayHtml('O valor pago foi devolvido. Para comprar de novo, fale com {store}.', {
          store: contact,
        }),
      };
  }
}

function subscribedWording({ status, trialEndsAt }: Subscription, store: Store, now: Date) {
  if (status === 'CANCELLED') {
    return {
      title: say('Assinatura cancelada'),
      text: sayHtml('Nada mais é cobrado. Para assinar de novo, peça um novo link a {store}.', {
        store: storeLink(store),
      }),
    };
  }
  if (trialEndsAt !== null && now < trialEndsAt) {
    return {
      title: say('Teste grátis em andamento'),
      text: say('Você está testando a assinatura de {store}.', { store: store.name }),
    };
  }
  return {
    title: say('Assinatura ativa'),
    text: say('Sua assinatura de {store} está ativa.', { store: store.name }),
  };
}

function linkText(isPaid: boolean, isSubscription: boolean): string {
  if (isSubscription) return say('Ver o primeiro pagamento');
  return say(isPaid ? 'Ver confirmação' : 'Ver o pagamento');
}

/** Only the first payment was refunded; later charges depend on the subscription. */
function refundedWording({ status }: Subscription, store: Store) {
  return {
    title: say('O primeiro pagamento foi devolvido'),
    text:
      status === 'CANCELLED'
        ? say('A assinatura foi cancelada e nada mais é cobrado.')
        : sayHtml('A assinatura continua ativa. Para cancelar, fale com {store}.', {
            store: storeLink(store),
          }),
  };
}

/** `/pay/<id>` if no payment can be started: why, and where to see past payments. */
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
${subscription === null && html`<a class="button button--quiet" href="/receipt/${paidBy}">${say('Ver comprovante')}</a>`}</p>`
}
</section>
${subscription !== null && renderSubscriptionFacts(subscription, loaded.store)}</div>
${!isPaid && renderOrderSummary(order)}`,
  });
}
