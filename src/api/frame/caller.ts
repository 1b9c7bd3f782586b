import { hash } from 'node:crypto';
import {
  clockOf,
  type EnvironmentRow,
  environmentColumns,
  environmentJoin,
} from '../../database/environment.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { ApiKeyId, StoreId, UserId } from '../../domain/ids.ts';
import type { Permission } from '../../domain/permission.ts';
import type { StoreClock } from '../../domain/store-clock.ts';
import type { KeyLimits } from './usable-key.ts';

/** For whom something is asked: what an API key stands for, or a person in the dashboard. */
export interface Caller {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly permissions: readonly Permission[];
  /** The API key, or the person in the dashboard. */
  readonly actorId: ApiKeyId | UserId;
  readonly publishesBillingCreated: EnvironmentRow['publishesBillingCreated'];
  /** Null where the clock of the store's dev environment was never moved, and for a production key. */
  readonly clock: StoreClock | null;
  /** What charges print of the store, so that creating one needs no further query. */
  readonly store: { readonly name: string; readonly city: string; readonly taxId: string | null };
}

/** An API key that is not revoked, with its limits, which whoever uses it must check ({@link requireUsable}). */
export interface FoundKey extends Caller, KeyLimits {
  readonly keyId: ApiKeyId;
  readonly isReadOnly: boolean;
  /** When it was last noted that the key was refused because of where it was used from. */
  readonly refusedAt: Date | null;
}

/** A caller who came with an API key. */
export interface KeyCaller extends FoundKey {
  /** Where from, as a whole address; null once the connection is gone. */
  readonly address: string | null;
}

/** A caller, but for the store's columns, which stand beside the others. */
type CallerRow = Omit<FoundKey, 'store' | 'clock' | 'actorId'> & Caller['store'] & EnvironmentRow;

/** It runs before every request. */
const FIND_CALLER = statement<{ hash: string }, CallerRow>(
  'find a caller',
  () => `
  select k.id as "keyId", k.store_id as "storeId", k.dev_mode as "devMode", k.permissions,
    k.read_only as "isReadOnly", k.expires_at as "expiresAt", k.allowed_networks as "allowedNetworks",
    k.refused_at as "refusedAt", s.name, s.city, s.tax_id as "taxId", ${environmentColumns('k.store_id', 'k.dev_mode')}
  from api_keys k join stores s on s.id = k.store_id
    ${environmentJoin('k.store_id', 'k.dev_mode')}
  where k.hash = :hash and k.revoked_at is null`,
);

const BEARER = /^Bearer +([^\s]+) *$/i;
/**
 * 256 random bits in base64url, behind the environment (contract section 2). Anything else need not be looked
 * up.
 */
const KEY_TEXT = /^abc_(?:dev|prod)_[A-Za-z0-9_-]{43}$/;

/**
 * The key text of an `Authorization` header, or null when it is not one that this service could have issued.
 */
export function keyTextOf(authorization: string): string | null {
  const text = BEARER.exec(authorization)?.[1];
  return text !== undefined && KEY_TEXT.test(text) ? text : null;
}

/** What is kept of a key's text. Its 256 random bits need no slow hash: there is nothing to guess from. */
export function hashOfKey(keyText: string): string {
  return hash('sha256', keyText, 'hex');
}

/**
 * Looks keys up, each time anew so that a revocation bites at once. Only one index entry is compared, and by
 * hash, so the time it takes tells nothing about other keys.
 */
export async function findCaller(database: Database, keyText: string): Promise<FoundKey | null> {
  const [row] = await FIND_CALLER(database, { hash: hashOfKey(keyText) });
  if (row === undefined) return null;
  const { name, city, taxId, aheadMs, standsAt, ...caller } = row;
  return {
    ...caller,
    actorId: caller.keyId,
    clock: clockOf({ aheadMs, standsAt }),
    store: { name, city, taxId },
  };
}
