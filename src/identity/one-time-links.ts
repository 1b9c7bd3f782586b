import { type LinkKind, type OneTimeLink, OneTimeLinkEntity } from '../database/entities/one-time-link.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId, UserId } from '../domain/ids.ts';
import type { Role } from '../domain/role.ts';
import { newToken, tokenHashOf } from './token.ts';

const MINUTE_MS = 60_000;

/** How long a link is valid. An invited person may be on holiday; the other links were requested just now. */
export const LINK_LASTS_MS: Readonly<Record<LinkKind, number>> = {
  SIGN_IN: 15 * MINUTE_MS,
  RESET: 60 * MINUTE_MS,
  INVITE: 7 * 24 * 60 * MINUTE_MS,
};

/** The person a link is for, and what it gives access to. */
export type NewLink = { readonly userId: UserId } & (
  | { readonly kind: 'SIGN_IN' | 'RESET' }
  | {
      readonly kind: 'INVITE';
      readonly storeId: StoreId;
      readonly role: Role;
      readonly inviterId: UserId | null;
    }
);

/** Creates a link. @returns its path; only the hash of its token is stored. */
export async function issueLink(em: Em, given: NewLink, now: Date): Promise<string> {
  const token = newToken();
  const { kind, userId } = given;
  // Delete expired links.
  await em.nativeDelete(OneTimeLinkEntity, { userId, expiresAt: { $lt: now } });
  await em.insert(OneTimeLinkEntity, {
    tokenHash: token.hash,
    kind,
    userId,
    storeId: given.kind === 'INVITE' ? given.storeId : null,
    role: given.kind === 'INVITE' ? given.role : null,
    inviterId: given.kind === 'INVITE' ? given.inviterId : null,
    createdAt: now,
    expiresAt: new Date(now.getTime() + LINK_LASTS_MS[kind]),
    usedAt: null,
  });
  return `/dashboard/enter/${token.text}`;
}

/** The link of a token, if it is still valid. */
export async function findLink(em: Em, tokenText: string, now: Date): Promise<OneTimeLink | null> {
  const usable = usableBy(tokenText, now);
  return (
    usable &&
    ((await em.findOne(OneTimeLinkEntity, usable, { disableIdentityMap: true })) as OneTimeLink | null)
  );
}

/**
 * Uses a link up, in the transaction of the action it allows. Only one of two concurrent uses succeeds.
 * @returns false if it is used or expired.
 */
export async function useLink(em: Em, tokenText: string, now: Date): Promise<boolean> {
  const usable = usableBy(tokenText, now);
  return usable !== null && (await em.nativeUpdate(OneTimeLinkEntity, usable, { usedAt: now })) === 1;
}

/** Ends the links that sign in or reset the password, in the transaction that changes the password. */
export async function endSignInLinks(em: Em, userId: UserId): Promise<void> {
  await em.nativeDelete(OneTimeLinkEntity, { userId, kind: { $in: ['SIGN_IN', 'RESET'] }, usedAt: null });
}

function usableBy(tokenText: string, now: Date) {
  const tokenHash = tokenHashOf(tokenText);
  return tokenHash === null ? null : { tokenHash, usedAt: null, expiresAt: { $gt: now } };
}
