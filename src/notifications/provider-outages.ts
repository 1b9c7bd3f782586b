import type { Logger } from 'pino';
import { type AttentionSubject, noteAttention, resolveAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import type { ProviderError } from '../providers/provider-error.ts';
import { type AccountListing, noteAnswered, noteUnanswered } from './provider-listings.ts';

/** Banks have outages of minutes, and longer ones at night, which need no person. */
const AWAY_AFTER_MS = 30 * 60_000;

type Asked = Pick<AccountListing, 'id' | 'storeId'>;

/**
 * The provider of an account did not answer, or refused. If it rejects our credentials, a person is asked at once,
 * as that does not pass by itself; after an outage of half an hour, too.
 */
export async function noteOutage(
  database: Database,
  { id, storeId }: Asked,
  error: ProviderError,
  now: Date,
  log: Logger,
): Promise<void> {
  const [{ since } = { since: now }] = await noteUnanswered(database, { id, now });
  const isRefused = error.kind === 'UNAUTHORIZED';
  if (!isRefused && now.getTime() - since.getTime() < AWAY_AFTER_MS) return;
  const kind = isRefused ? 'PROVIDER_REFUSES' : 'PROVIDER_AWAY';
  await noteAttention(database, { kind, subjectId: id, storeId, devMode: false, since, now }, log);
  const other = isRefused ? 'PROVIDER_AWAY' : 'PROVIDER_REFUSES';
  await resolveAttention(database, { kind: other, subjectId: id, now });
}

/** The provider of an account answers again: closes its notes. */
export async function endOutage(database: Database, { id: subjectId }: Asked, now: Date): Promise<void> {
  const ended = await noteAnswered(database, { id: subjectId });
  if (ended.length === 0) return;
  const kinds: readonly AttentionSubject['kind'][] = ['PROVIDER_AWAY', 'PROVIDER_REFUSES'];
  for (const kind of kinds) await resolveAttention(database, { kind, subjectId, now });
}
