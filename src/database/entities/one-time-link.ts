import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId, UserId } from '../../domain/ids.ts';
import type { Role } from '../../domain/role.ts';

/** `SIGN_IN` lets in at once, `INVITE` makes somebody a member, `RESET` gives another password. */
export const LINK_KINDS = ['SIGN_IN', 'INVITE', 'RESET'] as const;

export type LinkKind = (typeof LINK_KINDS)[number];

/** A link that lets one person in once. Its address holds a random token, of which the hash is kept. */
export const OneTimeLinkEntity = defineEntity({
  name: 'OneTimeLink',
  tableName: 'one_time_links',
  properties: {
    tokenHash: p.text().primary(),
    kind: p.text().$type<LinkKind>(),
    userId: p.text().$type<UserId>(),
    /** Of an invitation: the store, and what one is to it then. */
    storeId: p.text().$type<StoreId>().strictNullable(),
    role: p.text().$type<Role>().strictNullable(),
    /** Of an invitation: who has made it; null where it was the command line, or before this was kept. */
    inviterId: p.text().$type<UserId>().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    usedAt: p.datetime().strictNullable(),
  },
});
export type OneTimeLink = InferEntity<typeof OneTimeLinkEntity>;
