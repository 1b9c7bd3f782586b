import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { KeyCaller } from '../keys/caller.ts';
import { type KeyLimits, refusalOf } from '../keys/usable-key.ts';

const FIND_SERVING = statement<{ ids: readonly string[] }, KeyLimits & { readonly id: string }>(
  'find which keys still serve',
  () => `
  select id, expires_at as "expiresAt", allowed_networks as "allowedNetworks" from api_keys
  where id = any (:ids::text[]) and revoked_at is null`,
);

/** A key and the address that uses it, as one text. */
export function keyAtAddress({ keyId, address }: Pick<KeyCaller, 'keyId' | 'address'>): string {
  return `${keyId} ${address ?? ''}`;
}

/**
 * Which of these keys are still usable from their addresses: not revoked and not expired. @param uses of
 * {@link keyAtAddress}.
 */
export async function servingKeys(
  database: Database,
  uses: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const parts = uses.map((use) => use.split(' '));
  const rows = await FIND_SERVING(database, { ids: parts.map(([id = '']) => id) });
  const limitsOf = new Map(rows.map((row) => [row.id, row]));
  return new Set(
    uses.filter((_, index) => {
      const [id = '', address] = parts[index] ?? [];
      const limits = limitsOf.get(id);
      return limits !== undefined && refusalOf(limits, address || null, now) === null;
    }),
  );
}
