import type { Logger } from 'pino';
import { noteAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ProviderAccountId, StoreId } from '../domain/ids.ts';

/** Banks take days to issue a new certificate. */
const NOTICE_MS = 30 * 24 * 60 * 60 * 1_000;

const ENDING = statement<{ before: Date }, { id: ProviderAccountId; storeId: StoreId }>(
  'accounts whose certificate ends',
  () => `
  select id, store_id as "storeId" from provider_accounts
  where certificate_ends_at < :before and removed_at is null`,
);

/** Notes accounts whose certificate expires within thirty days; a repeated call notes and logs each once. */
export async function noteEndingCertificates(database: Database, now: Date, log: Logger): Promise<void> {
  for (const { id, storeId } of await ENDING(database, {
    before: new Date(now.getTime() + NOTICE_MS),
  })) {
    const noted = {
      kind: 'CERTIFICATE_ENDS',
      subjectId: id,
      storeId,
      devMode: false,
      since: now,
      now,
    } as const;
    await noteAttention(database, noted, log);
  }
}
