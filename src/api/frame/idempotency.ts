import { hash } from 'node:crypto';
import type { Em } from '../../database/orm.ts';
import { REPLAY_MS } from '../../domain/retention.ts';
import type { PersonalNumbers } from '../../secrets/personal-numbers.ts';
import type { Caller } from './caller.ts';
import { canonicalJson } from './canonical-json.ts';
import { ApiError, invalid } from './errors.ts';
import { openedAnswer, sealedAnswer } from './sealed-answer.ts';

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A status and the exact body that went with it. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

/** An `Idempotency-Key` of one store and environment, and the request it stands for. */
export interface IdempotentRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly hashes: RequestHashes;
  readonly now: Date;
}

/**
 * @throws ApiError VALIDATION_ERROR when the header's value cannot be a key; null when the header is not
 *   there.
 */
export function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (KEY.test(header)) return header;
  throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
}

/** What must be equal for two requests to be the same one. */
export interface RequestHashes {
  /** Of the body as JSON, however it was written: what is kept from now on. */
  readonly current: string;
  /** The same with and without a key: what may have been kept, whatever `PERSONAL_NUMBERS` was then. */
  readonly known: readonly string[];
  /**
   * Of the body's bytes: what releases before kept, whose records are still honoured for a day after an
   * upgrade.
   */
  readonly ofBytes: () => string;
}

/**
 * @param head method, path and query, of which none contains a line break.
 * @param numbers of the database: from a hash without a key, a tax id in the body could be guessed.
 */
export function requestHashes(
  head: string,
  body: unknown,
  raw: Buffer,
  numbers: PersonalNumbers,
): RequestHashes {
  const plain = `json:${hash('sha256', `${head}\n${canonicalJson(body ?? null)}`)}`;
  return {
    current: numbers.fingerprint(plain),
    known: numbers.fingerprints(plain),
    ofBytes: () => hash('sha256', Buffer.concat([Buffer.from(`${head}\n`), raw])),
  };
}

function isSameRequest(kept: string, { known, ofBytes }: RequestHashes): boolean {
  return known.includes(kept) || (!kept.startsWith('json:') && kept === ofBytes());
}

/**
 * Answers a request with a key at most once, inside the transaction `em` is in: the record commits with what
 * the request wrote, or neither does. Only successes are kept; after an error the same key may be tried
 * again.
 *
 * @throws ApiError IDEMPOTENCY_KEY_IN_FLIGHT, IDEMPOTENCY_KEY_REUSED, and whatever `answer` throws
 */
export async function answerOnce(
  em: Em,
  request: IdempotentRequest,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  // Two statements, not one: the record must be read by a snapshot taken after the lock was obtained, or one
  // that the previous holder committed in between would go unseen. The lock ends with the transaction.
  const [lock] = await em.execute<{ locked: boolean }[]>(
    'select pg_try_advisory_xact_lock(:lock::bigint) as locked',
    { lock: lockOf(request) },
  );
  if (lock?.locked !== true) throw stillRunning();
  const earlier = await earlierAnswer(em, request);
  if (earlier !== null) return earlier;
  const given = await answer();
  await keep(em, request, given);
  return given;
}

/** The refusal of a request whose twin has not been answered yet. */
export function stillRunning(): ApiError {
  const message = 'Idempotency-Key: a request with this key is still running';
  return new ApiError(409, 'IDEMPOTENCY_KEY_IN_FLIGHT', message);
}

/**
 * The answer given to the same request within the last 24 hours, or null.
 *
 * @throws ApiError IDEMPOTENCY_KEY_REUSED when the key stood for another request, IDEMPOTENCY_KEY_IN_FLIGHT while one with
 *   this key runs
 */
export async function earlierAnswer(
  em: Em,
  { caller, key, hashes, now }: IdempotentRequest,
): Promise<Answer | null> {
  const [record] = await em.execute<Kept[]>(
    `select request_hash, status, body from idempotency_records
      where store_id = :storeId and dev_mode = :devMode and key = :key and created_at > :since`,
    { storeId: caller.storeId, devMode: caller.devMode, key, since: new Date(now.getTime() - REPLAY_MS) },
  );
  if (record === undefined) return null;
  if (!isSameRequest(record.request_hash, hashes)) {
    throw new ApiError(
      422,
      'IDEMPOTENCY_KEY_REUSED',
      'Idempotency-Key: was used for another request; send a new key with a new request',
    );
  }
  const { status, body } = record;
  if (status === null || body === null) throw stillRunning();
  return { status, body: openedAnswer(body), replayed: true };
}

/** A record; one without an answer is a claim (idempotency-claim.ts). */
interface Kept {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
}

/** Takes the place of a record that is too old to be replayed. */
async function keep(em: Em, { caller, key, hashes, now }: IdempotentRequest, { status, body }: Answer) {
  await em.execute(
    `insert into idempotency_records (store_id, dev_mode, key, request_hash, status, body, created_at)
      values (:storeId, :devMode, :key, :requestHash, :status, :body, :now)
      on conflict (store_id, dev_mode, key) do update
        set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body,
            created_at = excluded.created_at, claim_id = null, claimed_until = null`,
    {
      storeId: caller.storeId,
      devMode: caller.devMode,
      key,
      requestHash: hashes.current,
      status,
      body: sealedAnswer(em, body),
      now,
    },
    'run',
  );
}

/** 64 bits of the key's hash. Two keys that share them by chance only keep each other waiting. */
function lockOf({ caller, key }: IdempotentRequest): string {
  const digest = hash('sha256', `${caller.storeId}\n${caller.devMode}\n${key}`, 'buffer');
  return digest.readBigInt64BE().toString();
}
