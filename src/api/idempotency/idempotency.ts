import { hash } from 'node:crypto';
import type { Em } from '../../database/orm.ts';
import { IDEMPOTENCY_WINDOW_MS } from '../../domain/idempotency-window.ts';
import type { PersonalNumbers } from '../../secrets/personal-numbers.ts';
import { ApiError, invalid } from '../frame/errors.ts';
import type { Caller } from '../keys/caller.ts';
import { canonicalJson } from './canonical-json.ts';
import { openedAnswer, sealedAnswer } from './sealed-answer.ts';

/** 1 to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** A response: its status and exact body. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly replayed: boolean;
}

/** An `Idempotency-Key` of one store and environment, with its request. */
export interface IdempotentRequest {
  readonly caller: Caller;
  readonly key: string;
  readonly hashes: RequestHashes;
  readonly now: Date;
}

/** @returns null without the header. @throws ApiError VALIDATION_ERROR if the header is not a valid key. */
export function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (KEY.test(header)) return header;
  throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters');
}

/** Hashes that identify a request. Two requests are the same if these are equal. */
export interface RequestHashes {
  /** Hash of the canonical JSON body; stored for new records. */
  readonly current: string;
  /**
   * The same hash with and without the HMAC key. Accepts records stored under either setting of
   * `PERSONAL_NUMBERS`.
   */
  readonly known: readonly string[];
  /**
   * Hash of the raw body. Earlier releases stored it; their records stay valid for a day after an upgrade.
   */
  readonly ofBytes: () => string;
}

/**
 * @param head method, path and query, none of which contains a line break.
 * @param numbers encryption of the database. An unkeyed hash would let an attacker guess a tax id in the
 * body.
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
 * Answers a request with an idempotency key at most once. The record commits in the transaction of `em`,
 * together with the request's writes. Only successes are stored; after an error the client may retry with the
 * same key.
 *
 * @throws ApiError IDEMPOTENCY_KEY_IN_FLIGHT, IDEMPOTENCY_KEY_REUSED, and errors of `answer`
 */
export async function answerOnce(
  em: Em,
  request: IdempotentRequest,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  // Lock and read are two statements. The read needs a snapshot taken after the lock, or it would miss a
  // record that the previous holder committed in between. The lock ends with the transaction.
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

/** The refusal of a request while another one with the same key is in progress. */
export function stillRunning(): ApiError {
  const message = 'Idempotency-Key: a request with this key is still running';
  return new ApiError(409, 'IDEMPOTENCY_KEY_IN_FLIGHT', message);
}

/**
 * The response to the same request within the last 24 hours, or null.
 *
 * @throws ApiError IDEMPOTENCY_KEY_REUSED if the key belongs to another request, IDEMPOTENCY_KEY_IN_FLIGHT
 * while a request with this key runs
 */
export async function earlierAnswer(
  em: Em,
  { caller, key, hashes, now }: IdempotentRequest,
): Promise<Answer | null> {
  const [record] = await em.execute<Kept[]>(
    `select request_hash, status, body from idempotency_records
      where store_id = :storeId and dev_mode = :devMode and key = :key and created_at > :since`,
    {
      storeId: caller.storeId,
      devMode: caller.devMode,
      key,
      since: new Date(now.getTime() - IDEMPOTENCY_WINDOW_MS),
    },
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

/** A record. Without a response it is a claim (idempotency-claim.ts). */
interface Kept {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
}

/** Stores a record, replacing one that is too old to be replayed. */
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

/** 64 bits of the key's hash. Two keys that collide only block each other for the length of a request. */
function lockOf({ caller, key }: IdempotentRequest): string {
  const digest = hash('sha256', `${caller.storeId}\n${caller.devMode}\n${key}`, 'buffer');
  return digest.readBigInt64BE().toString();
}
