import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import { parseTaxId } from '../domain/tax-id.ts';
import { mintId } from '../ids.ts';
import { label, UsageError } from './usage-error.ts';

export interface NewStore {
  readonly name: string;
  /** Printed in BR Codes, which take its first 15 characters without accents. */
  readonly city: string;
  /** CPF or CNPJ, formatted or bare. */
  readonly taxId?: string | undefined;
  readonly website?: string | undefined;
}

/** @throws UsageError when a value cannot be right. */
export async function createStore(
  em: Em,
  { name, city, taxId, website }: NewStore,
  now: Date,
): Promise<Store> {
  const store: Store = {
    id: mintId<StoreId>('store', now),
    name: label('--name', name),
    city: label('--city', city),
    taxId: taxId === undefined ? null : bareTaxId(taxId),
    website: website === undefined ? null : webAddress(website),
    createdAt: now,
  };
  await em.insert(StoreEntity, store);
  return store;
}

/** Every store, oldest first. */
export function listStores(em: Em): Promise<Store[]> {
  return em.findAll(StoreEntity, { orderBy: { createdAt: 'asc', id: 'asc' } });
}

function bareTaxId(text: string): string {
  const taxId = parseTaxId(text);
  if (taxId === null) throw new UsageError('--tax-id: must be a CPF or CNPJ with right check digits');
  return taxId.bare;
}

function webAddress(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new UsageError('--website: must be a complete address, such as https://example.com');
}
