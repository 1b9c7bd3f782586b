import { z } from 'zod';
import type { Customer } from '../../database/entities/customer.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { MANDATE_ENDERS } from '../../domain/mandate.ts';
import { timestamp } from '../../wire/fields.ts';
import { eventCustomer, publishedCustomer } from '../parties.ts';
import { publishedSubscription, subscription } from './objects.ts';
import type { PaymentMethodChangedEventData } from './payment-method-changed.ts';

export const pausedData = z.strictObject({ subscription, customer: eventCustomer });
export type PausedEventData = z.output<typeof pausedData>;

export const trialChangedData = z.strictObject({ subscription, customer: eventCustomer });
export type TrialChangedEventData = z.output<typeof trialChangedData>;

export const pastDueData = z.strictObject({
  subscription,
  customer: eventCustomer,
  nextAttemptAt: timestamp.nullable().meta({
    description: 'When the next attempt is due. Null if none follows until somebody acts.',
  }),
});
export type PastDueEventData = z.output<typeof pastDueData>;

export const cancellationScheduledData = z.strictObject({ subscription, customer: eventCustomer });
export type CancellationScheduledEventData = z.output<typeof cancellationScheduledData>;

/** What a subscription was resumed from. */
export const RESUMED_FROM = ['CANCELLING', 'PAUSED'] as const;

export const resumedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  resumedFrom: z.enum(RESUMED_FROM).meta({
    description: '`PAUSED`: a pause ended. `CANCELLING`: a scheduled cancellation was undone.',
  }),
});
export type ResumedEventData = z.output<typeof resumedData>;

const mandateId = z
  .string()
  .meta({ description: 'The authorization (`mand_…`).', example: 'mand_01KAK0Z7Q3C5D7E9F1G3H5J7KM' });

export const authorizedData = z.strictObject({ subscription, customer: eventCustomer, mandateId });
export type AuthorizedEventData = z.output<typeof authorizedData>;

export const authorizationRequestedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  mandateId,
  url: z.string().meta({
    description: 'The page on which the payer authorizes the debits.',
    example: 'https://pay.example.com/authorize/mand_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  }),
});
export type AuthorizationRequestedEventData = z.output<typeof authorizationRequestedData>;

export const authorizationEndedData = z.strictObject({
  subscription,
  customer: eventCustomer,
  mandateId,
  endedBy: z
    .enum(MANDATE_ENDERS)
    .nullable()
    .meta({ description: 'Who ended it; null if the bank does not say.' }),
  code: z.string().nullable().meta({ description: "The bank's code, such as `SLCR`.", example: 'SLCR' }),
});
export type AuthorizationEndedEventData = z.output<typeof authorizationEndedData>;

/** Events about a subscription that may happen to it several times. */
export interface LifecycleEventData {
  readonly 'subscription.cancellation_scheduled': CancellationScheduledEventData;
  readonly 'subscription.paused': PausedEventData;
  readonly 'subscription.trial_changed': TrialChangedEventData;
  readonly 'subscription.past_due': PastDueEventData;
  readonly 'subscription.resumed': ResumedEventData;
  readonly 'subscription.payment_method_changed': PaymentMethodChangedEventData;
  readonly 'subscription.authorization_requested': AuthorizationRequestedEventData;
  readonly 'subscription.authorized': AuthorizedEventData;
  readonly 'subscription.authorization_refused': AuthorizationEndedEventData;
  readonly 'subscription.authorization_cancelled': AuthorizationEndedEventData;
}
export type LifecycleEventName = keyof LifecycleEventData;

/** The `data` of such an event: the subscription after the change. */
export function lifecycleEventData<Name extends LifecycleEventName>(
  changed: Subscription,
  customer: Customer | null,
  more: Omit<LifecycleEventData[Name], 'subscription' | 'customer'>,
  publicUrl: string,
): LifecycleEventData[Name] {
  const parties = {
    subscription: publishedSubscription(changed, publicUrl),
    customer: publishedCustomer(customer),
  };
  return { ...parties, ...more } as LifecycleEventData[Name];
}
