import type { Logger } from 'pino';
import { type AttentionSubject, noteAttention, resolveAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import { type AccountListing, noteAnswered, noteUnanswered } from '../database/provider-listings.ts';
import type { ProviderError } from '../providers/provider-error.ts';

/** Banks are away for minutes now and then, at night for longer, and nobody need get up for it. */
const AWAY_AFTER_MS = 30 * 60_000;

type Asked = Pick<AccountListing, 'id' | 'storeId'>;

/**
 * The provider of an account did not answer, or not what was asked for. A person is asked for at once where it does not know
 * us, as that does not pass by itself, and after half an hour where it is away.
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

/** The provider of an account answers: what was noted of it is closed. */
export async function endOutage(database: Database, { id: subjectId }: Asked, now: Date): Promise<void> {
  const ended = await noteAnswered(database, { id: subjectId });
  if (ended.length === 0) return;
  const kinds: readonly AttentionSubject['kind'][] = ['PROVIDER_AWAY', 'PROVIDER_REFUSES'];
  for (const kind of kinds) await resolveAttention(database, { kind, subjectId, now });
}
