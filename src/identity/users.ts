import { z } from 'zod';
import { type User, UserEntity } from '../database/entities/user.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Em } from '../database/orm.ts';
import type { UserId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { endSignInLinks } from './links.ts';
import { isPassword } from './password.ts';

const EMAIL = z.email().max(254);

/** An e-mail address as users are found by it; null where it is none. */
export function normalEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return EMAIL.safeParse(email).success ? email : null;
}

/** The person with this address, who is made where there is none yet: without a password, they cannot sign in. */
export async function userOf(em: Em, email: string, now: Date): Promise<User> {
  const user: User = {
    id: mintId<UserId>('user', now),
    email,
    name: '',
    passwordHash: null,
    totpSecret: null,
    totpSecretKeyId: null,
    totpConfirmedAt: null,
    totpLastStep: null,
    createdAt: now,
    updatedAt: now,
  };
  await insertNew(em, UserEntity, user);
  return em.findOneOrFail(UserEntity, { email }, { disableIdentityMap: true }) as Promise<User>;
}

/**
 * Whose address and password these are. An address that nobody has takes as long as a wrong password, and reads the
 * same.
 */
export async function userBy(em: Em, email: string, password: string): Promise<User | null> {
  const user = (await em.findOne(
    UserEntity,
    { email: email.trim().toLowerCase() },
    { disableIdentityMap: true },
  )) as User | null;
  return (await isPassword(user?.passwordHash ?? null, password)) ? user : null;
}

/**
 * Holds a person until the transaction ends, so that links of theirs are used, made and revoked one after the other.
 * Who locks a store's memberships as well does so before.
 */
export async function lockUser(em: Em, userId: UserId): Promise<void> {
  await em.execute('select 1 from users where id = :userId for no key update', { userId });
}

/** Gives somebody another password. Links by which they could sign in or choose one end. */
export async function setPassword(em: Em, id: UserId, passwordHash: string, now: Date): Promise<void> {
  await em.nativeUpdate(UserEntity, { id }, { passwordHash, updatedAt: now });
  await endSignInLinks(em, id);
}
