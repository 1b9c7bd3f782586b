import { z } from 'zod';
import type { Customer } from '../database/entities/customer.ts';
import type { CivilDate } from '../domain/civil-date.ts';
import type { ChargeId, CheckoutId, SubscriptionId } from '../domain/ids.ts';
import type { CustomerNamedBy } from '../domain/payer.ts';
import { REMINDER_KINDS, type ReminderKind } from '../domain/reminders.ts';
import { customerNamedBy } from '../wire/fields.ts';
import { defineEvent } from './definition.ts';
import { eventCustomer, exampleCustomer, publishedCustomer } from './parties.ts';

const reminder = z
  .strictObject({
    kind: z.enum(REMINDER_KINDS).meta({
      description:
        '`BOLETO`: an unpaid boleto. `RENEWAL`: the next charge of a subscription. `TRIAL_END`: a trial that ends. `PAST_DUE`: an unpaid cycle. `CARD_EXPIRY`: a card that expires.',
    }),
    step: z.int().meta({
      description:
        'Days from `dueDate` to the day of this step. A step on a Sunday or holiday is sent later.',
    }),
    description: z.string().meta({ description: 'What is paid for; may be empty.' }),
    amount: z.int().min(0).nullable().meta({
      description:
        'Cents: what a boleto or an overdue cycle costs today, or the next charge as of now. Null for `CARD_EXPIRY`.',
    }),
    dueDate: z.string().meta({
      format: 'date',
      description:
        'In São Paulo: when it is due, is charged, or was due, or the last day on which the card is valid.',
    }),
    payUrl: z.string().nullable().meta({
      description:
        'The page of the boleto or of the open PIX code. Null if there is nothing to pay yet, or only a card that must be replaced in the portal.',
    }),
    portalUrl: z.string().nullable().meta({ description: 'The customer portal; null without a customer.' }),
    unsubscribeUrl: z.string().nullable().meta({
      description: 'The page that ends reminders; null without a customer. Put it into each message.',
    }),
    language: z.enum(['pt', 'en', 'es']).meta({
      description: "The payer's language if it is known, else the store's choice.",
    }),
    card: z.strictObject({ brand: z.string().nullable(), lastFour: z.string().nullable() }).nullable().meta({
      description: 'The card that pays the subscription; null without one.',
    }),
    paymentId: z.string().nullable().meta({ description: 'The boleto; null for a subscription.' }),
    checkoutId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    customerNamedBy,
  })
  .meta({ id: 'EventReminder' });

const data = z.strictObject({ reminder, customer: eventCustomer });

/** What `reminder.due` says. */
export interface PublishedReminder {
  readonly kind: ReminderKind;
  /** The step: days after {@link PublishedReminder.dueDate}. */
  readonly days: number;
  readonly what: string;
  readonly amountCents: number | null;
  readonly dueDate: CivilDate;
  readonly payPath: string | null;
  readonly unsubscribePath: string | null;
  readonly language: z.output<typeof reminder>['language'];
  readonly card: z.output<typeof reminder>['card'];
  readonly paymentId: ChargeId | null;
  readonly checkoutId: CheckoutId | null;
  readonly subscriptionId: SubscriptionId | null;
  readonly customerNamedBy: CustomerNamedBy | null;
}

/** The `data` of `reminder.due`. */
export function reminderEventData(
  { days, what, amountCents, payPath, unsubscribePath, ...published }: PublishedReminder,
  customer: Customer | null,
  publicUrl: string,
): z.output<typeof data> {
  return {
    reminder: {
      kind: published.kind,
      step: days,
      description: what,
      amount: amountCents,
      dueDate: published.dueDate,
      payUrl: payPath && publicUrl + payPath,
      portalUrl: customer && `${publicUrl}/portal/${customer.id}`,
      unsubscribeUrl: unsubscribePath && publicUrl + unsubscribePath,
      language: published.language,
      card: published.card,
      paymentId: published.paymentId,
      checkoutId: published.checkoutId,
      subscriptionId: published.subscriptionId,
      customerNamedBy: published.customerNamedBy,
    },
    customer: publishedCustomer(customer),
  };
}

const example: z.output<typeof data> = {
  reminder: {
    kind: 'BOLETO',
    step: -3,
    description: 'Plano anual',
    amount: 14_990,
    dueDate: '2026-12-18',
    payUrl: 'https://pay.example.com/boleto/bole_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
    portalUrl: 'https://pay.example.com/portal/cust_01KAK0Y3PN5C7D9E1F2G3H4J5K',
    unsubscribeUrl: 'https://pay.example.com/unsubscribe/3vQ1mJb0w8uT5rXy2LkZ7cNfGhPd4sAe',
    language: 'pt',
    card: null,
    paymentId: 'bole_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
    checkoutId: null,
    subscriptionId: null,
    customerNamedBy: 'MERCHANT',
  },
  customer: exampleCustomer,
};

/** Reminders that a program of the store sends: our addition. */
export const reminderEvents = {
  'reminder.due': defineEvent(
    'A payer should be reminded now, and the store has chosen to send the message itself. Once for each step. Our addition',
    data,
    example,
  ),
};
