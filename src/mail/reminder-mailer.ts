import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { reminderSettingsOf } from '../database/reminder-settings.ts';
import { statement } from '../database/statement.ts';
import { storeTimeOf } from '../database/store-clock.ts';
import { boletoTermsOf } from '../domain/charge.ts';
import { itemsText } from '../domain/checkout.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import type { ChargeId } from '../domain/ids.ts';
import { amountDueCents, lastDayToPay } from '../domain/late-charges.ts';
import { isSendingTime } from '../domain/reminders.ts';
import { portalPathFor } from '../portal/portal-path.ts';
import { reminderAddress } from '../reminders/reminder-address.ts';
import { recipientOf } from '../reminders/unsubscribe.ts';
import { inLanguage, languageNamed } from '../web/frame/language.ts';
import { type Reminder, renderReminderMail } from '../web/frame/reminder-mail.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import {
  DROP_NEEDLESS_REMINDERS,
  END_REMINDER_MAIL,
  type ReminderMail,
  TAKE_REMINDER_MAILS,
} from './queue/reminder-mails.ts';

/** The longest wait of a clock before it moves on. */
const WAITED_FOR_MS = 5_000;
/** Needless reminders dropped at once. */
const DROPPED_AT_ONCE = 500;

/** Mails the reminders of unpaid charges. */
export class ReminderMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    await DROP_NEEDLESS_REMINDERS(this.database, { now, limit: DROPPED_AT_ONCE });
    const limits = { limit: MAIL_BATCH, isSendingTime: isSendingTime(now) };
    const mails = await TAKE_REMINDER_MAILS(this.database, { now, ...limits });
    await Promise.all(mails.map((mail) => this.#send(mail, now)));
    return mails.length;
  }

  /** Sends the due mails, for a store whose clock waits for them. A slow mail server delays it for some seconds. */
  async sendForSomeTime(now: Date): Promise<void> {
    const endsAtMs = performance.now() + WAITED_FOR_MS;
    while (performance.now() < endsAtMs && (await this.sendDue(now)) === MAIL_BATCH);
  }

  async #send(mail: ReminderMail, now: Date): Promise<void> {
    const em = this.database.em.fork();
    const { chargeId, days, attempts } = mail;
    const charge = await em.findOneOrFail(ChargeEntity, { id: chargeId });
    const settings = await reminderSettingsOf(em, charge);
    const recipient = settings.channel === 'EMAIL' ? await mailable(em, charge, now) : null;
    const facts = factsOf(charge, await storeTimeOf(em, charge, now));
    // The store has turned reminders off, nobody may be written to, or the boleto cannot be paid any more.
    if (recipient === null || facts === null)
      return void (await END_REMINDER_MAIL(em, { mail, status: 'DROPPED', now }));
    const store = await em.findOneOrFail(StoreEntity, { id: charge.storeId });
    const portalPath = await portalPathFor(em, charge.customerId, recipient.address);
    const { unsubscribePath } = recipient;
    const shown: Reminder = { ...facts, store, devMode: charge.devMode, portalPath, unsubscribePath };
    const language = languageNamed((await payersLanguage(em, chargeId)) ?? settings.language);
    const outcome = await this.send(
      {
        ...inLanguage(language, () => renderReminderMail(shown, this.publicUrl)),
        to: { name: '', address: recipient.address },
        ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
        fromName: store.name,
        id: `reminder.${chargeId}.${days}`,
        headers: {
          'List-Unsubscribe': `<${this.publicUrl}${unsubscribePath}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      },
      { chargeId, days, attempts },
    );
    if (outcome === 'sent') await END_REMINDER_MAIL(em, { mail, status: 'SENT', now });
    if (outcome === 'given up') await END_REMINDER_MAIL(em, { mail, status: 'FAILED', now });
  }
}

/** The address, and the page that ends reminders to it; null if there is none or its reader wants no reminders. */
async function mailable(em: Em, charge: Charge, now: Date) {
  const address = await reminderAddress(em, charge);
  if (address === null || charge.customerId === null) return null;
  const { token, unsubscribedAt } = await recipientOf(em, charge.customerId, address, now);
  return unsubscribedAt === null ? { address, unsubscribePath: `/unsubscribe/${token}` } : null;
}

/** What the mail says about a charge on the store's day; null if it cannot be paid on it. */
function factsOf(charge: Charge, storeTime: Date) {
  const { id, checkoutId, items, description } = charge;
  const terms = boletoTermsOf(charge);
  const today = saoPauloDateOf(storeTime);
  if (terms === null || today > lastDayToPay(terms)) return null;
  return {
    what: itemsText(items ?? []) || (description ?? ''),
    dueDate: terms.dueDate,
    today,
    dueCents: amountDueCents(terms, today),
    lastDay: lastDayToPay(terms),
    payPath: checkoutId === null ? `/boleto/${id}` : `/pay/${checkoutId}/${id}`,
  };
}

const READ_LANGUAGE = statement<{ chargeId: ChargeId }, { readonly language: string }>(
  'read the language of a payer',
  () => 'select language from receipt_mails where charge_id = :chargeId',
);

/** The language in which the payer has begun the payment; null if no page was used, or no address was left on it. */
async function payersLanguage(em: Em, chargeId: ChargeId): Promise<string | null> {
  const [found] = await READ_LANGUAGE(em, { chargeId });
  return found?.language ?? null;
}
