import { invoiceFile, invoicesOfCharges } from '../../invoices/invoice-files.ts';
import { ownPayment } from '../../portal/own-rows.ts';
import { leaveTurn } from '../../request-turn.ts';
import { currentLanguage, localeOf } from '../frame/language.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError } from '../frame/page-context.ts';
import type { PayerVisit } from './visit.ts';

/**
 * The invoice of one of the customer's payments as PDF. A payment with the proven address may have been made out to somebody else, so
 * the tax id is masked unless it is the customer's.
 * @throws NoticeError the same 404 for an unknown payment, one of somebody else and one without an invoice; 429 after more invoices than
 * anyone needs.
 */
export async function downloadInvoice({ ctx, em, customer, deps }: PayerVisit): Promise<void> {
  const charge = await ownPayment(em, customer, ctx.params.chargeId ?? '');
  const invoice = charge && (await invoicesOfCharges(em, [charge.id])).get(charge.id);
  if (!charge || !invoice) throw new NoticeError(404, NOTICES.noPayment);
  const showsTaxId = charge.payerTaxId === customer.taxId;
  const seconds = await deps.trafficLimiter.countKnown(['invoicesOfCustomer', customer.id]);
  if (seconds !== null) throw new NoticeError(429, NOTICES.tooMany, seconds);
  // It waits for the thread that renders the invoices of all stores.
  leaveTurn(ctx.req);
  const { name, body } = await invoiceFile(em, invoice, { locale: localeOf(currentLanguage()), showsTaxId });
  ctx.status = 200;
  ctx.type = 'application/pdf';
  ctx.set('Content-Disposition', `attachment; filename="${name}"`);
  ctx.body = body;
}
