import { type Store, StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import {
  checkedStoreProfile,
  type GivenStoreProfile,
  type StoreField,
  type StoreProfile,
  WrongStoreFields,
} from '../domain/store-profile.ts';
import { mintId } from '../ids.ts';
import { updateStoreProfile } from '../stores/profile.ts';
import { UsageError } from './usage-error.ts';

/** Codes and slips show the name and the city. BR Codes allow 15 characters without accents for the city. */
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

/** @throws UsageError if a value is invalid. */
export async function createStore(em: Em, given: NewStore, now: Date): Promise<Store> {
  const id = mintId<StoreId>('store', now);
  const { name, city } = given;
  const store: Store = { ...NO_PROFILE, name, city, ...checked(given), id, logoFile: null, createdAt: now };
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
 * Changes the given fields; an empty text clears an optional one.
 *
 * @throws UsageError if a value is invalid or the store does not exist.
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

/** Rewrites an error so that it names the options instead of the domain's fields. */
function named(error: unknown): unknown {
  if (!(error instanceof WrongStoreFields)) return error;
  return new UsageError(
    [...error.rules].map(([field, rule]) => `${STORE_OPTIONS[field]}: ${rule}`).join('\n'),
  );
}

/** Every store, oldest first. */
export function listStores(em: Em): Promise<Store[]> {
  return em.findAll(StoreEntity, { orderBy: { createdAt: 'asc', id: 'asc' } });
}
