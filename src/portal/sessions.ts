import { emailHashOf } from '../customers/email-hash.ts';
import type { Customer } from '../database/entities/customer.ts';
import { BROWSER_KNOWN_DAYS, PayerSessionEntity } from '../database/entities/payer-session.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CustomerId } from '../domain/ids.ts';
import { tokenHashOf } from '../identity/token.ts';

/** A customer whose e-mail address the reader has proven. */
export interface ProvenCustomer extends Customer {
  readonly email: string;
}

/**
 * The customer, if the token's session is one of theirs: read on each request, so that an ended session, a deleted customer and
 * another address of the customer end its access at once. Null otherwise.
 */
export async function provenCustomer(
  em: Em,
  tokenText: string | undefined,
  customer: Customer,
  now: Date,
): Promise<ProvenCustomer | null> {
  const tokenHash = tokenHashOf(tokenText);
  const { id: customerId, storeId, devMode, email } = customer;
  if (tokenHash === null || email === null) return null;
  const emailHash = emailHashOf(customerId, email);
  const own = { tokenHash, customerId, storeId, devMode, emailHash, expiresAt: { $gt: now } };
  return (await em.count(PayerSessionEntity, own)) === 0 ? null : { ...customer, email };
}

const HOLD = statement<
  { tokenHash: string; customerId: CustomerId; email: string; emailHash: string; now: Date },
  { readonly one: number }
>(
  'hold the session of a payer',
  () => `
  select 1 as one from payer_sessions session join customers customer on customer.id = session.customer_id
  where session.token_hash = :tokenHash and session.customer_id = :customerId and session.email_hash = :emailHash
    and session.expires_at > :now and customer.email = :email and customer.deleted_at is null
  for share of session`,
);

/**
 * Locks a customer's session in the transaction of one of their actions. It cannot end until the commit. It may have ended since the
 * request began, because a browser can send a form for a minute.
 * @returns false if it has ended, or the customer has another address now.
 */
export async function holdPayerSession(
  em: Em,
  tokenText: string | undefined,
  { id: customerId, email }: ProvenCustomer,
  now: Date,
): Promise<boolean> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return false;
  const emailHash = emailHashOf(customerId, email);
  return (await HOLD(em, { tokenHash, customerId, email, emailHash, now })).length > 0;
}

/**
 * Whether the browser of a token, also of an ended session, has proven this address of the customer before. That gives it an allowance
 * of codes that no stranger can use up, and nothing else.
 * @returns a text that names the browser; null if it has not.
 */
export async function knownBrowser(
  em: Em,
  tokenText: string | undefined,
  proven: { readonly customerId: CustomerId; readonly email: string; readonly now: Date },
): Promise<string | null> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return null;
  const { customerId, email, now } = proven;
  const since = new Date(now.getTime() - BROWSER_KNOWN_DAYS * 24 * 60 * 60_000);
  const own = { tokenHash, customerId, emailHash: emailHashOf(customerId, email), createdAt: { $gt: since } };
  return (await em.count(PayerSessionEntity, own)) === 0 ? null : tokenHash;
}

/** Ends the session of a token. Its browser stays known. */
export async function endPayerSession(em: Em, tokenText: string | undefined, now: Date): Promise<void> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) return;
  await em.nativeUpdate(PayerSessionEntity, { tokenHash, expiresAt: { $gt: now } }, { expiresAt: now });
}
