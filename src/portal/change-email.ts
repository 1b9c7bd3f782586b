import { emailHashOf } from '../customers/email-hash.ts';
import { endPayerSessions } from '../customers/end-payer-sessions.ts';
import { CustomerEntity } from '../database/entities/customer.ts';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import { PayerSignInEntity } from '../database/entities/payer-sign-in.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CustomerId } from '../domain/ids.ts';
import { writeCustomerUpdated } from '../events/write-customer-updated.ts';
import { newToken, tokenHashOf } from '../identity/token.ts';
import { codeRequest, newCode, type ProvenCode, startSession } from './codes.ts';
import type { ProvenCustomer } from './sessions.ts';

/**
 * Begins the change of a customer's address: a code to the present address, and one to the new one. The same form of the same session
 * begins it once.
 * @param given.tokenText the secret of the browser's cookie, derived from session and form.
 */
export async function beginEmailChange(
  em: Em,
  customer: ProvenCustomer,
  given: {
    readonly newEmail: string;
    readonly tokenText: string;
    readonly language: string;
    readonly now: Date;
  },
): Promise<void> {
  const { email, devMode } = customer;
  const { newEmail, tokenText, language, now } = given;
  const tokenHash = tokenHashOf(tokenText);
  if (tokenHash === null) throw new Error('the secret of a cookie is no token');
  const [shownCode, shownNewEmailCode] = devMode ? [newCode(), newCode()] : [null, null];
  const asked = { email, newEmail, shownCode, shownNewEmailCode, language, now };
  const row = { ...(await codeRequest(customer, asked)), tokenHash };
  await em.upsert(PayerSignInEntity, row, { onConflictFields: ['tokenHash'], onConflictAction: 'ignore' });
}

/** Payments that carry an earlier address stay the customer's: the earlier ones of the old address now lead to the new one. */
const KEEP_EARLIER = statement<{ customerId: CustomerId; before: string; after: string; now: Date }>(
  'keep an earlier address of a customer',
  () => `
  with led as (
    update earlier_emails set followed_by = lower(:after)
    where customer_id = :customerId and followed_by = lower(:before) and email <> lower(:before)
  )
  insert into earlier_emails (customer_id, email, followed_by, changed_at)
  values (:customerId, lower(:before), lower(:after), :now)
  on conflict (customer_id, email) do update set followed_by = excluded.followed_by, changed_at = excluded.changed_at`,
);

/** A customer who has ended reminders to the old address gets none at the new one. */
const KEEP_CHOICE = statement<{
  customerId: CustomerId;
  before: string;
  after: string;
  token: string;
  now: Date;
}>(
  'keep the choice of reminders',
  () => `
  insert into reminder_recipients (customer_id, email_hash, token, created_at, unsubscribed_at)
  select customer_id, :after, :token, :now, unsubscribed_at from reminder_recipients
  where customer_id = :customerId and email_hash = :before and unsubscribed_at is not null
  on conflict (customer_id, email_hash) do update set unsubscribed_at = excluded.unsubscribed_at`,
);

/** A change of address, in the caller's transaction that holds the session of the old one. */
export interface ChangedEmail {
  readonly deliveries: readonly DeliveryToStart[];
  /** The token of the session that replaces the present one, which ends with the old address. */
  readonly tokenText: string;
}

/**
 * Changes a customer's address to one that they have proven as they have the present one, with the event and a new session. All other
 * sessions of the customer end. `typedByPayer` stays as it is, because the same person has proven both addresses.
 * @param proven the code that was right; its address is the new one.
 * @returns null if the code was used, or the customer was changed meanwhile: then the caller has to roll back.
 */
export async function changeOwnEmail(
  tx: Em,
  customer: ProvenCustomer,
  proven: ProvenCode & { readonly newEmail: string },
  { now, storeNow }: { readonly now: Date; readonly storeNow: Date },
): Promise<ChangedEmail | null> {
  const { id, email: before } = customer;
  const { newEmail, tokenHash } = proven;
  const held = { id, email: before, deletedAt: null };
  const row = await tx.findOne(CustomerEntity, held, { disableIdentityMap: true });
  if (row === null) return null;
  const change = { email: newEmail, updatedAt: storeNow };
  if ((await tx.nativeUpdate(CustomerEntity, held, change)) === 0) return null;
  await endPayerSessions(tx, id, now);
  const tokenText = await startSession(tx, tokenHash, customer, emailHashOf(id, newEmail), now);
  if (tokenText === null) return null;
  await KEEP_EARLIER(tx, { customerId: id, before, after: newEmail, now });
  const hashes = { before: emailHashOf(id, before), after: emailHashOf(id, newEmail) };
  await KEEP_CHOICE(tx, { customerId: id, ...hashes, token: newToken().text, now });
  const deliveries = await writeCustomerUpdated(tx, row, { ...row, ...change }, 'CUSTOMER', storeNow);
  return { deliveries, tokenText };
}
