import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { SessionId, UserId } from '../../domain/ids.ts';

/** A signed-in browser. Its cookie contains a random token; only the token's hash is stored. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.text().$type<SessionId>().primary(),
    /** SHA-256 of the token, lower-case hex; unique. */
    tokenHash: p.text(),
    userId: p.text().$type<UserId>(),
    /** Whether the password was correct and the second factor is still missing: such a session gives no access. */
    awaitsCode: p.boolean(),
    createdAt: p.datetime(),
    /** Exact to a few minutes. */
    lastSeenAt: p.datetime(),
    expiresAt: p.datetime(),
    /** Where it began (shortened), and the browser, so that its owner recognizes it. */
    address: p.text(),
    userAgent: p.text(),
  },
});
export type Session = InferEntity<typeof SessionEntity>;
