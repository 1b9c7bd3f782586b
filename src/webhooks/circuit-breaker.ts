import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { WebhookId } from '../domain/ids.ts';
import type { PostResult } from '../outbound/post-result.ts';
import type { DeliveryToAttempt } from './load-attempt.ts';

/** A failure that took this long has wasted a worker's slot; a quick failure costs little. */
const HANGS_FROM_MS = 10_000;

/**
 * Counts an attempt that hung. The fifth in a row pauses the endpoint for half a minute. Each probe that hangs
 * doubles the pause, up to five minutes. Attempts that were under way when the pause began do not count.
 */
const NOTE_HANG = statement<{ webhookId: WebhookId; now: Date; isProbe: boolean }>(
  'note an endpoint that hangs',
  () => `
  insert into endpoint_breakers as breaker (webhook_id, hangs) values (:webhookId, 1)
  on conflict (webhook_id) do update set
    hangs = breaker.hangs + 1,
    paused_until = case when breaker.hangs >= 4 then :now::timestamptz
      + least(interval '5 minutes', interval '30 seconds' * power(2, least(breaker.hangs - 4, 10))) end
  where breaker.paused_until is null or breaker.paused_until <= :now or :isProbe`,
);

/**
 * The probe holds the endpoint for as long as an attempt may take. If its worker dies, the next attempt is let
 * through after that.
 */
const BEGIN_PROBE = statement<
  { webhookId: WebhookId; now: Date; pausedUntil: Date },
  { readonly isProbe: boolean }
>(
  'begin to probe an endpoint',
  () => `
  update endpoint_breakers set paused_until = :now::timestamptz + interval '45 seconds'
  where webhook_id = :webhookId and paused_until = :pausedUntil and paused_until <= :now
  returning true as "isProbe"`,
);

const NOTE_ANSWER = statement<{ webhookId: WebhookId }>(
  'note an endpoint that answers',
  () => 'delete from endpoint_breakers where webhook_id = :webhookId',
);

/** Whether an attempt may be made at an endpoint that hung lately, and whether that attempt is the probe. */
export type Passage = 'FREE' | 'PROBE' | { readonly pausedForMs: number };

/**
 * Asks the breaker of an endpoint, which all workers share. If the attempt's own row shows no hang, this costs no
 * statement.
 */
export async function passageTo(
  database: Database,
  { webhookId, pausedUntil }: DeliveryToAttempt,
  nowMs: number,
): Promise<Passage> {
  if (pausedUntil === null) return 'FREE';
  const pausedForMs = pausedUntil.getTime() - nowMs;
  if (pausedForMs > 0) return { pausedForMs };
  const [probe] = await BEGIN_PROBE(database, { webhookId, now: new Date(nowMs), pausedUntil });
  // Another worker's probe was faster, and has a result within the time that an attempt may take.
  return probe === undefined ? { pausedForMs: 30_000 } : 'PROBE';
}

/** Reports an attempt's result. An endpoint that never hangs costs no statement. */
export async function reportToBreaker(
  database: Database,
  { webhookId, hasHung }: DeliveryToAttempt,
  { outcome, durationMs }: PostResult,
  { nowMs, isProbe }: { readonly nowMs: number; readonly isProbe: boolean },
): Promise<void> {
  const hangs = outcome === 'failed' && durationMs >= HANGS_FROM_MS;
  if (hangs) await NOTE_HANG(database, { webhookId, now: new Date(nowMs + durationMs), isProbe });
  else if (hasHung) await NOTE_ANSWER(database, { webhookId });
}
