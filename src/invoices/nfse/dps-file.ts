import { type Invoice, InvoiceEntity } from '../../database/entities/invoice.ts';
import type { Nfse } from '../../database/entities/nfse.ts';
import type { Em } from '../../database/orm.ts';
import { detailsOfOne } from '../invoice-details.ts';
import { numberOf } from '../invoice-files.ts';
import { renderDps } from './dps-xml.ts';

/**
 * A DPS as a file. The payer is that of the invoice: an erased one is left out, like in its PDF.
 * @param attempt the authorised one by default, else the last. @returns null if there was no such attempt.
 */
export async function dpsFile(
  em: Em,
  nfse: Nfse,
  attempt = nfse.authorizedAttempt ?? nfse.attempt,
): Promise<{ readonly name: string; readonly body: Buffer } | null> {
  const version = nfse.versions.find((each) => each.attempt === attempt);
  if (version === undefined) return null;
  const invoice = (await em.findOneOrFail(
    InvoiceEntity,
    { id: nfse.invoiceId },
    { disableIdentityMap: true },
  )) as Invoice;
  const { payer } = await detailsOfOne(em, invoice);
  const { lines, period, createdAt } = invoice;
  const { id, xml } = renderDps({
    devMode: nfse.devMode,
    number: nfse.number,
    version,
    invoice: { number: numberOf(invoice), lines, period, createdAt },
    payer,
  });
  return { name: `${id}.xml`, body: Buffer.from(xml) };
}
