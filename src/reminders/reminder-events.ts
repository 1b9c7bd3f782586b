import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Customer } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { type Subscription, SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeId, CustomerId, SubscriptionId } from '../domain/ids.ts';
import { languageNamed } from '../domain/language.ts';
import type { SubscriptionReminderKind } from '../domain/reminders.ts';
import type { EventData } from '../events/events.ts';
import { type EventOwner, writeEvent } from '../events/record.ts';
import { type PublishedReminder, reminderEventData } from '../events/reminder.ts';
import { END_REMINDER_MAIL } from '../mail/queue/reminder-mails.ts';
import { END_SUBSCRIPTION_REMINDER_MAIL } from '../mail/queue/subscription-reminder-mails.ts';
import { boletoFacts, payersLanguage } from './boleto-facts.ts';
import type { DueReminder } from './due-reminders.ts';
import { presentCustomer, reminderAddress, subscriptionAddress } from './reminder-address.ts';
import { subscriptionFacts } from './subscription-facts.ts';
import { recipientOf } from './unsubscribe.ts';

const FRESH = { disableIdentityMap: true } as const;

interface Publishing {
  readonly publicUrl: string;
  /** For payers whose language is not known. */
  readonly language: string;
  /** The store's time. */
  readonly now: Date;
}

/** An event that is ready to be written. */
interface ReadyReminder {
  readonly owner: EventOwner;
  readonly data: EventData['reminder.due'];
}

/** What is published about a boleto; null if it cannot be paid any more, or its customer is deleted or wants no reminders. */
export async function boletoReminder(
  em: Em,
  charge: Charge,
  days: number,
  { now, publicUrl, language }: Publishing,
): Promise<ReadyReminder | null> {
  const facts = boletoFacts(charge, now);
  const reader = await readerOf(em, charge, await reminderAddress(em, charge), now);
  if (facts === null || reader === null) return null;
  const { what, dueDate, dueCents, payPath } = facts;
  const reminder: PublishedReminder = {
    ...{ what, dueDate, payPath, days },
    kind: 'BOLETO',
    amountCents: dueCents,
    unsubscribePath: reader.unsubscribePath,
    card: null,
    language: languageNamed((await payersLanguage(em, charge.id)) ?? language),
    paymentId: charge.id,
    checkoutId: charge.checkoutId,
    subscriptionId: null,
    customerNamedBy: charge.customerNamedBy,
  };
  return { owner: ownerOf(charge, reader), data: reminderEventData(reminder, reader.customer, publicUrl) };
}

/**
 * Publishes a reminder of a boleto that the caller's transaction has written, with the charge locked; ends it without an event if
 * {@link boletoReminder} has none.
 */
export async function publishBoletoReminder(
  em: Em,
  { id, days }: DueReminder,
  publishing: Publishing,
): Promise<DeliveryToStart[]> {
  const { now } = publishing;
  const charge = await em.findOneOrFail(ChargeEntity, { id: id as ChargeId }, FRESH);
  const ready = await boletoReminder(em, charge, days, publishing);
  const mail = { chargeId: charge.id, days, attempts: 0 };
  await END_REMINDER_MAIL(em, { mail, status: ready === null ? 'DROPPED' : 'SENT', now });
  return ready === null
    ? []
    : writeEvent(em, ready.owner, 'reminder.due', `${charge.id}/${days}`, ready.data, now);
}

/** The same of a reminder of a subscription. */
export async function publishSubscriptionReminder(
  em: Em,
  kind: SubscriptionReminderKind,
  { id, subject, days }: DueReminder,
  publishing: Publishing,
): Promise<DeliveryToStart[]> {
  const { now } = publishing;
  const subscriptionId = id as SubscriptionId;
  const subscription = await em.findOneOrFail(SubscriptionEntity, { id: subscriptionId }, FRESH);
  const facts = await subscriptionFacts(em, subscription, kind, now);
  const reader = await readerOf(em, subscription, await subscriptionAddress(em, subscription), now);
  const isSent = facts !== null && reader !== null;
  const mail = { subscriptionId, kind, subject, days };
  await END_SUBSCRIPTION_REMINDER_MAIL(em, { mail, status: isSent ? 'SENT' : 'DROPPED', now });
  if (!isSent) return [];
  const { card, date, ...shown } = facts;
  const reminder: PublishedReminder = {
    ...shown,
    days,
    dueDate: date,
    unsubscribePath: reader.unsubscribePath,
    card: card && { brand: card.cardBrand, lastFour: card.cardLastFour },
    language: languageNamed(publishing.language),
    paymentId: null,
    checkoutId: subscription.checkoutId,
    subscriptionId,
    customerNamedBy: subscription.customerNamedBy,
  };
  const key = `${subscriptionId}/${kind}/${subject}/${days}`;
  const data = reminderEventData(reminder, reader.customer, publishing.publicUrl);
  return writeEvent(em, ownerOf(subscription, reader), 'reminder.due', key, data, now);
}

interface Reader {
  readonly customer: Customer | null;
  readonly unsubscribePath: string | null;
}

/**
 * Whom a program of the store may remind; null if the customer is deleted, or wants no reminders at the address that reminders are
 * mailed to, or at their own. Without a known address, the link applies to the customer.
 */
async function readerOf(
  em: Em,
  { customerId }: { readonly customerId: CustomerId | null },
  address: string | null,
  now: Date,
): Promise<Reader | null> {
  if (customerId === null) return { customer: null, unsubscribePath: null };
  const customer = await presentCustomer(em, customerId);
  if (customer === null) return null;
  const own = customer.email ?? '';
  const { token, unsubscribedAt } = await recipientOf(em, customerId, address ?? own, now);
  if (unsubscribedAt !== null) return null;
  if ((await recipientOf(em, customerId, own, now)).unsubscribedAt !== null) return null;
  return { customer, unsubscribePath: `/unsubscribe/${token}` };
}

function ownerOf(
  { storeId, devMode }: Pick<Charge | Subscription, 'storeId' | 'devMode'>,
  { customer }: Reader,
): EventOwner {
  return { storeId, devMode, customerId: customer?.id ?? null };
}
