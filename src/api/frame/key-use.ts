import type { Logger } from 'pino';
import type { Database } from '../../database/orm.ts';
import type { ApiKeyId } from '../../domain/ids.ts';

/** `lastUsedAt` is for a person who asks "is this key still in use?"; a minute is exact enough. */
const INTERVAL_MS = 60_000;

/** Keeps `lastUsedAt` of API keys up to date, at most once a minute per key and process. */
export interface KeyUse {
  /** Returns at once and never fails: the write happens beside the request. */
  record(keyId: ApiKeyId): void;
}

/** @returns a recorder with the memory of one process. Its memory is bounded by the number of keys in use. */
export function keyUseRecorder(database: Database, clock: () => Date, log: Logger): KeyUse {
  const writtenAt = new Map<ApiKeyId, number>();
  return {
    record(keyId) {
      const now = clock();
      const last = writtenAt.get(keyId);
      if (last !== undefined && Math.abs(now.getTime() - last) < INTERVAL_MS) return;
      writtenAt.set(keyId, now.getTime());
      database.em
        .fork()
        .execute(
          'update api_keys set last_used_at = greatest(last_used_at, :now) where id = :keyId',
          { now, keyId },
          'run',
        )
        .catch((error: unknown) => log.warn({ err: error, keyId }, 'last use of a key was not recorded'));
    },
  };
}
