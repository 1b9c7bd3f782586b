import type { Store } from '../../database/entities/store.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import type { Html } from '../frame/html.ts';
import { say, sayHtml } from '../frame/language.ts';
import type { CheckoutState } from './checkout-state.ts';
import type { LoadedCheckout } from './load-checkout.ts';
import { storeLink } from './store-identity.ts';

/** The states in which no payment can be started. */
export type ClosedState = Exclude<CheckoutState, 'OPEN'>;

/** Why a checkout accepts no payment, in the payer's words. */
export function closedWordingOf(
  state: ClosedState,
  { merchantName, store, subscription, isDisputed }: LoadedCheckout,
  now: Date,
): { title: string; text: string | Html } {
  const contact = storeLink(store);
  switch (state) {
    case 'PAID':
      if (subscription !== null) return subscribedWording(subscription.subscription, store, now);
      if (isDisputed) {
        return {
          title: say('Pagamento em contestação'),
          text: say('O pagamento está sendo analisado. Não pague de novo.'),
        };
      }
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
