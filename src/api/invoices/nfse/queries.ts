import type { FilterQuery } from '@mikro-orm/core';
import { type Nfse, NfseEntity } from '../../../database/entities/nfse.ts';
import type { Em } from '../../../database/orm.ts';
import type { InvoiceId, NfseId } from '../../../domain/ids.ts';
import { ownedBy, requireRow } from '../../frame/rows.ts';
import { createdWithin } from '../../frame/time-range.ts';
import type { Caller } from '../../keys/caller.ts';
import type { ListNfseQuery } from './schema.ts';

/** @throws ApiError NOT_FOUND, as {@link requireRow} does. */
export function requireNfse(em: Em, caller: Pick<Caller, 'storeId' | 'devMode'>, id: string): Promise<Nfse> {
  return requireRow(em, NfseEntity, { ...ownedBy(caller), id: id as NfseId }, 'NFS-e');
}

/** The query condition of GET `/invoices/nfse/list`. */
export function nfseFilter(
  caller: Caller,
  { status, invoiceId, ...created }: ListNfseQuery,
): FilterQuery<Nfse> {
  return {
    ...ownedBy(caller),
    ...createdWithin(created),
    ...(status !== undefined && { status }),
    ...(invoiceId !== undefined && { invoiceId: invoiceId as InvoiceId }),
  };
}
