import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import { ProviderAccountEntity } from '../database/entities/provider-account.ts';
import type { Database } from '../database/orm.ts';
import { unnotedUnreadable } from '../database/provider-listings.ts';
import type { ProviderAccountId } from '../domain/ids.ts';

/**
 * Notes payments and refunds that a provider sent in a form that cannot be read, for a person, once each: they would be as
 * unreadable the next time, and a person who has resolved one is not asked again.
 * @param ids what the provider calls them, or digests.
 */
export async function noteUnreadable(
  { database, log }: { readonly database: Database; readonly log: Logger },
  accountId: ProviderAccountId,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  const subjectIds = ids.map((id) => `${accountId}/${id}`);
  const unnoted = await unnotedUnreadable(database, { subjectIds });
  if (unnoted.length === 0) return;
  const account = await database.em.fork().findOne(ProviderAccountEntity, { id: accountId });
  const storeId = account?.storeId ?? null;
  for (const { subjectId } of unnoted) {
    const noted = {
      kind: 'UNREADABLE_PAYMENT',
      subjectId,
      storeId,
      devMode: false,
      since: now,
      now,
    } as const;
    await noteAttention(database, noted, log);
  }
}
