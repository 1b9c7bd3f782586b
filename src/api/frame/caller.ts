import { hash } from 'node:crypto';
import type { Database } from '../../database/orm.ts';
import type { ApiKeyId, StoreId } from '../../domain/ids.ts';
import type { Permission } from '../../domain/permission.ts';

/** Who is calling, as far as the API key says. */
export interface Caller {
  readonly keyId: ApiKeyId;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly permissions: readonly Permission[];
  /** Whether an endpoint of v1 is told of `billing.created`, so that creating one otherwise needs no further query. */
  readonly tellsBillingCreated: boolean;
  /** What charges print of the store, so that creating one needs no further query. */
  readonly store: { readonly name: string; readonly city: string; readonly taxId: string | null };
}

interface CallerRow {
  readonly id: ApiKeyId;
  readonly store_id: StoreId;
  readonly dev_mode: boolean;
  readonly permissions: Permission[];
  readonly tells_billing_created: boolean;
  readonly name: string;
  readonly city: string;
  readonly tax_id: string | null;
}

/** The part of `pg`'s pool that is used here. */
interface Queries {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: CallerRow[] }>;
}

/** Named, so that each connection plans it once: it runs before every request. */
const FIND_CALLER = {
  name: 'find-caller',
  text: `select k.id, k.store_id, k.dev_mode, k.permissions, s.name, s.city, s.tax_id,
      exists (
        select from webhooks w
        where w.store_id = k.store_id and w.dev_mode = k.dev_mode and not w.v2 and w.deleted_at is null
          and w.disabled_at is null and 'billing.created' = any (w.events)
      ) as tells_billing_created
    from api_keys k join stores s on s.id = k.store_id
    where k.hash = $1 and k.revoked_at is null`,
};

const BEARER = /^Bearer +([^\s]+) *$/i;
/** 256 random bits in base64url, behind the environment (contract section 2). Anything else need not be looked up. */
const KEY_TEXT = /^abc_(?:dev|prod)_[A-Za-z0-9_-]{43}$/;

/** The key text of an `Authorization` header, or null when it is not one that this service could have issued. */
export function keyTextOf(authorization: string): string | null {
  const text = BEARER.exec(authorization)?.[1];
  return text !== undefined && KEY_TEXT.test(text) ? text : null;
}

/** What is kept of a key's text. Its 256 random bits need no slow hash: there is nothing to guess from. */
export function hashOfKey(keyText: string): string {
  return hash('sha256', keyText, 'hex');
}

/**
 * Looks keys up, each time anew so that a revocation bites at once. Only one index entry is compared, and by hash, so the
 * time it takes tells nothing about other keys.
 */
export async function findCaller(database: Database, keyText: string): Promise<Caller | null> {
  const pool: Queries = await database.driver.getConnection().getNativeClient();
  const { rows } = await pool.query({ ...FIND_CALLER, values: [hashOfKey(keyText)] });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    keyId: row.id,
    storeId: row.store_id,
    devMode: row.dev_mode,
    permissions: row.permissions,
    tellsBillingCreated: row.tells_billing_created,
    store: { name: row.name, city: row.city, taxId: row.tax_id },
  };
}
