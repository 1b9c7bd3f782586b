import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';

/** `SIGN_IN` signs a person in, `INVITE` makes them a member, `RESET` sets a new password. */
export const LINK_KINDS = ['SIGN_IN', 'INVITE', 'RESET'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/** A single-use link for one person. Its address contains a random token; only the token's hash is stored. */
export const OneTimeLinkEntity = defineEntity({
  name: 'OneTimeLink',
  tableName: 'one_time_links',
  properties: {
    tokenHash: p.text().primary(),
    kind: p.text().$type<LinkKind>(),
    userId: p.text().$type<UserId>(),
    /** For an invitation: the store; `role` is the future role. */
    storeId: p.text().$type<StoreId>().strictNullable(),
    role: p.text().$type<Role>().strictNullable(),
    /** For an invitation: the person who sent it; null for the command line, and in older rows. */
    inviterId: p.text().$type<UserId>().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().strictNullable(),
  },
});
export type OneTimeLink = InferEntity<typeof OneTimeLinkEntity>;
