import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { updateStoreProfile } from '../database/store-profile.ts';
import type { StoreId } from '../domain/ids.ts';
import {
  checkedStoreProfile,
  type GivenStoreProfile,
  type StoreField,
  type StoreProfile,
  WrongStoreField,
} from '../domain/store-profile.ts';
import { mintId } from '../ids.ts';
import { UsageError } from './usage-error.ts';

/** The name is printed on codes and slips; so is the city, of which BR Codes take 15 characters without accents. */
export type NewStore = GivenStoreProfile & { readonly name: string; readonly city: string };

/** The option that sets each field. */
export const STORE_OPTIONS: Readonly<Record<StoreField, string>> = {
  name: '--name',
  city: '--city',
  taxId: '--tax-id',
  website: '--website',
  logoUrl: '--logo-url',
  accentColor: '--accent-color',
  supportEmail: '--support-email',
  supportPhone: '--support-phone',
  supportUrl: '--support-url',
  legalFooter: '--legal-footer',
};

/** @throws UsageError when a value cannot be right. */
export async function createStore(em: Em, given: NewStore, now: Date): Promise<Store> {
  const id = mintId<StoreId>('store', now);
  const { name, city } = given;
  const store: Store = { ...NO_PROFILE, name, city, ...checked(given), id, createdAt: now };
  await em.insert(StoreEntity, store);
  return store;
}

function checked(given: NewStore): Partial<StoreProfile> {
  try {
    return checkedStoreProfile(given);
  } catch (error) {
    throw named(error);
  }
}

const NO_PROFILE = {
  taxId: null,
  website: null,
  logoUrl: null,
  accentColor: null,
  supportEmail: null,
  supportPhone: null,
  supportUrl: null,
  legalFooter: null,
} as const;

/**
 * Changes what is given; an empty text takes away what a store need not have.
 *
 * @throws UsageError when a value cannot be right, or there is no such store.
 */
export async function updateStore(em: Em, storeId: string, given: GivenStoreProfile): Promise<Store> {
  const changes = Object.entries(given).map(([field, text]) => [
    field,
    text === '' && field in NO_PROFILE ? null : text,
  ]);
  try {
    const store = await updateStoreProfile(em, storeId as StoreId, Object.fromEntries(changes));
    if (store === null) throw new UsageError(`there is no store ${storeId}; see "stores list"`);
    return store;
  } catch (error) {
    throw named(error);
  }
}

/** An error that names the option where the domain names the field. */
function named(error: unknown): unknown {
  return error instanceof WrongStoreField
    ? new UsageError(`${STORE_OPTIONS[error.field]}: ${error.rule}`)
    : error;
}

/** Every store, oldest first. */
export function listStores(em: Em): Promise<Store[]> {
  return em.findAll(StoreEntity, { orderBy: { createdAt: 'asc', id: 'asc' } });
}
