import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CustomerId } from '../domain/ids.ts';

const END_ALL = statement<{ customerId: CustomerId; now: Date }>(
  'end the sessions of a payer',
  () => 'update payer_sessions set expires_at = :now where customer_id = :customerId and expires_at > :now',
);

/**
 * Ends all sessions of a customer whose address changes, in the caller's transaction: one of an earlier address must not return with
 * that address. Their browsers stay known.
 */
export async function endPayerSessions(em: Em, customerId: CustomerId, now: Date): Promise<void> {
  await END_ALL(em, { customerId, now });
}
