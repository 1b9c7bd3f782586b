import type { Customer } from '../database/entities/customer.ts';
import { PayerSessionEntity } from '../database/entities/payer-session.ts';
import type { Em } from '../database/orm.ts';
import { tokenHashOf } from '../identity/token.ts';
import { emailHashOf } from './email-hash.ts';

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

/** Ends the session of a token. */
export async function endPayerSession(em: Em, tokenText: string | undefined): Promise<void> {
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash !== null) await em.nativeDelete(PayerSessionEntity, { tokenHash });
}
