import { type Invoice, InvoiceEntity } from '../database/entities/invoice.ts';
import type { Em } from '../database/orm.ts';
import type { ChargeId } from '../domain/ids.ts';
import { invoiceNumber } from '../domain/invoice.ts';
import { detailsOfOne } from './invoice-details.ts';
import { type InvoiceReader, invoiceDocument } from './pdf/invoice-document.ts';
import { PdfRenderer } from './pdf/pdf-renderer.ts';

/** The numbered invoices of payments, by the payments' ids. A payment of a release without invoices has none. */
export async function invoicesOfCharges(
  em: Em,
  ids: readonly ChargeId[],
): Promise<ReadonlyMap<ChargeId, Invoice>> {
  if (ids.length === 0) return new Map();
  const numbered = { chargeId: { $in: [...ids] }, numberYear: { $ne: null } };
  const found = await em.find(InvoiceEntity, numbered, { disableIdentityMap: true });
  return new Map(
    found.flatMap((invoice) => (invoice.chargeId === null ? [] : [[invoice.chargeId, invoice]])),
  );
}

/** The invoice's number, such as `2026-000123`. @throws Error if it has none yet. */
export function numberOf({ id, numberYear, numberInYear }: Invoice): string {
  if (numberYear === null || numberInYear === null) throw new Error(`${id} has no number yet`);
  return invoiceNumber(numberYear, numberInYear);
}

export interface InvoiceFile {
  readonly name: string;
  readonly body: Buffer;
}

const renderer = new PdfRenderer();

/** A numbered invoice as a PDF file, as it is now. */
export async function invoiceFile(em: Em, invoice: Invoice, reader: InvoiceReader): Promise<InvoiceFile> {
  const details = await detailsOfOne(em, invoice);
  const body = await renderer.render(invoiceDocument(details, reader), invoice.createdAt);
  return { name: `invoice-${numberOf(invoice)}.pdf`, body };
}
