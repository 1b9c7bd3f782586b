import { ChargeEntity } from '../../database/entities/charge.ts';
import type { DeliveryToStart } from '../../database/entities/delivery.ts';
import type { Invoice } from '../../database/entities/invoice.ts';
import { NEW_NFSE, type Nfse, NfseEntity } from '../../database/entities/nfse.ts';
import type { Em } from '../../database/orm.ts';
import type { NfseId, StoreId } from '../../domain/ids.ts';
import { servicePriceOf } from '../../domain/nfse/dps.ts';
import { type DpsVersion, dpsIdOf, type NfseIssuer } from '../../domain/nfse/nfse.ts';
import { nfseEventData } from '../../events/nfse.ts';
import { writeEvent } from '../../events/record.ts';
import { mintId } from '../../ids.ts';
import { VERSION } from '../../version.ts';
import { takeDpsNumbers } from './nfse-numbers.ts';
import { nfseSettingsOf } from './nfse-settings.ts';

const FRESH = { disableIdentityMap: true } as const;

interface Environment {
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/**
 * Issues the DPS of invoices that were just published, for a store that wants it, in the transaction that publishes them. It holds
 * their rows, so nobody else issues one for them, and no refund misses it.
 * @param invoices in the order of their numbers. @param now the store's time.
 */
export async function issueDpsOfPublished(
  tx: Em,
  environment: Environment,
  invoices: readonly Invoice[],
  now: Date,
): Promise<DeliveryToStart[]> {
  const { isOn, issuesOn, issuer } = await nfseSettingsOf(tx, environment);
  if (!isOn || issuer === null) return [];
  const wanted = invoices.filter(
    ({ status, lines }) =>
      (status === 'PAID' || (status === 'OPEN' && issuesOn === 'CREATED')) && servicePriceOf(lines) !== null,
  );
  const due = await withoutNfse(tx, wanted);
  if (due.length === 0) return [];
  const numbers = await takeDpsNumbers(tx, environment, issuer.series, due.length);
  const deliveries: DeliveryToStart[] = [];
  for (const [nth, invoice] of due.entries()) {
    const nfse = newNfse(invoice, issuer, { number: numbers[nth] ?? 0, omitsPayer: false }, now);
    await tx.insert(NfseEntity, nfse);
    deliveries.push(...(await announce(tx, nfse, invoice, now)));
  }
  return deliveries;
}

/** Leaves out invoices that had a DPS before, such as when they were created, and those that are refunded already. */
async function withoutNfse(tx: Em, invoices: readonly Invoice[]): Promise<Invoice[]> {
  if (invoices.length === 0) return [];
  const ids = invoices.map(({ id }) => id);
  const issued = await tx.find(NfseEntity, { invoiceId: { $in: ids } }, FRESH);
  const chargeIds = invoices.map(({ chargeId }) => chargeId).filter((id) => id !== null);
  const refunded = await tx.find(ChargeEntity, { id: { $in: chargeIds }, status: 'REFUNDED' }, FRESH);
  return invoices.filter(
    ({ id, chargeId }) =>
      !issued.some(({ invoiceId }) => invoiceId === id) && !refunded.some((charge) => charge.id === chargeId),
  );
}

/** The data of a DPS that is issued now. */
export function newVersion(attempt: number, issuer: NfseIssuer, omitsPayer: boolean, now: Date): DpsVersion {
  return { attempt, issuedAt: now.toISOString(), omitsPayer, program: `Recebe ${VERSION}`, issuer };
}

/** What a new DPS needs besides the data of the store. */
interface NewDps {
  readonly number: number;
  readonly omitsPayer: boolean;
}

/** A new NFS-e, whose DPS is its first. */
export function newNfse(
  { id: invoiceId, storeId, devMode }: Invoice,
  issuer: NfseIssuer,
  { number, omitsPayer }: NewDps,
  now: Date,
): Nfse {
  const version = newVersion(1, issuer, omitsPayer, now);
  return {
    ...NEW_NFSE,
    id: mintId<NfseId>('nfse', now),
    storeId,
    devMode,
    invoiceId,
    dpsId: dpsIdOf(issuer, number),
    series: issuer.series,
    number,
    versions: [version],
    createdAt: now,
    updatedAt: now,
  };
}

/** Publishes that a DPS waits for its transmission, in the transaction that issues it. */
export function announce(tx: Em, nfse: Nfse, invoice: Invoice, now: Date): Promise<DeliveryToStart[]> {
  const data = nfseEventData(nfse, invoice);
  return writeEvent(tx, invoice, 'nfse.pending', `${nfse.id}/${nfse.attempt}`, data, now);
}
