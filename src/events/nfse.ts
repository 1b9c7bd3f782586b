import { z } from 'zod';
import type { Invoice } from '../database/entities/invoice.ts';
import type { Nfse } from '../database/entities/nfse.ts';
import { exampleInvoice, presentInvoice, publishedInvoice } from '../wire/invoice.ts';
import { exampleAuthorizedNfse, exampleNfse, presentNfse, publishedNfse } from '../wire/nfse.ts';
import { defineEvent } from './definition.ts';

const data = z.strictObject({ nfse: publishedNfse, invoice: publishedInvoice });

/** The `data` of an event about the NFS-e of a numbered invoice. */
export function nfseEventData(nfse: Nfse, invoice: Invoice): z.output<typeof data> {
  return { nfse: presentNfse(nfse), invoice: presentInvoice(invoice) };
}

const invoice = exampleInvoice;
const authorized = exampleAuthorizedNfse;
const at = '2026-12-05T09:12:07.311Z';
const cancellation = { reason: 'REFUNDED' as const, requestedAt: at, errors: [] };

/** Events of NFS-e: our addition. */
export const nfseEvents = {
  'nfse.pending': defineEvent(
    'A DPS was issued, or issued again after a rejection. Your transmitter fetches, signs and sends its XML. Our addition',
    data,
    { nfse: exampleNfse, invoice },
  ),
  'nfse.authorized': defineEvent('The tax authority made the NFS-e. Our addition', data, {
    nfse: authorized,
    invoice,
  }),
  'nfse.rejected': defineEvent(
    'The tax authority refused the DPS. It can be issued again after its data is mended. Our addition',
    data,
    {
      nfse: {
        ...exampleNfse,
        status: 'REJECTED',
        errors: [{ code: 'E0188', message: 'CNPJ do prestador inexistente' }],
        rejectedAt: at,
        updatedAt: at,
      },
      invoice,
    },
  ),
  'nfse.cancellation_requested': defineEvent(
    'An authorised NFS-e has to be cancelled: its payment was refunded in full, its invoice became void, or a request asked for it. Our addition',
    data,
    { nfse: { ...authorized, cancellation, updatedAt: at }, invoice },
  ),
  'nfse.cancelled': defineEvent('The NFS-e was cancelled. Our addition', data, {
    nfse: { ...authorized, status: 'CANCELLED', cancellation, cancelledAt: at, updatedAt: at },
    invoice,
  }),
};
