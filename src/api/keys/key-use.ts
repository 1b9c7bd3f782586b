import type { Logger } from 'pino';
import type { Database } from '../../database/orm.ts';
import type { ApiKeyId } from '../../domain/ids.ts';

/** `lastUsedAt` shows a person whether a key is still in use; one-minute precision is enough. */
const INTERVAL_MS = 60_000;

/** Keeps `lastUsedAt` of API keys up to date, at most once a minute per key and process. */
export interface KeyUse {
  /** Returns at once and never fails: the write does not delay the request. */
  record(keyId: ApiKeyId): void;
}

/** @returns a recorder for one process. Its memory grows with the number of keys in use. */
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
