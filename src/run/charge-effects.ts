import type { ChargeEffects } from '../charges/effects.ts';
import type { Parts } from './parts.ts';

/** What the end of a charge causes in Temporal, from any process. */
export function chargeEffects({
  checkoutUpdates,
  subscriptionUpdates,
  settlementStarts,
}: Pick<Parts, 'checkoutUpdates' | 'subscriptionUpdates' | 'settlementStarts'>): Pick<
  ChargeEffects,
  'notifyCheckout' | 'notifySubscription' | 'startSettlement'
> {
  return {
    notifyCheckout: (checkout, accepted, reopens) =>
      checkoutUpdates.paymentAccepted(checkout, accepted, reopens),
    notifySubscription: (id, ended) => subscriptionUpdates.chargeEnded(id, ended),
    startSettlement: (owner, settlesAt) => settlementStarts.start(owner, settlesAt),
  };
}
