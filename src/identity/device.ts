import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MembershipEntity } from '../database/entities/membership.ts';
import type { User } from '../database/entities/user.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';
import { accountsOf } from './users.ts';

/** A browser that is not used for longer is a stranger's again. */
export const DEVICE_SECONDS = 180 * 24 * 60 * 60;

/** A browser in which somebody has given the password of an account, and the code if it has a second factor. */
export interface Device {
  /** Random. Its wrong passwords and codes are counted by it. */
  readonly id: string;
  /** Proves the account, and that neither its password nor its second factor has changed since. */
  readonly proof: string;
}

/** What a device is bound to. A person without a password has none to guess. */
export type DeviceOwner = Pick<User, 'id' | 'passwordHash' | 'secondFactorChangedAt'>;

/**
 * The text of a device cookie (OWASP, "device cookies"): random id, expiry, proof and signature, so nothing in it says whose it is. It
 * signs nobody in: its holder has a few attempts at one account that no stranger can use up. @returns null without a password.
 */
export function newDevice(keys: SecretsKeys, owner: DeviceOwner, now: Date): string | null {
  const { passwordHash } = owner;
  if (passwordHash === null) return null;
  const id = randomBytes(16).toString('base64url');
  const expires = Math.floor(now.getTime() / 1_000) + DEVICE_SECONDS;
  const text = `${id}.${expires}.${proofOf(id, owner, passwordHash)}`;
  return `${text}.${keys.sign(text)}`;
}

const DEVICE = /^(([\w-]{22})\.(\d{1,12})\.([\w-]{43}))\.([\w-]{43})$/;

/** The device of a cookie, without a query; null if this service has not signed it, or it has expired. */
export function readDevice(keys: SecretsKeys, cookie: string | undefined, now: Date): Device | null {
  const [, text = '', id = '', expires = '', proof = '', signature = ''] = DEVICE.exec(cookie ?? '') ?? [];
  if (text === '' || Number(expires) * 1_000 <= now.getTime()) return null;
  return keys.isSigned(text, signature) ? { id, proof } : null;
}

/** Whether the device was given to this person, and nothing has ended it. */
export function isDeviceOf(device: Device | null, owner: DeviceOwner): device is Device {
  if (device === null || owner.passwordHash === null) return false;
  const own = proofOf(device.id, owner, owner.passwordHash);
  return timingSafeEqual(Buffer.from(device.proof), Buffer.from(own));
}

/**
 * The account of this address that the device was given to. @param storeId the store to enter, of which the account must be a member;
 * null if none is named.
 */
export async function deviceUser(
  em: Em,
  device: Device,
  { email, storeId }: { readonly email: string; readonly storeId: string | null },
): Promise<User | null> {
  const user = (await accountsOf(em, email)).find((account) => isDeviceOf(device, account));
  if (user === undefined || storeId === null) return user ?? null;
  const isMember = await em.count(MembershipEntity, { userId: user.id, storeId: storeId as StoreId });
  return isMember > 0 ? user : null;
}

/** The hash of a password has a random salt, so its holder learns nothing of either. A new password, or second factor, ends all proofs. */
function proofOf(
  id: string,
  { id: userId, secondFactorChangedAt }: DeviceOwner,
  passwordHash: string,
): string {
  const bound = `device ${id} ${userId} ${secondFactorChangedAt?.getTime() ?? ''}`;
  return createHmac('sha256', passwordHash).update(bound).digest('base64url');
}
