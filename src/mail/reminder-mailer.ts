import { ChargeEntity } from '../database/entities/charge.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { storeTimeOf } from '../database/store-clock.ts';
import { languageNamed } from '../domain/language.ts';
import { portalPathFor } from '../portal/portal-path.ts';
import { boletoFacts, payersLanguage } from '../reminders/boleto-facts.ts';
import { reminderAddress } from '../reminders/reminder-address.ts';
import { reminderSettingsOf } from '../stores/reminder-settings.ts';
import { inLanguage } from '../web/frame/language.ts';
import { type Reminder, renderReminderMail } from '../web/frame/reminder-mail.ts';
import { Mailer } from './mailer.ts';
import {
  DROP_NEEDLESS_REMINDERS,
  END_REMINDER_MAIL,
  type ReminderMail,
  TAKE_REMINDER_MAILS,
} from './queue/reminder-mails.ts';
import { readerOf, unsubscribeHeaders } from './reminder-reader.ts';
import { sendReminders } from './send-reminders.ts';

/** Mails the reminders of unpaid charges. */
export class ReminderMailer extends Mailer {
  override sendDue(now: Date): Promise<number> {
    const { database } = this;
    return sendReminders(
      {
        drop: (queue) => DROP_NEEDLESS_REMINDERS(database, queue),
        take: (queue) => TAKE_REMINDER_MAILS(database, queue),
        send: (mail) => this.#send(mail, now),
      },
      now,
    );
  }

  async #send(mail: ReminderMail, now: Date): Promise<void> {
    const em = this.database.em.fork();
    const { chargeId, days, attempts } = mail;
    const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId });
    const settings = await reminderSettingsOf(em, charge);
    const address = settings.channel === 'EMAIL' ? await reminderAddress(em, charge) : null;
    const recipient = await readerOf(em, charge.customerId, address, now);
    const facts = boletoFacts(charge, await storeTimeOf(em, charge, now));
    // The store has turned reminders off, nobody may be written to, or the boleto cannot be paid any more.
    if (recipient === null || facts === null)
      return void (await END_REMINDER_MAIL(em, { mail, status: 'DROPPED', now }));
    const store = await em.findOneOrFail(StoreEntity, { id: charge.storeId });
    const portalPath = await portalPathFor(em, charge.customerId, recipient.address);
    const { unsubscribePath } = recipient;
    const shown: Reminder = { ...facts, store, devMode: charge.devMode, portalPath, unsubscribePath };
    const language = languageNamed((await payersLanguage(em, chargeId)) ?? settings.language);
    const outcome = await this.sendToPayer(
      charge,
      {
        ...inLanguage(language, () => renderReminderMail(shown, this.publicUrl)),
        to: { name: '', address: recipient.address },
        ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
        fromName: store.name,
        id: `reminder.${chargeId}.${days}`,
        headers: unsubscribeHeaders(this.publicUrl + unsubscribePath),
      },
      { chargeId, days, attempts },
    );
    if (outcome === 'sent') await END_REMINDER_MAIL(em, { mail, status: 'SENT', now });
    if (outcome === 'given up') await END_REMINDER_MAIL(em, { mail, status: 'FAILED', now });
  }
}
