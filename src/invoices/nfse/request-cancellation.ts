import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ChargeId, InvoiceId, NfseId } from '../../domain/ids.ts';
import type { NfseCancellationReason } from '../../domain/nfse/nfse.ts';

const LOCK_INVOICE = statement<{ chargeId: ChargeId }, { id: InvoiceId }>(
  'lock the invoice of a charge',
  () => 'select id from invoices where charge_id = :chargeId for no key update',
);

const REQUEST = statement<
  { invoiceIds: readonly InvoiceId[]; reason: NfseCancellationReason; now: Date },
  { id: NfseId }
>(
  'request the cancellation of the NFS-e of invoices',
  () => `
  update nfse set cancellation_requested_at = :now, cancellation_reason = :reason, updated_at = :now
  where invoice_id = any (:invoiceIds::text[]) and status <> 'CANCELLED' and cancellation_requested_at is null
  returning id`,
);

/**
 * Asks for the cancellation of an invoice's NFS-e, in the transaction that makes its charge REFUNDED. One that is not authorised yet is
 * asked for once it is. The lock waits for an issuer that holds the invoice, so that its DPS is found.
 */
export async function cancelNfseOfRefunded(tx: Em, chargeId: ChargeId, now: Date): Promise<void> {
  const invoices = await LOCK_INVOICE(tx, { chargeId });
  if (invoices.length === 0) return;
  await REQUEST(tx, { invoiceIds: invoices.map(({ id }) => id), reason: 'REFUNDED', now });
}

/** The same for invoices that the caller holds and publishes as void. */
export async function cancelNfseOfVoid(tx: Em, invoiceIds: readonly InvoiceId[], now: Date): Promise<void> {
  if (invoiceIds.length > 0) await REQUEST(tx, { invoiceIds, reason: 'VOIDED', now });
}

const REQUEST_AGAIN = statement<{ id: NfseId; now: Date }, { id: NfseId }>(
  'request the cancellation of an NFS-e',
  () => `
  update nfse set cancellation_requested_at = :now, cancellation_reason = 'REQUESTED', cancellation_published_at = null,
    cancellation_errors = null, updated_at = :now
  where id = :id and status = 'AUTHORIZED' and (cancellation_requested_at is null or cancellation_errors is not null)
  returning id`,
);

/** The same on request, also after the authority has refused it. @returns whether it is newly asked for. */
export async function requestCancellation(tx: Em, id: NfseId, now: Date): Promise<boolean> {
  return (await REQUEST_AGAIN(tx, { id, now })).length > 0;
}
