import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ActorKind } from '../../domain/audit-actor.ts';
import type { ApiKeyId, AuditLineId, StoreId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';

/**
 * An action of a person, an API key or the command line. Lines are added and never changed. The lazy columns chain
 * them together; a trigger writes those (migration 51).
 */
export const AuditLineEntity = defineEntity({
  name: 'AuditLine',
  tableName: 'audit_lines',
  properties: {
    id: p.text().$type<AuditLineId>().primary(),
    /** Null for an action on the whole service. */
    storeId: p.text().$type<StoreId>().strictNullable(),
    /** Null if the action belongs to no environment, such as a change of the team. */
    devMode: p.boolean().strictNullable(),
    actorKind: p.text().$type<ActorKind>().default('PERSON'),
    /** Null unless a person did it. */
    userId: p.text().$type<UserId>().strictNullable(),
    /** The person's role at that time; null unless a person did it. */
    role: p.text().$type<Role>().strictNullable(),
    /** Null unless an API key did it. */
    keyId: p.text().$type<ApiKeyId>().strictNullable(),
    /** The account of the operating system; null unless the command line did it, and once it is erased. */
    operator: p.text().strictNullable(),
    /** The API's operation, such as `webhooks/create`, or a name such as `team/invite`. */
    action: p.text(),
    subjectId: p.text().strictNullable(),
    /** JSON, as it was written. */
    details: p.text().strictNullable(),
    /** The IP address, shortened; null for command line and service, and once it is erased. */
    address: p.text().strictNullable(),
    /**
     * Of a form: unique for a user, and for the payers of a store, so that a form sent twice is done once. Of an API key's
     * request that waited for another system: the same for each of its tries.
     */
    submission: p.text().strictNullable(),
    createdAt: p.datetime(),

    /** From 1, for each store. */
    position: p.bigint('string').lazy(),
    /** Empty for the first line of a store. */
    previousHash: p.text().lazy(),
    hash: p.text().lazy(),
    /** Random; erased with address and operator. */
    salt: p.text().strictNullable().lazy(),
    /** A digest of salt, address and operator. It stays when they are erased, and the line's hash includes it. */
    personalDigest: p.text().lazy(),
  },
});
export type AuditLine = Omit<
  InferEntity<typeof AuditLineEntity>,
  'position' | 'previousHash' | 'hash' | 'salt' | 'personalDigest'
>;
