import { hash } from 'node:crypto';
import { StoreEntity } from '../database/entities/store.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import { storeTimeOf } from '../database/store-clock.ts';
import { languageNamed } from '../domain/language.ts';
import { portalPathFor } from '../portal/portal-path.ts';
import { subscriptionAddress } from '../reminders/reminder-address.ts';
import { subscriptionFacts } from '../reminders/subscription-facts.ts';
import { reminderSettingsOf } from '../stores/reminder-settings.ts';
import { inLanguage } from '../web/frame/language.ts';
import { renderSubscriptionReminderMail } from '../web/frame/subscription-reminder-mail.ts';
import { Mailer } from './mailer.ts';
import {
  DROP_NEEDLESS_SUBSCRIPTION_REMINDERS,
  END_SUBSCRIPTION_REMINDER_MAIL,
  type SubscriptionReminderMail,
  TAKE_SUBSCRIPTION_REMINDER_MAILS,
} from './queue/subscription-reminder-mails.ts';
import { readerOf, unsubscribeHeaders } from './reminder-reader.ts';
import { sendReminders } from './send-reminders.ts';

/** Mails the reminders of subscriptions: charges to come, ending trials, unpaid cycles and expiring cards. */
export class SubscriptionReminderMailer extends Mailer {
  override sendDue(now: Date): Promise<number> {
    const { database } = this;
    return sendReminders(
      {
        drop: (queue) => DROP_NEEDLESS_SUBSCRIPTION_REMINDERS(database, queue),
        take: (queue) => TAKE_SUBSCRIPTION_REMINDER_MAILS(database, queue),
        send: (mail) => this.#send(mail, now),
      },
      now,
    );
  }

  async #send(mail: SubscriptionReminderMail, now: Date): Promise<void> {
    const em = this.database.em.fork();
    const { subscriptionId: id, kind, days, attempts } = mail;
    const subscription = await em.findOneOrFail(SubscriptionEntity, { id });
    const settings = await reminderSettingsOf(em, subscription);
    const isMailed = settings.ofSubscriptions[kind].channel === 'EMAIL';
    const address = isMailed ? await subscriptionAddress(em, subscription) : null;
    const recipient = await readerOf(em, subscription.customerId, address, now);
    const facts = await subscriptionFacts(em, subscription, kind, await storeTimeOf(em, subscription, now));
    // The store has turned them off, nobody may be written to, or what the reminder is about has happened.
    if (recipient === null || facts === null)
      return void (await END_SUBSCRIPTION_REMINDER_MAIL(em, { mail, status: 'DROPPED', now }));
    const store = await em.findOneOrFail(StoreEntity, { id: subscription.storeId });
    const portalPath = await portalPathFor(em, subscription.customerId, recipient.address);
    const { unsubscribePath } = recipient;
    const shown = { ...facts, store, devMode: subscription.devMode, portalPath, unsubscribePath };
    const outcome = await this.sendToPayer(
      subscription,
      {
        ...inLanguage(languageNamed(settings.language), () =>
          renderSubscriptionReminderMail(shown, this.publicUrl),
        ),
        to: { name: '', address: recipient.address },
        ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
        fromName: store.name,
        id: subscriptionReminderId(mail),
        headers: unsubscribeHeaders(this.publicUrl + unsubscribePath),
      },
      { subscriptionId: id, kind, days, attempts },
    );
    if (outcome === 'sent') await END_SUBSCRIPTION_REMINDER_MAIL(em, { mail, status: 'SENT', now });
    if (outcome === 'given up') await END_SUBSCRIPTION_REMINDER_MAIL(em, { mail, status: 'FAILED', now });
  }
}

/** The id of a mail, the same for every attempt at it. The subject of a card contains a hash of its token, so it is hashed again. */
export function subscriptionReminderId({
  subscriptionId,
  kind,
  subject,
  days,
}: Pick<SubscriptionReminderMail, 'subscriptionId' | 'kind' | 'subject' | 'days'>): string {
  const about = hash('sha256', subject).slice(0, 16);
  return `reminder.${subscriptionId}.${kind}.${about}.${days}`;
}
