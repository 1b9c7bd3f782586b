import { randomBytes } from 'node:crypto';
import { emailHashOf } from '../customers/email-hash.ts';
import { ReminderRecipientEntity } from '../database/entities/reminder-recipient.ts';
import type { Database, Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CustomerId } from '../domain/ids.ts';

const TOKEN_BYTES = 24;

/** An address of a customer, as reminders know it. */
export interface Recipient {
  readonly token: string;
  readonly unsubscribedAt: Date | null;
}

const KEEP = statement<{ customerId: CustomerId; emailHash: string; token: string; now: Date }, Recipient>(
  'keep a recipient of reminders',
  () => `
  insert into reminder_recipients as kept (customer_id, email_hash, token, created_at)
  values (:customerId, :emailHash, :token, :now)
  on conflict (customer_id, email_hash) do update set token = kept.token
  returning token, unsubscribed_at as "unsubscribedAt"`,
);

/** The address with the token of its link, which stays the same. The address itself is not stored. */
export async function recipientOf(
  em: Em,
  customerId: CustomerId,
  email: string,
  now: Date,
): Promise<Recipient> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const [kept] = await KEEP(em, { customerId, emailHash: emailHashOf(customerId, email), token, now });
  if (kept === undefined) throw new Error('an upsert has returned no row');
  return kept;
}

const UNSUBSCRIBE = statement<{ token: string; now: Date }>(
  'end reminders to an address',
  () => `
  update reminder_recipients set unsubscribed_at = :now where token = :token and unsubscribed_at is null`,
);

/** Ends reminders to the address of a token. An unknown token changes nothing, and nobody learns that. */
export async function unsubscribe(database: Database, token: string, now: Date): Promise<void> {
  await UNSUBSCRIBE(database, { token, now });
}

/** Whether nobody has ended reminders to an address of a customer. */
export async function wantsReminders(em: Em, customerId: CustomerId, email: string): Promise<boolean> {
  const ended = { customerId, emailHash: emailHashOf(customerId, email), unsubscribedAt: { $ne: null } };
  return (await em.count(ReminderRecipientEntity, ended)) === 0;
}

const CHOOSE = statement<{ customerId: CustomerId; emailHash: string; wants: boolean; now: Date }>(
  'choose whether an address gets reminders',
  () => `
  update reminder_recipients set unsubscribed_at = case when :wants::boolean then null else coalesce(unsubscribed_at, :now::timestamptz) end
  where customer_id = :customerId and email_hash = :emailHash`,
);

/** Ends reminders to an address of a customer, as its link does, or begins them again. For a customer who has proven the address. */
export async function chooseReminders(
  em: Em,
  { id, email }: { readonly id: CustomerId; readonly email: string },
  wants: boolean,
  now: Date,
): Promise<void> {
  await recipientOf(em, id, email, now);
  await CHOOSE(em, { customerId: id, emailHash: emailHashOf(id, email), wants, now });
}
