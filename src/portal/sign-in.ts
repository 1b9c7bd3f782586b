import { emailHashOf } from '../customers/email-hash.ts';
import type { Customer } from '../database/entities/customer.ts';
import { PayerSignInEntity } from '../database/entities/payer-sign-in.ts';
import type { Database, Em } from '../database/orm.ts';
import { newToken } from '../identity/token.ts';
import { codeRequest, type EnteredCode, newCode, type RefusedCode, startSession, tryCode } from './codes.ts';

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
  const token = newToken();
  const { id, email, devMode } = customer;
  const isOwn = email !== null && emailHashOf(id, email) === emailHashOf(id, given.email);
  const shownCode = devMode && isOwn ? newCode() : null;
  const asked = { ...given, newEmail: null, shownCode, shownNewEmailCode: null };
  await em.insert(PayerSignInEntity, { ...(await codeRequest(customer, asked)), tokenHash: token.hash });
  return token.text;
}

/** What became of the code of a sign-in. */
export type Entered = { readonly kind: 'SIGNED_IN'; readonly tokenText: string } | RefusedCode;

/** Enters the code of a sign-in. The right one starts a session once, also if it comes twice at the same time. */
export async function enterCode(
  database: Database,
  customer: Pick<Customer, 'id' | 'storeId' | 'devMode' | 'email'>,
  given: EnteredCode,
): Promise<Entered> {
  const tried = await tryCode(database, customer, 'SIGN_IN', given);
  if (tried.kind !== 'RIGHT') return tried;
  const { tokenHash, emailHash } = tried;
  const tokenText = await database.em
    .fork()
    .transactional((em) => startSession(em, tokenHash, customer, emailHash, given.now));
  return tokenText === null ? { kind: 'OVER' } : { kind: 'SIGNED_IN', tokenText };
}
