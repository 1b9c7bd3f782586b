import { LockMode } from '@mikro-orm/core';
import { resolveAttention } from '../../database/attention.ts';
import { ChargeEntity } from '../../database/entities/charge.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import { type Invoice, InvoiceEntity } from '../../database/entities/invoice.ts';
import { type Nfse, NfseEntity } from '../../database/entities/nfse.ts';
import type { Em } from '../../database/orm.ts';
import type { InvoiceId } from '../../domain/ids.ts';
import { servicePriceOf } from '../../domain/nfse/dps.ts';
import { dpsIdOf, type NfseIssuer } from '../../domain/nfse/nfse.ts';
import { announce, newNfse, newVersion } from './issue-dps.ts';
import { rejectionOf } from './nfse-attention.ts';
import { takeDpsNumbers } from './nfse-numbers.ts';
import { nfseSettingsOf } from './nfse-settings.ts';

/** Why no DPS can be issued for an invoice. */
export type IssueRefusal = 'NO_ISSUER' | 'VOID' | 'REFUNDED' | 'NOTHING_CHARGED';

export type IssueResult =
  | { readonly refusal: IssueRefusal }
  | { readonly nfse: Nfse; readonly isIssued: boolean; readonly deliveries: readonly DeliveryToStart[] };

const HELD = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;

/**
 * Issues the DPS of an invoice: the first one, again after a rejection, or another one after a cancellation. If one waits or is authorised,
 * nothing is issued. A rejected DPS keeps its number as long as the store's data give it the same id: then even two transmissions make
 * one NFS-e.
 * @param now the store's time. @param realNow of the note about a rejection, which this closes.
 */
export async function issueByHand(
  tx: Em,
  id: InvoiceId,
  { omitsPayer }: { readonly omitsPayer: boolean },
  { now, realNow }: { readonly now: Date; readonly realNow: Date },
): Promise<IssueResult> {
  const invoice = await lockInvoice(tx, id);
  const earlier = await tx.find(
    NfseEntity,
    { invoiceId: id },
    { orderBy: { createdAt: 'desc', number: 'desc' }, ...HELD },
  );
  const live = earlier.find(({ status }) => status === 'AUTHORIZED' || status === 'PENDING');
  if (live !== undefined) return { nfse: live as Nfse, isIssued: false, deliveries: [] };
  const { issuer } = await nfseSettingsOf(tx, invoice);
  if (issuer === null) return { refusal: 'NO_ISSUER' };
  const refusal = await refusalOf(tx, invoice);
  if (refusal !== null) return { refusal };
  const [last] = earlier as Nfse[];
  if (last !== undefined) await resolveAttention(tx, { ...rejectionOf(last), now: realNow });
  const isAgain = last?.status === 'REJECTED' && dpsIdOf(issuer, last.number) === last.dpsId;
  const nfse = isAgain
    ? await issueAgain(tx, last, issuer, omitsPayer, now)
    : await issueNew(tx, invoice, issuer, omitsPayer, now);
  return { nfse, isIssued: true, deliveries: await announce(tx, nfse, invoice, now) };
}

/** Locks an invoice before its NFS-e, the order of every writer. */
export async function lockInvoice(tx: Em, id: InvoiceId): Promise<Invoice> {
  return (await tx.findOneOrFail(InvoiceEntity, { id }, HELD)) as Invoice;
}

async function refusalOf(tx: Em, { status, chargeId, lines }: Invoice): Promise<IssueRefusal | null> {
  if (status === 'VOID') return 'VOID';
  if (servicePriceOf(lines) === null) return 'NOTHING_CHARGED';
  const refunded = chargeId === null ? 0 : await tx.count(ChargeEntity, { id: chargeId, status: 'REFUNDED' });
  return refunded > 0 ? 'REFUNDED' : null;
}

async function issueAgain(
  tx: Em,
  last: Nfse,
  issuer: NfseIssuer,
  omitsPayer: boolean,
  now: Date,
): Promise<Nfse> {
  const attempt = last.attempt + 1;
  const versions = [...last.versions, newVersion(attempt, issuer, omitsPayer, now)];
  const change = { status: 'PENDING', attempt, versions, updatedAt: now } as const;
  await tx.nativeUpdate(NfseEntity, { id: last.id }, change);
  return { ...last, ...change };
}

async function issueNew(
  tx: Em,
  invoice: Invoice,
  issuer: NfseIssuer,
  omitsPayer: boolean,
  now: Date,
): Promise<Nfse> {
  const [number = 0] = await takeDpsNumbers(tx, invoice, issuer.series, 1);
  const nfse = newNfse(invoice, issuer, { number, omitsPayer }, now);
  await tx.insert(NfseEntity, nfse);
  return nfse;
}
