import { DeliveryEntity } from '../database/entities/delivery.ts';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { DeliveryStatus } from '../domain/delivery.ts';
import { countAttempt } from '../metrics/counters.ts';
import type { PostResult } from '../outbound/post-result.ts';
import type { DeliveryAttemptInput } from './load-attempt.ts';

const RECORD = statement<
  {
    input: DeliveryAttemptInput;
    result: PostResult;
    now: Date;
    durationMs: number;
    status: DeliveryStatus;
    nextAttemptAt: Date | null;
    finishedAt: Date | null;
  },
  { status: DeliveryStatus }
>(
  'record an attempt',
  () => `
  with attempt as (
    insert into delivery_attempts
      (delivery_id, attempt_key, started_at, duration_ms, status_code, response_excerpt, error)
    values (:input.deliveryId, :input.attemptKey, :now, :durationMs,
      :result.statusCode, :result.responseExcerpt, :result.error)
    on conflict do nothing returning 1
  )
  update deliveries
  set status = :status, next_attempt_at = :nextAttemptAt, finished_at = :finishedAt, attempts = attempts + 1
  where id = :input.deliveryId and exists (select from attempt)
  returning status`,
);

/**
 * Writes the attempt and the delivery's new status in one statement. The first record of an attempt wins: a worker
 * may be stalled until another one makes the attempt in its place. Its late result must not undo later changes.
 * @returns PENDING if another attempt is due.
 */
export async function recordAttempt(
  database: Database,
  input: DeliveryAttemptInput,
  result: PostResult,
): Promise<DeliveryStatus> {
  const now = new Date(input.nowMs);
  const status = statusAfter(result, input.retryDelayMs);
  const durationMs = Math.round(result.durationMs);
  // The run does the same: a pause begins when an attempt has failed, and an endpoint that hangs takes half a
  // minute.
  const failedAtMs = input.nowMs + durationMs;
  const nextAttemptAt = status === 'PENDING' ? new Date(failedAtMs + (input.retryDelayMs ?? 0)) : null;
  const finishedAt = status === 'PENDING' ? null : now;
  const [recorded] = await RECORD(database, {
    input,
    result,
    now,
    durationMs,
    status,
    nextAttemptAt,
    finishedAt,
  });
  if (recorded !== undefined) {
    countAttempt(result, recorded.status);
    return recorded.status;
  }
  // A separate query: the statement did not see the record of another worker that it waited for.
  const delivery = await database.em.fork().findOneOrFail(DeliveryEntity, { id: input.deliveryId });
  return delivery.status;
}

/** The webhook was deleted or disabled before this attempt: nothing is sent, and the delivery ends. */
export async function failDelivery(database: Database, input: DeliveryAttemptInput): Promise<DeliveryStatus> {
  const ended = { status: 'FAILED' as const, nextAttemptAt: null, finishedAt: new Date(input.nowMs) };
  await database.em.fork().nativeUpdate(DeliveryEntity, { id: input.deliveryId }, ended);
  return 'FAILED';
}

function statusAfter(result: PostResult, retryDelayMs: number | null): DeliveryStatus {
  if (result.outcome === 'delivered') return 'DELIVERED';
  return result.outcome === 'gone' || retryDelayMs === null ? 'FAILED' : 'PENDING';
}
