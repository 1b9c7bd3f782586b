import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { BodyBytes } from '../../domain/body-bytes.ts';
import { ApiError, invalid } from './errors.ts';
import { jsonErrorPosition } from './json-position.ts';
import { jsonSize } from './json-size.ts';
import { shortened } from './shortened.ts';

/** Contract section 1, status 413. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Real requests nest about four levels, `metadata` included. Deeper nesting is a mistake, or an attack on
 * recursive code.
 */
const MAX_DEPTH = 32;

/**
 * The schema may report an error for every value, which takes a thousand times the memory of the body. Real
 * requests stay far below: the largest part is `metadata`, whose 16 KiB hold 8,000 values.
 */
export const MAX_VALUES = 20_000;

/** Nearly all bodies have fewer. A body of many wrong values takes up to 4 ms of the process for each thousand. */
export const MANY_VALUES = 1_000;

const EMPTY = Buffer.alloc(0);

/** Nearly all bodies are smaller. */
export const LARGE_BODY_BYTES = 64 * 1024;

/**
 * The raw body, so that a record of an `Idempotency-Key` can be compared byte by byte.
 *
 * @param countLarge called before a large body is in memory, with the most bytes that it may have. It throws to refuse the body.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE
 */
export async function readBody(
  request: IncomingMessage,
  countLarge: (mostBytes: number) => void = () => undefined,
): Promise<Buffer> {
  const { headers } = request;
  const lengthBytes = Number(headers['content-length'] ?? 0);
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (lengthBytes === 0 && !isChunked) return EMPTY;
  if (lengthBytes > MAX_BODY_BYTES) throw tooLarge();
  if (lengthBytes > LARGE_BODY_BYTES) countLarge(lengthBytes);
  return new Promise((resolve, reject) => {
    const body = new BodyBytes();
    const add = (chunk: Buffer) => {
      const length = body.length + chunk.length;
      if (length > MAX_BODY_BYTES) throw tooLarge();
      if (isChunked && body.length <= LARGE_BODY_BYTES && length > LARGE_BODY_BYTES)
        countLarge(MAX_BODY_BYTES);
      body.add(chunk);
    };
    request.on('data', (chunk: Buffer) => {
      try {
        add(chunk);
      } catch (error) {
        // Discard the rest instead of closing the connection: a client that is still sending would lose the
        // response. The server's request timeout bounds the duration.
        request.removeAllListeners('data').resume();
        reject(error);
      }
    });
    request.on('end', () => resolve(body.taken()));
    // The client disconnected or timed out. It receives no response, and this is not a server error.
    const breakOff = () =>
      reject(new ApiError(400, 'MALFORMED_JSON', 'The body ended before it was complete'));
    request.on('error', breakOff);
    request.on('close', () => !request.complete && breakOff());
    // The client may have disconnected during authentication; no 'close' event will follow.
    if (request.destroyed && !request.complete) breakOff();
  });
}

function tooLarge(): ApiError {
  return new ApiError(413, 'BODY_TOO_LARGE', 'The body must be at most 1 MiB');
}

/**
 * Parses the body and refuses values that a part of the service cannot store: numbers beyond a double, NUL,
 * lone surrogates, `__proto__`, deep nesting and too many values. An empty body is `{}`. The last of repeated
 * keys counts.
 *
 * @param countMany called before many values are parsed. It throws to refuse the body.
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_ERROR
 */
export function parseBody(
  request: IncomingMessage,
  raw: Buffer,
  countMany: (values: number) => void = () => undefined,
): unknown {
  if (raw.length === 0) return {};
  const { headers } = request;
  if (!isJson(headers['content-type']) || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ApiError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Type: must be application/json in UTF-8, and the body not compressed',
    );
  }
  refuseTooMuch(raw, countMany);
  const value = parseJson(raw);
  new ValueCheck().check(value, '', 0);
  return value;
}

/** Requires a character between two runs of blanks; otherwise a long run would take quadratic time. */
const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-8"?\s*(?:;\s*)?)?)?$/i;

function isJson(contentType: string | undefined): boolean {
  // Compare the exact text first, which nearly every client sends.
  return contentType === 'application/json' || (contentType !== undefined && JSON_TYPE.test(contentType));
}

function parseJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw new ApiError(400, 'MALFORMED_JSON', 'The body is not valid UTF-8');
  const text = raw.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(text);
  }
}

function notJson(text: string): ApiError {
  const position = jsonErrorPosition(text);
  const message = `The body is not valid JSON at line ${position.line}, column ${position.column}`;
  return new ApiError(400, 'MALFORMED_JSON', message, undefined, {}, { position });
}

/** @throws ApiError VALIDATION_ERROR before parsing, which would stop all other requests for a tenth of a second. */
function refuseTooMuch(raw: Buffer, countMany: (values: number) => void): void {
  const { depth, values } = jsonSize(raw);
  if (depth > MAX_DEPTH) throw invalid('body', `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (values > MAX_VALUES) throw invalid('body', `must have at most ${MAX_VALUES} values`);
  if (values > MANY_VALUES) countMany(values);
}

/** Checks all values of one body. */
class ValueCheck {
  #left = MAX_VALUES;

  check(value: unknown, path: string, depth: number): void {
    if (typeof value === 'string') checkText(value, path);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw invalid(path || 'body', 'must be a number within the range of a double');
    }
    if (typeof value !== 'object' || value === null) return;
    if (depth >= MAX_DEPTH) {
      throw invalid(path || 'body', `must not be nested deeper than ${MAX_DEPTH} levels`);
    }
    if (Array.isArray(value)) this.#checkItems(value, path, depth);
    else this.#checkFields(value, path, depth);
  }

  #checkItems(items: readonly unknown[], path: string, depth: number): void {
    this.#count(items.length);
    for (let index = 0; index < items.length; index++)
      this.check(items[index], `${path}[${index}]`, depth + 1);
  }

  #checkFields(fields: object, path: string, depth: number): void {
    const names = Object.keys(fields);
    this.#count(names.length);
    for (const name of names) {
      if (name === '__proto__') throw invalid(path || 'body', 'must not have a field named __proto__');
      if (isUnfit(name))
        throw invalid(path || 'body', 'must not have field names with NUL or broken characters');
      const inside = path === '' ? shortened(name) : `${path}.${shortened(name)}`;
      this.check((fields as Record<string, unknown>)[name], inside, depth + 1);
    }
  }

  #count(values: number): void {
    this.#left -= values;
    if (this.#left < 0) throw invalid('body', `must have at most ${MAX_VALUES} values`);
  }
}

/** @throws ApiError VALIDATION_ERROR if Postgres or UTF-8 cannot represent `text`. */
export function checkText(text: string, path: string): void {
  if (isUnfit(text)) throw invalid(path || 'body', 'must not contain NUL characters or lone surrogates');
}

/** Whether Postgres or UTF-8 cannot represent `text`. */
export function isUnfit(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}
