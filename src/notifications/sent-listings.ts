import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ProviderAccountId } from '../domain/ids.ts';

/** How far the sent Pix of an account have been listed. */
export interface SentListing {
  /** Everything sent before is handled; null before the first round. */
  readonly sentListedUntil: Date | null;
  /** The end of the last day up to which everything was checked again for returns. */
  readonly sentDaysListedUntil: Date | null;
}

const READ = statement<{ id: ProviderAccountId }, SentListing>(
  'how far sent Pix are listed',
  () => `
  select sent_listed_until as "sentListedUntil", sent_days_listed_until as "sentDaysListedUntil"
  from provider_account_listings where account_id = :id`,
);

export async function sentListingOf(database: Database, id: ProviderAccountId): Promise<SentListing> {
  const [listing = { sentListedUntil: null, sentDaysListedUntil: null }] = await READ(database, { id });
  return listing;
}

/** Never moves back; null leaves it unchanged. */
export const noteSentListed = statement<{ id: ProviderAccountId } & SentListing>(
  'note how far sent Pix are listed',
  () => `
  insert into provider_account_listings as listing (account_id, sent_listed_until, sent_days_listed_until)
  values (:id, :sentListedUntil, :sentDaysListedUntil)
  on conflict (account_id) do update set
    sent_listed_until = greatest(listing.sent_listed_until, excluded.sent_listed_until),
    sent_days_listed_until = greatest(listing.sent_days_listed_until, excluded.sent_days_listed_until)`,
);

/**
 * The transfers that Recebe did not order and that have no note, open or resolved.
 * @param payoutIds for each transfer, the payout with the same id and other content: empty if there is none. A
 *   person may have seen such a transfer as a PAYOUT_MISMATCH.
 */
export const unnotedTransfers = statement<
  { subjectIds: readonly string[]; payoutIds: readonly string[] },
  { subjectId: string }
>(
  'unknown transfers that are not noted',
  () => `
  select distinct listed.subject_id as "subjectId"
  from unnest(:subjectIds::text[], :payoutIds::text[]) listed (subject_id, payout_id)
  where not exists (
      select from attention where kind = 'UNKNOWN_TRANSFER' and attention.subject_id = listed.subject_id)
    and not exists (
      select from attention where kind = 'PAYOUT_MISMATCH' and attention.subject_id = listed.payout_id)`,
);
