import type { z } from 'zod';
import type { EventName, RecordedEventName } from '../domain/event-names.ts';
import { checkoutEvents } from './checkout.ts';
import { customerEvents } from './customer.ts';
import type { EventDefinition } from './definition.ts';
import { invoiceEvents } from './invoice.ts';
import { nfseEvents } from './nfse.ts';
import { payoutEvents } from './payout-events.ts';
import { refundEvents } from './refund.ts';
import { reminderEvents } from './reminder.ts';
import { returnedPaymentEvents } from './returned-payment.ts';
import { subscriptionEvents } from './subscription/events.ts';
import { transparentEvents } from './transparent.ts';
import type { V1OnlyData } from './v1/v1-only.ts';
import { webhookEvents } from './webhook.ts';

/** Every v2 event by name, in the order of the API reference. */
export const EVENTS = {
  ...checkoutEvents,
  ...transparentEvents,
  ...subscriptionEvents,
  ...invoiceEvents,
  ...customerEvents,
  ...reminderEvents,
  ...nfseEvents,
  ...payoutEvents,
  ...refundEvents,
  ...returnedPaymentEvents,
  ...webhookEvents,
} satisfies Record<EventName, EventDefinition>;

/** The recorded `data` of each event. */
export type EventData = {
  readonly [Name in EventName]: z.output<(typeof EVENTS)[Name]['data']>;
} & V1OnlyData;

/** An event with its data. */
export type PublishedEvent = {
  readonly [Name in RecordedEventName]: { readonly eventName: Name; readonly data: EventData[Name] };
}[RecordedEventName];
