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

/** The owner of a request: an API key, or a person in the dashboard. */
export interface Caller {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly permissions: readonly Permission[];
  /** The API key, or the person in the dashboard. */
  readonly actorId: ApiKeyId | UserId;
  readonly announcesSales: EnvironmentRow['announcesSales'];
  /** Null for a production key, and for a dev environment whose clock was never moved. */
  readonly clock: StoreClock | null;
  /** Store details printed on charges. Loaded with the key to save a query for each charge. */
  readonly store: { readonly name: string; readonly city: string; readonly taxId: string | null };
}

/**
 * An API key that is not revoked, with its limits. Callers must check the limits with {@link requireUsable}.
 */
export interface FoundKey extends Caller, KeyLimits {
  readonly keyId: ApiKeyId;
  readonly isReadOnly: boolean;
  /** Everybody may know it: it may only do what a route with `publicKey` does. */
  readonly isPublic: boolean;
  /** When a use from a network that is not allowed was last recorded in the audit log. */
  readonly refusedAt: Date | null;
}

/** A caller who came with an API key. */
export interface KeyCaller extends FoundKey {
  /** The full client address; null once the connection is closed. */
  readonly address: string | null;
}

/** A row of the query: a caller with the columns of its store and environment not yet nested. */
type CallerRow = Omit<FoundKey, 'store' | 'clock' | 'actorId'> & Caller['store'] & EnvironmentRow;

/** Runs before every request. */
const FIND_CALLER = statement<{ hash: string }, CallerRow>(
  'find a caller',
  () => `
  select k.id as "keyId", k.store_id as "storeId", k.dev_mode as "devMode", k.permissions,
    k.read_only as "isReadOnly", k.public_text is not null as "isPublic", k.expires_at as "expiresAt", k.allowed_networks as "allowedNetworks",
    k.refused_at as "refusedAt", s.name, s.city, s.tax_id as "taxId", ${environmentColumns('k.store_id', 'k.dev_mode')}
  from api_keys k join stores s on s.id = k.store_id
    ${environmentJoin('k.store_id', 'k.dev_mode')}
  where k.hash = :hash and k.revoked_at is null`,
);

const BEARER = /^Bearer +([^\s]+) *$/i;
/**
 * The environment followed by 256 random bits in base64url (contract section 2). Other texts are refused
 * without a lookup.
 */
const KEY_TEXT = /^abc_(?:dev|prod)_[A-Za-z0-9_-]{43}$/;

/** How the text of a public key starts. */
export const PUBLIC_PREFIX = 'pk_';
const PUBLIC_KEY_TEXT = /^pk_(?:dev|prod)_[A-Za-z0-9_-]{43}$/;

/** The text of a public key in an `Authorization` header, or null if this service could not have issued it. */
export function publicKeyTextOf(authorization: string): string | null {
  const text = BEARER.exec(authorization)?.[1];
  return text !== undefined && PUBLIC_KEY_TEXT.test(text) ? text : null;
}

/** The key text of an `Authorization` header, or null if this service could not have issued it. */
export function keyTextOf(authorization: string): string | null {
  const text = BEARER.exec(authorization)?.[1];
  return text !== undefined && KEY_TEXT.test(text) ? text : null;
}

/** The stored form of a key. A fast hash is enough, because 256 random bits cannot be guessed. */
export function hashOfKey(keyText: string): string {
  return hash('sha256', keyText, 'hex');
}

/**
 * Finds a key. Never cached, so that a revocation takes effect at once. The query compares hashes by index,
 * so its duration reveals nothing about other keys.
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
