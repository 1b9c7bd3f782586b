import { ChargeEntity } from '../database/entities/charge.ts';
import { CheckoutEntity } from '../database/entities/checkout.ts';
import type { Invoice } from '../database/entities/invoice.ts';
import type { Em } from '../database/orm.ts';
import { reminderSettingsOf } from '../stores/reminder-settings.ts';

const FRESH = { disableIdentityMap: true } as const;

/**
 * The language of an invoice's reader: of the page on which its payment began, else of the page of its checkout's first payment, as for
 * renewals. If nobody used a page, it is the language in which the store reminds its payers.
 */
export async function invoiceLanguage(em: Em, invoice: Invoice): Promise<string> {
  const { paidByChargeId } = await em.findOneOrFail(CheckoutEntity, { id: invoice.checkoutId }, FRESH);
  for (const id of [invoice.chargeId, paidByChargeId]) {
    const charge = id && (await em.findOne(ChargeEntity, { id }, FRESH));
    if (charge && charge.payerLanguage !== null) return charge.payerLanguage;
  }
  return (await reminderSettingsOf(em, invoice)).language;
}
