import type { Em } from '../database/orm.ts';
import type { CustomerId } from '../domain/ids.ts';
import { recipientOf } from '../reminders/unsubscribe.ts';

/** An address that may be reminded, and the page that ends reminders to it. */
interface Reader {
  readonly address: string;
  readonly unsubscribePath: string;
}

/** The reader of a reminder; null if there is no address, or its reader wants no reminders. */
export async function readerOf(
  em: Em,
  customerId: CustomerId | null,
  address: string | null,
  now: Date,
): Promise<Reader | null> {
  if (address === null || customerId === null) return null;
  const { token, unsubscribedAt } = await recipientOf(em, customerId, address, now);
  return unsubscribedAt === null ? { address, unsubscribePath: `/unsubscribe/${token}` } : null;
}

/** The headers for which mail programs show a button (RFC 8058). */
export function unsubscribeHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
