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

/**
 * Begins the sign-in of a payer who typed an address. The same row is written for every address, so neither the answer nor its
 * time shows whether the address is the customer's. In production the worker mints the code and mails it; in dev mode the page
 * shows it.
 * @returns the token for the browser's cookie.
 */
export async function beginSignIn(
  em: Em,
  customer: Customer,
  given: { readonly email: string; readonly language: string; readonly now: Date },
): Promise<string> {
  const { id, email } = customer;
  const isOwn = email !== null && isSameEmail(id, email, given.email);
  return requestCode(em, customer, { ...given, newEmail: null, hasCode: isOwn });
}

/**
 * Begins to prove the address that is to replace the customer's. The caller has checked that its session is the customer's.
 * @returns the token for the browser's cookie.
 */
export function beginEmailChange(
  em: Em,
  customer: Customer,
  given: { readonly email: string; readonly language: string; readonly now: Date },
): Promise<string> {
  return requestCode(em, customer, { ...given, newEmail: given.email, hasCode: true });
}

async function requestCode(
  em: Em,
  { id: customerId, storeId, devMode }: Customer,
  given: {
    readonly email: string;
    readonly newEmail: string | null;
    /** Whether the code that dev mode shows exists. */
    readonly hasCode: boolean;
    readonly language: string;
    readonly now: Date;
  },
): Promise<string> {
  const token = newToken();
  const shownCode = devMode && given.hasCode ? newCode() : null;
  await em.insert(PayerSignInEntity, {
    tokenHash: token.hash,
    storeId,
    devMode,
    customerId,
    emailHash: emailHashOf(customerId, given.email),
    newEmail: given.newEmail,
    language: given.language,
    codeHash: shownCode === null ? null : await codeHashOf(shownCode),
    shownCode,
    tries: 0,
    createdAt: given.now,
    expiresAt: new Date(given.now.getTime() + CODE_MINUTES * MINUTE_MS),
    usedAt: null,
    attempts: 0,
    nextAttemptAt: devMode ? null : given.now,
  });
  return token.text;
}

function isSameEmail(customerId: CustomerId, own: string, typed: string): boolean {
  return emailHashOf(customerId, own) === emailHashOf(customerId, typed);
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

type Tried = Pick<PayerSignIn, 'codeHash' | 'emailHash' | 'newEmail' | 'tries'>;

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
  returning code_hash as "codeHash", email_hash as "emailHash", new_email as "newEmail", tries`,
);

/** A code that was right. It is used up by {@link startSession}. */
export interface ProvenCode {
  readonly tokenHash: string;
  readonly emailHash: string;
  /** The address that it proves for the customer; null for a sign-in. */
  readonly newEmail: string | null;
  /** Tries so far, this one included. */
  readonly tries: number;
}

/** Why a code was refused. */
export type RefusedCode =
  | { readonly kind: 'WRONG'; readonly triesLeft: number }
  /** Too many tries, or too late: another code is needed. */
  | { readonly kind: 'OVER' };

/** What became of an entered code. */
export type Entered = { readonly kind: 'SIGNED_IN'; readonly tokenText: string } | RefusedCode;

interface EnteredCode {
  readonly tokenText: string | undefined;
  readonly code: string;
  readonly now: Date;
}

/** Counts a try and compares the code. @param purpose the code of another one is wrong. */
export async function tryCode(
  database: Database,
  customerId: CustomerId,
  purpose: CodePurpose,
  { tokenText, code, now }: EnteredCode,
): Promise<({ readonly kind: 'RIGHT' } & ProvenCode) | RefusedCode> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return { kind: 'OVER' };
  const isSignIn = purpose === 'SIGN_IN';
  const [tried] = await TRY(database, { tokenHash, customerId, isSignIn, most: MOST_TRIES, now });
  if (tried === undefined) return { kind: 'OVER' };
  const isRight = (await isPassword(tried.codeHash, code)) && CODE.test(code);
  if (isRight) return { kind: 'RIGHT', tokenHash, ...tried };
  return refusedAfter(tried.tries);
}

function refusedAfter(tries: number): RefusedCode {
  return tries < MOST_TRIES ? { kind: 'WRONG', triesLeft: MOST_TRIES - tries } : { kind: 'OVER' };
}

/**
 * Enters a code. The right one starts a session once, also if it comes twice at the same time. An address that is not the
 * customer's has no right code, and takes as long.
 */
export async function enterCode(
  database: Database,
  customer: Pick<Customer, 'id' | 'storeId' | 'devMode' | 'email'>,
  given: EnteredCode,
): Promise<Entered> {
  const tried = await tryCode(database, customer.id, 'SIGN_IN', given);
  if (tried.kind !== 'RIGHT') return tried;
  const { tokenHash, emailHash, tries } = tried;
  // The merchant may have changed the address since the code was mailed.
  const isStillOwn = customer.email !== null && emailHashOf(customer.id, customer.email) === emailHash;
  if (!isStillOwn) return refusedAfter(tries);
  const tokenText = await database.em
    .fork()
    .transactional((em) => startSession(em, tokenHash, customer, emailHash, given.now));
  return tokenText === null ? { kind: 'OVER' } : { kind: 'SIGNED_IN', tokenText };
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
