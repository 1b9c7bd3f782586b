import { Secret, TOTP } from 'otpauth';
import { type User, UserEntity } from '../database/entities/user.ts';
import type { Em } from '../database/orm.ts';
import type { UserId } from '../domain/ids.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';
import {
  endRecoveryCodes,
  isRecoveryCode,
  replaceRecoveryCodes,
  takeRecoveryCode,
} from './recovery-codes.ts';

/** The parameters every authenticator app supports (RFC 6238): six digits of SHA-1, a new code every 30 seconds. */
const PERIOD_SECONDS = 30;
/** Phones' clocks are off by some seconds, so the previous and the next code are accepted too. */
const WINDOW = 1;

/**
 * Starts to set up a second factor, or starts over with a new secret. No code is required until one has confirmed the secret.
 */
export async function beginSecondFactor(em: Em, id: UserId, keys: SecretsKeys, now: Date): Promise<void> {
  const { secret, secretKeyId } = keys.encrypt(new Secret({ size: 20 }).base32, id);
  const change = { totpSecret: secret, totpSecretKeyId: secretKeyId, updatedAt: now };
  await em.nativeUpdate(UserEntity, { id, totpConfirmedAt: null }, change);
}

/** The content of the QR code for an authenticator app; null if no setup was started. */
export function enrolmentUri(user: User, keys: SecretsKeys): string | null {
  return totpOf(user, keys)?.toString() ?? null;
}

/**
 * Requires codes from now on, if `code` proves that the app has the secret. @returns the recovery codes, shown only now; null if
 * the code is wrong.
 */
export async function confirmSecondFactor(
  em: Em,
  user: User,
  code: string,
  keys: SecretsKeys,
  now: Date,
): Promise<readonly string[] | null> {
  if (user.totpConfirmedAt !== null || !(await takeCode(em, user, code, keys, now))) return null;
  await em.nativeUpdate(
    UserEntity,
    { id: user.id },
    { totpConfirmedAt: now, secondFactorChangedAt: now, updatedAt: now },
  );
  return replaceRecoveryCodes(em, user.id);
}

/** Switches the second factor off and deletes its secret. */
export async function endSecondFactor(em: Em, id: UserId, now: Date): Promise<void> {
  const none = { totpSecret: null, totpSecretKeyId: null, totpConfirmedAt: null, totpLastStep: null };
  await em.nativeUpdate(UserEntity, { id }, { ...none, secondFactorChangedAt: now, updatedAt: now });
  await endRecoveryCodes(em, id);
}

/** Whether this is the current code or a recovery code. Each code is accepted once, also if two requests race. */
export async function takeCode(
  em: Em,
  user: User,
  text: string,
  keys: SecretsKeys,
  now: Date,
): Promise<boolean> {
  const code = text.replace(/[\s-]/g, '').toLowerCase();
  if (isRecoveryCode(code)) return takeRecoveryCode(em, user.id, code, now);
  const off = totpOf(user, keys)?.validate({ token: code, timestamp: now.getTime(), window: WINDOW }) ?? null;
  if (off === null) return false;
  const step = Math.floor(now.getTime() / 1_000 / PERIOD_SECONDS) + off;
  const untaken = { id: user.id, $or: [{ totpLastStep: null }, { totpLastStep: { $lt: step } }] };
  return (await em.nativeUpdate(UserEntity, untaken, { totpLastStep: step })) === 1;
}

function totpOf(user: User, keys: SecretsKeys): TOTP | null {
  const { id, email, totpSecret: secret, totpSecretKeyId: secretKeyId } = user;
  if (secret === null) return null;
  const base32 = keys.decrypt({ secret, secretKeyId }, id);
  return new TOTP({
    issuer: 'Recebe',
    label: email,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(base32),
  });
}
