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
          title: say('payer.paymentUnderDispute'),
          text: say('checkout.thePaymentIsUnderReview'),
        };
      }
      return {
        title: say('checkout.thisOrderHasBeenPaid'),
        text: say('checkout.hasReceivedThePayment', { store: merchantName }),
      };
    case 'EXPIRED':
      return {
        title: say('checkout.theTimeToPayIs'),
        text: sayHtml('checkout.nothingWasCharged', { store: contact }),
      };
    case 'CANCELLED':
      return {
        title: say('checkout.thisOrderWasCancelled'),
        text: say('checkout.hasCancelledThisCharge', { store: merchantName }),
      };
    case 'REFUNDED':
      if (subscription !== null) return refundedWording(subscription.subscription, store);
      return {
        title: say('checkout.thePaymentWasSentBack'),
        text: sayHtml('checkout.thePaymentWasRefunded', {
          store: contact,
        }),
      };
  }
}

function subscribedWording({ status, trialEndsAt }: Subscription, store: Store, now: Date) {
  if (status === 'CANCELLED') {
    return {
      title: say('checkout.subscriptionCancelled'),
      text: sayHtml('checkout.thereAreNoMoreCharges', {
        store: storeLink(store),
      }),
    };
  }
  if (trialEndsAt !== null && now < trialEndsAt) {
    return {
      title: say('checkout.freeTrialUnderWay'),
      text: say('checkout.youAreTryingTheSubscription', { store: store.name }),
    };
  }
  return {
    title: say('checkout.subscriptionActive'),
    text: say('checkout.yourSubscriptionToIsActive', { store: store.name }),
  };
}

/** Only the first payment was refunded; later charges depend on the subscription. */
function refundedWording({ status }: Subscription, store: Store) {
  return {
    title: say('checkout.theFirstPaymentWasRefunded'),
    text:
      status === 'CANCELLED'
        ? say('checkout.theSubscriptionWasCancelled')
        : sayHtml('checkout.theSubscriptionIsStillActive', {
            store: storeLink(store),
          }),
  };
}
