import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import { ProviderAccountEntity } from '../database/entities/provider-account.ts';
import type { Database } from '../database/orm.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import { unnotedUnreadable } from './provider-listings.ts';

/**
 * Notes payments and refunds of a provider that cannot be parsed, once each, for a person. They would fail again
 * next time, and a resolved note is not opened again.
 * @param ids the provider's ids, or digests.
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
