import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import type { ProviderError } from '../providers/provider-error.ts';
import { HOUR_MS } from './each-account.ts';
import type { AccountListing } from './provider-listings.ts';
import type { SentListing } from './sent-listings.ts';

/** A list that fails for this long needs a person. */
const UNLISTED_FOR_MS = 2 * HOUR_MS;

/**
 * A bank may list payments and refuse the list of sent transfers, for example without its scope. No other check
 * would report that.
 */
export async function noteUnlisted(
  { database, log }: { readonly database: Database; readonly log: Logger },
  { id: subjectId, storeId, createdAt }: AccountListing,
  { sentListedUntil }: SentListing,
  { kind }: ProviderError,
  now: Date,
): Promise<void> {
  const since = sentListedUntil ?? createdAt;
  const isRefused = kind === 'UNAUTHORIZED' || kind === 'INVALID';
  if (!isRefused && now.getTime() - since.getTime() < UNLISTED_FOR_MS) return;
  const subject = { kind: 'SENT_NOT_LISTED', subjectId } as const;
  await noteAttention(database, { ...subject, storeId, devMode: false, since, now }, log);
}
