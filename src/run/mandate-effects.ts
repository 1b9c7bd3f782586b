import type { MandateEffects } from '../mandates/effects.ts';
import type { SubscriptionEffects } from '../subscriptions/effects.ts';
import { debitStart, wakeDebit } from '../temporal/debit.ts';
import { deliveryWorkflowStart } from '../temporal/delivery.ts';
import { wakeSubscription } from '../temporal/subscription.ts';
import type { Parts } from './parts.ts';

/** What mandates and subscriptions cause in Temporal, from any process. */
export function mandateEffects({
  database,
  client,
  queues,
  starter,
  endpoints,
  chargeUpdates,
  subscriptionUpdates,
}: Pick<
  Parts,
  'database' | 'client' | 'queues' | 'starter' | 'endpoints' | 'chargeUpdates' | 'subscriptionUpdates'
>): MandateEffects & SubscriptionEffects {
  return {
    startDelivery: async (delivery) => {
      const delayMs = endpoints.startDelayMs(delivery);
      const start = deliveryWorkflowStart(delivery);
      if (delayMs > 0) starter.postponeDelivery(start, delayMs);
      else await starter.startDelivery(start);
    },
    startAttempt: (charge, subscriptionId, now) => chargeUpdates.startAttempt(charge, subscriptionId, now),
    cancelCharge: (charge) => chargeUpdates.cancel(charge, null),
    startDebit: async (debit) => starter.startSoon(debitStart(debit)),
    // The auditor wakes it otherwise.
    wakeDebit: (id) => void wakeDebit({ database, client, queues }, id).catch(() => undefined),
    wakeSubscription: (subscription) => wakeSubscription(subscriptionUpdates, subscription),
    confirmPayment: async (charge, providerPaymentId) => {
      await chargeUpdates.confirmPayment(charge, providerPaymentId, null);
    },
  };
}
