import { CheckoutEntity } from '../database/entities/checkout.ts';
import { type Mandate, MandateEntity } from '../database/entities/mandate.ts';
import { PlanUpdateEntity } from '../database/entities/plan-update.ts';
import { StoreEntity } from '../database/entities/store.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { itemText } from '../domain/checkout.ts';
import { languageNamed } from '../domain/language.ts';
import { isWaiting } from '../mandates/consent/consent-path.ts';
import { subscriptionAddress } from '../reminders/reminder-address.ts';
import { reminderSettingsOf } from '../stores/reminder-settings.ts';
import { inLanguage } from '../web/frame/language.ts';
import { renderConsentMail } from './consent-mail.ts';
import { MAIL_BATCH, Mailer } from './mailer.ts';
import {
  type ConsentMail,
  END_CONSENT_MAIL,
  GIVE_UP_CONSENT_MAIL,
  TAKE_CONSENT_MAILS,
} from './queue/consent-mails.ts';

const FRESH = { disableIdentityMap: true } as const;

/** Mails requests to authorize debits to their payers, for stores that want it. */
export class ConsentMailer extends Mailer {
  override async sendDue(now: Date): Promise<number> {
    const mails = await TAKE_CONSENT_MAILS(this.database, { now, limit: MAIL_BATCH });
    await Promise.all(mails.map((mail) => this.#send(mail)));
    return mails.length;
  }

  async #send({ mandateId, attempts }: ConsentMail): Promise<void> {
    const em = this.database.em.fork();
    const mandate = await em.findOneOrFail(MandateEntity, { id: mandateId }, FRESH);
    const asked = isWaiting(mandate) ? await findAsked(em, mandate) : null;
    // It was answered or withdrawn meanwhile, or nobody may be written to.
    if (asked === null) return void (await END_CONSENT_MAIL(em, { mandateId }));
    const { address, plan } = asked;
    const store = await em.findOneOrFail(StoreEntity, { id: mandate.storeId }, FRESH);
    const { language } = await reminderSettingsOf(em, mandate);
    const mail = {
      ...inLanguage(languageNamed(language), () =>
        renderConsentMail({ mandate, plan }, store, this.publicUrl),
      ),
      to: { name: '', address },
      ...(store.supportEmail !== null && { replyTo: store.supportEmail }),
      fromName: store.name,
      id: `authorization.${mandateId}`,
    };
    const outcome = await this.sendToPayer(mandate, mail, { mandateId, attempts });
    if (outcome === 'sent') await END_CONSENT_MAIL(em, { mandateId });
    if (outcome === 'given up') await GIVE_UP_CONSENT_MAIL(em, { mandateId });
  }
}

/** The payer's address and the plan that is asked about; null without an address, and for a subscription that has ended. */
async function findAsked(em: Em, { checkoutId }: Mandate) {
  const { subscriptionId } = await em.findOneOrFail(CheckoutEntity, { id: checkoutId }, FRESH);
  const active = subscriptionId && { id: subscriptionId, status: 'ACTIVE' as const };
  const subscription = active && (await em.findOne(SubscriptionEntity, active, FRESH));
  if (!subscription) return null;
  const address = await subscriptionAddress(em, subscription);
  if (address === null) return null;
  const waiting = { subscriptionId: subscription.id, status: 'PENDING' as const };
  const { plan } = (await em.findOne(PlanUpdateEntity, waiting, FRESH)) ?? subscription;
  return { address, plan: itemText(plan) };
}
