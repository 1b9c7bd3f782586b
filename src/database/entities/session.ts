import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { SessionId, UserId } from '../../domain/ids.ts';

/** A browser that has signed in. Its cookie holds a random token, of which the hash is kept. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.text().$type<SessionId>().primary(),
    /** SHA-256 of the token, lower-case hex; unique. */
    tokenHash: p.text(),
    userId: p.text().$type<UserId>(),
    /** Whether the password was right and the code of the second factor has not come yet: it lets nobody in. */
    awaitsCode: p.boolean(),
    createdAt: p.datetime(),
    /** Exact to a few minutes. */
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime(),
    /** Where it was begun from, shortened, and by which browser: for its owner to know it by. */
    address: p.text(),
    userAgent: p.text(),
  },
});
export type Session = InferEntity<typeof SessionEntity>;
