import { randomInt } from 'node:crypto';
import { emailHashOf } from '../customers/email-hash.ts';
import type { Customer } from '../database/entities/customer.ts';
import { PayerSessionEntity } from '../database/entities/payer-session.ts';
import { type PayerSignIn, PayerSignInEntity } from '../database/entities/payer-sign-in.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CustomerId, StoreId } from '../domain/ids.ts';
import { hashPassword, isPassword } from '../identity/password.ts';
import { newToken, tokenHashOf } from '../identity/token.ts';

const MINUTE_MS = 60_000;
/** A code can be entered for ten minutes after it was requested. */
export const CODE_MINUTES = 10;
/** As often as a code can be entered, right or wrong. The table's constraint says the same. */
export const MOST_TRIES = 5;
/** A payer's session ends after an hour, used or not. */
export const SESSION_MINUTES = 60;

const CODE = /^\d{6}$/;

/** Six digits, all equally likely. */
export function newCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

/** The stored form of a code. Argon2 makes trying all million codes take hours, when a code lives for minutes. */
export function codeHashOf(code: string): Promise<string> {
  return hashPassword(code);
}

/** What a payer asks a code for. */
interface RequestedCode {
  /** The address of the customer that the code proves. */
  readonly email: string;
  /** The address that is to replace it; null for a sign-in. */
  readonly newEmail: string | null;
  /** The codes that dev mode shows; null in production, where the worker mints them. */
  readonly shownCode: string | null;
  readonly shownNewEmailCode: string | null;
  readonly language: string;
  readonly now: Date;
}

/** A request for a code, without the hash of its token. */
export async function codeRequest(
  { id: customerId, storeId, devMode }: Pick<Customer, 'id' | 'storeId' | 'devMode'>,
  { email, now, ...asked }: RequestedCode,
) {
  const { shownCode, shownNewEmailCode } = asked;
  return {
    ...{ storeId, devMode, customerId, ...asked },
    emailHash: emailHashOf(customerId, email),
    codeHash: shownCode && (await codeHashOf(shownCode)),
    newEmailCodeHash: shownNewEmailCode && (await codeHashOf(shownNewEmailCode)),
    tries: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + CODE_MINUTES * MINUTE_MS),
    usedAt: null,
    attempts: 0,
    nextAttemptAt: devMode ? null : now,
  };
}

/** What the code is for. A code for one is wrong for the other. */
export type CodePurpose = 'SIGN_IN' | 'NEW_EMAIL';

/** The request of a browser for a code of this customer, if the code can still be entered. */
export async function findSignIn(
  em: Em,
  tokenText: string | undefined,
  customerId: CustomerId,
  purpose: CodePurpose,
  now: Date,
): Promise<PayerSignIn | null> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return null;
  const newEmail = purpose === 'SIGN_IN' ? null : { $ne: null };
  const open = { tokenHash, customerId, newEmail, usedAt: null, expiresAt: { $gt: now } };
  return em.findOne(PayerSignInEntity, open, { disableIdentityMap: true });
}

type Tried = Pick<PayerSignIn, 'codeHash' | 'newEmailCodeHash' | 'emailHash' | 'newEmail' | 'tries'>;

/** Counts before anything is compared, so parallel guesses get no more tries. Returns no row if none is left. */
const TRY = statement<
  { tokenHash: string; customerId: CustomerId; isSignIn: boolean; most: number; now: Date },
  Tried
>(
  'try a code of the portal',
  () => `
  update payer_sign_ins set tries = tries + 1
  where token_hash = :tokenHash and customer_id = :customerId and (new_email is null) = :isSignIn::boolean
    and tries < :most::int and used_at is null and expires_at > :now
  returning code_hash as "codeHash", new_email_code_hash as "newEmailCodeHash", email_hash as "emailHash",
    new_email as "newEmail", tries`,
);

/** A code that was right. It is used up by {@link startSession}. */
export interface ProvenCode {
  readonly tokenHash: string;
  /** Of the customer's present address. */
  readonly emailHash: string;
  /** The address that is to replace it; null for a sign-in. */
  readonly newEmail: string | null;
}

/** Why a code was refused. */
export type RefusedCode =
  | { readonly kind: 'WRONG'; readonly triesLeft: number }
  /** Too many tries, or too late: another code is needed. */
  | { readonly kind: 'OVER' };

/** What somebody has entered. */
export interface EnteredCode {
  readonly tokenText: string | undefined;
  /** The code that was mailed to the customer's present address. */
  readonly code: string;
  /** The code that was mailed to the new address; left out for a sign-in. */
  readonly newEmailCode?: string;
  readonly now: Date;
}

/**
 * Counts a try and compares. An address that is not the customer's has no right code, and takes as long.
 * @param purpose a code for the other one is wrong.
 */
export async function tryCode(
  database: Database,
  customer: Pick<Customer, 'id' | 'email'>,
  purpose: CodePurpose,
  { tokenText, code, newEmailCode = '', now }: EnteredCode,
): Promise<({ readonly kind: 'RIGHT' } & ProvenCode) | RefusedCode> {
  const { id: customerId, email } = customer;
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return { kind: 'OVER' };
  const isSignIn = purpose === 'SIGN_IN';
  const [tried] = await TRY(database, { tokenHash, customerId, isSignIn, most: MOST_TRIES, now });
  if (tried === undefined) return { kind: 'OVER' };
  const { codeHash, newEmailCodeHash, emailHash, newEmail, tries } = tried;
  const isRight =
    (await isCode(codeHash, code)) && (isSignIn || (await isCode(newEmailCodeHash, newEmailCode)));
  // The merchant, or another page of the customer, may have changed the address since the code was mailed.
  const isStillOwn = email !== null && emailHashOf(customerId, email) === emailHash;
  if (isRight && isStillOwn) return { kind: 'RIGHT', tokenHash, emailHash, newEmail };
  return tries < MOST_TRIES ? { kind: 'WRONG', triesLeft: MOST_TRIES - tries } : { kind: 'OVER' };
}

async function isCode(codeHash: string | null, code: string): Promise<boolean> {
  return (await isPassword(codeHash, code)) && CODE.test(code);
}

/** Uses a code up and starts a session for the address that it has proven. @returns the session's token; null if the code was used meanwhile. */
export async function startSession(
  em: Em,
  signIn: string,
  owner: { readonly id: CustomerId; readonly storeId: StoreId; readonly devMode: boolean },
  emailHash: string,
  now: Date,
): Promise<string | null> {
  const used = { usedAt: now, shownCode: null, nextAttemptAt: null };
  const count = await em.nativeUpdate(PayerSignInEntity, { tokenHash: signIn, usedAt: null }, used);
  if (count === 0) return null;
  const token = newToken();
  await em.insert(PayerSessionEntity, {
    tokenHash: token.hash,
    storeId: owner.storeId,
    devMode: owner.devMode,
    customerId: owner.id,
    emailHash,
    createdAt: now,
    expiresAt: new Date(now.getTime() + SESSION_MINUTES * MINUTE_MS),
  });
  return token.text;
}
