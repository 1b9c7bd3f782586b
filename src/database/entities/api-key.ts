import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ApiKeyId, StoreId, UserId } from '../../domain/ids.ts';
import type { Permission } from '../../domain/permission.ts';

/**
 * An API key of one store and one environment; its text is shown once and only its SHA-256 is kept (contract
 * section 2).
 */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.text().$type<ApiKeyId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    /** SHA-256 of the key text, lower-case hex. */
    hash: p.text(),
    lastFour: p.text(),
    /** The text of a public key, which browsers show everybody. Null for all others, whose texts are not stored. */
    publicText: p.text().strictNullable(),
    description: p.text(),
    permissions: p.array().$type<Permission[]>(),
    /** Whether it may only read, whatever its permissions allow. */
    readOnly: p.boolean().default(false),
    /** From this instant on requests with it are refused. Null: never. */
    expiresAt: p.datetime().strictNullable(),
    /** The only networks it may be used from, in CIDR notation as `canonicalNetwork` writes it. Null: from anywhere. */
    allowedNetworks: p.array().$type<string[]>().strictNullable(),
    /** The person who created it in the dashboard. Null for a key from the command line. */
    creatorId: p.text().$type<UserId>().strictNullable(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().strictNullable(),
    revokedAt: p.datetime().strictNullable(),
    /** When and from where (shortened) its networks last refused it; updated once an hour at most. */
    refusedAt: p.datetime().strictNullable(),
    refusedFrom: p.text().strictNullable(),
    /** The key that replaced it. It still works until its expiry. */
    replacedById: p.text().$type<ApiKeyId>().strictNullable(),
  },
});
export type ApiKey = InferEntity<typeof ApiKeyEntity>;
