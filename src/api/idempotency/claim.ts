import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../domain/idempotency-window.ts';
import { type Answer, earlierAnswer, type IdempotentRequest, stillRunning } from './idempotency.ts';
import { sealedAnswer } from './sealed-answer.ts';

interface Claim {
  readonly storeId: string;
  readonly devMode: boolean;
  readonly key: string;
  readonly claimId: string;
}

/**
 * A claim lasts 30 seconds: longer than any request that waits for a workflow, and short for a client that
 * retries after the process died. Only the same request may take over an expired claim, because its outcome
 * is unknown and these requests are safe to run twice.
 */
const CLAIM = statement<
  Claim & {
    readonly requestHash: string;
    readonly knownHashes: readonly string[];
    readonly since: Date;
    readonly now: Date;
  },
  { readonly claimed: boolean }
>(
  'claim idempotency key',
  () => `
  insert into idempotency_records as record (store_id, dev_mode, key, request_hash, created_at, claim_id, claimed_until)
  values (:storeId, :devMode, :key, :requestHash, :now, :claimId, now() + interval '30 seconds')
  on conflict (store_id, dev_mode, key) do update
    set request_hash = excluded.request_hash, created_at = excluded.created_at, status = null, body = null,
      claim_id = excluded.claim_id, claimed_until = excluded.claimed_until
    where record.created_at <= :since
      or (record.status is null and record.claimed_until < now() and record.request_hash = any(:knownHashes::text[]))
  returning true as claimed`,
);

const KEEP = statement<Claim & { readonly status: number; readonly body: string }>(
  'keep claimed answer',
  () => `
  update idempotency_records set status = :status, body = :body, claim_id = null, claimed_until = null
  where store_id = :storeId and dev_mode = :devMode and key = :key and claim_id = :claimId`,
);

const RELEASE = statement<Claim>(
  'release idempotency key',
  () => `
  delete from idempotency_records
  where store_id = :storeId and dev_mode = :devMode and key = :key and claim_id = :claimId`,
);

/**
 * Answers a request that has an idempotency key and waits for a workflow. No transaction is open meanwhile,
 * so a slow Temporal does not occupy a connection. `answer` must be safe to run twice, because it runs again
 * if the process dies before its response is stored. Only successes are stored; after an error the client may
 * retry with the same key.
 *
 * @throws ApiError IDEMPOTENCY_KEY_IN_FLIGHT, IDEMPOTENCY_KEY_REUSED, and errors of `answer`
 */
export async function answerClaimed(
  database: Database,
  request: IdempotentRequest,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const { caller, key, hashes, now } = request;
  const claim = { storeId: caller.storeId, devMode: caller.devMode, key, claimId: randomUUID() };
  const since = new Date(now.getTime() - IDEMPOTENCY_WINDOW_MS);
  const claimed = await CLAIM(database, {
    ...claim,
    requestHash: hashes.current,
    knownHashes: hashes.known,
    since,
    now,
  });
  if (claimed.length === 0) {
    const earlier = await earlierAnswer(database.em.fork(), request);
    // Null if the other request failed between the two statements and released the key.
    if (earlier === null) throw stillRunning();
    return earlier;
  }
  const given = await answerOrRelease(database, claim, answer);
  await KEEP(database, { ...claim, status: given.status, body: sealedAnswer(database, given.body) });
  return given;
}

async function answerOrRelease(
  database: Database,
  claim: Claim,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    // If Postgres is unreachable, the claim expires by itself.
    await RELEASE(database, claim).catch(() => undefined);
    throw error;
  }
}
