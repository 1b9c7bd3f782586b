import { LockMode } from '@mikro-orm/core';
import type { Logger } from 'pino';
import { noteAttention, resolveAttention } from '../../database/attention.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import type { Invoice } from '../../database/entities/invoice.ts';
import { type Nfse, NfseEntity } from '../../database/entities/nfse.ts';
import type { Em } from '../../database/orm.ts';
import { changeBy, type NfseChange, type NfseRefusal, type NfseReport } from '../../domain/nfse/report.ts';
import { nfseEventData } from '../../events/nfse.ts';
import { writeEvent } from '../../events/record.ts';
import { lockInvoice } from './issue-by-hand.ts';
import { refusedCancellationOf, rejectionOf } from './nfse-attention.ts';

export type ReportResult =
  | { readonly refusal: NfseRefusal | 'ACCESS_KEY_TAKEN' }
  | { readonly nfse: Nfse; readonly isChanged: boolean; readonly deliveries: readonly DeliveryToStart[] };

/** When a report arrives: the store's time for what it changes, real time for notes to a person. */
interface Arrival {
  readonly now: Date;
  readonly realNow: Date;
  readonly log: Logger;
}

/**
 * Takes in a report about an NFS-e, in the caller's transaction, with its event and with a note for a person if one is needed.
 * @param found belongs to the caller.
 */
export async function takeReport(
  tx: Em,
  { id, invoiceId }: Pick<Nfse, 'id' | 'invoiceId'>,
  report: NfseReport,
  arrival: Arrival,
): Promise<ReportResult> {
  const { now } = arrival;
  const invoice = await lockInvoice(tx, invoiceId);
  const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const nfse = (await tx.findOneOrFail(NfseEntity, { id }, held)) as Nfse;
  const taxIds = nfse.versions.map(({ issuer }) => issuer.cnpj);
  const change = changeBy({ ...nfse, taxIds }, report);
  if (change === null) return { nfse, isChanged: false, deliveries: [] };
  if (typeof change === 'string') return { refusal: change };
  if (await isTaken(tx, nfse, change)) return { refusal: 'ACCESS_KEY_TAKEN' };
  const all = { ...change, ...(await ifDuplicate(tx, nfse, change, now)), updatedAt: now };
  await tx.nativeUpdate(NfseEntity, { id }, all);
  const changed = { ...nfse, ...all };
  const deliveries = await publish(tx, nfse, changed, invoice, now);
  await note(tx, changed, report, arrival);
  return { nfse: changed, isChanged: true, deliveries };
}

/** Requests with one key take turns until their commits, so that the second one sees what the first has stored. */
async function isTaken(tx: Em, { id, storeId, devMode }: Nfse, { accessKey }: NfseChange): Promise<boolean> {
  if (accessKey === undefined) return false;
  const key = `nfse/${storeId}/${devMode}/${accessKey}`;
  await tx.execute('select pg_advisory_xact_lock(hashtextextended(:key, 0))', { key });
  return (await tx.count(NfseEntity, { storeId, devMode, accessKey, id: { $ne: id } })) > 0;
}

/** An earlier DPS of the invoice was authorised after all, so its NFS-e is one too many. */
async function ifDuplicate(tx: Em, nfse: Nfse, { status }: NfseChange, now: Date) {
  if (status !== 'AUTHORIZED' || nfse.cancellationRequestedAt !== null) return {};
  const { id, invoiceId } = nfse;
  const live = {
    invoiceId,
    id: { $ne: id },
    status: { $in: ['PENDING', 'AUTHORIZED'] as const },
    cancellationRequestedAt: null,
  };
  if ((await tx.count(NfseEntity, live)) === 0) return {};
  return { cancellationRequestedAt: now, cancellationReason: 'DUPLICATE' } as const;
}

async function publish(tx: Em, before: Nfse, nfse: Nfse, invoice: Invoice, now: Date) {
  if (nfse.status === before.status) return [];
  const data = nfseEventData(nfse, invoice);
  if (nfse.status === 'AUTHORIZED') return writeEvent(tx, invoice, 'nfse.authorized', nfse.id, data, now);
  if (nfse.status === 'CANCELLED') return writeEvent(tx, invoice, 'nfse.cancelled', nfse.id, data, now);
  return writeEvent(tx, invoice, 'nfse.rejected', `${nfse.id}/${nfse.attempt}`, data, now);
}

async function note(tx: Em, nfse: Nfse, report: NfseReport, { realNow: now, log }: Arrival): Promise<void> {
  const { storeId, devMode } = nfse;
  const about = { storeId, devMode, since: now, now };
  if (report.status === 'REJECTED') await noteAttention(tx, { ...rejectionOf(nfse), ...about }, log);
  else if (report.status === 'CANCELLATION_REFUSED')
    await noteAttention(tx, { ...refusedCancellationOf(nfse), ...about }, log);
  else await resolveAttention(tx, { ...rejectionOf(nfse), now });
  if (report.status === 'CANCELLED') await resolveAttention(tx, { ...refusedCancellationOf(nfse), now });
}
