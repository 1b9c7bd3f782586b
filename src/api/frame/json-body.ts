import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError, invalid } from './errors.ts';
import { shortened } from './shortened.ts';

/** Contract section 1, status 413. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Real requests nest about four levels, `metadata` included; more is a mistake, or an attack on recursive
 * code.
 */
const MAX_DEPTH = 32;

/**
 * A schema looks at every value, and says of each what is wrong with it: a thousand times the memory of what
 * was sent. Nothing real comes near: the most is in `metadata`, of which 16 KiB hold eight thousand values.
 */
const MAX_VALUES = 20_000;

const EMPTY = Buffer.alloc(0);

/**
 * The body's bytes as sent, so that an `Idempotency-Key` can be compared with them.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  const { headers } = request;
  const lengthBytes = Number(headers['content-length'] ?? 0);
  if (lengthBytes === 0 && headers['transfer-encoding'] === undefined) return Promise.resolve(EMPTY);
  if (lengthBytes > MAX_BODY_BYTES) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        // What follows is thrown away as it comes: closing the connection would lose the answer for a client
        // that is still sending. The server's request timeout bounds how long that may take.
        request.removeAllListeners('data').resume();
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // The connection broke off, or its client took too long: nobody is there to read this, and nothing failed
    // here.
    const breakOff = () =>
      reject(new ApiError(400, 'MALFORMED_JSON', 'The body ended before it was complete'));
    request.on('error', breakOff);
    request.on('close', () => !request.complete && breakOff());
    // It may have gone while its key was looked up, which is told to nobody any more.
    if (request.destroyed && !request.complete) breakOff();
  });
}

function tooLarge(): ApiError {
  return new ApiError(413, 'BODY_TOO_LARGE', 'The body must be at most 1 MiB');
}

/**
 * The body as JSON values that every part of the service can keep: no number beyond a double, no NUL, no lone
 * surrogate, no `__proto__`, no bottomless nesting, no mass of values. An empty body is `{}`; of a repeated
 * key the last value counts.
 *
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON, VALIDATION_ERROR
 */
export function parseBody(request: IncomingMessage, raw: Buffer): unknown {
  if (raw.length === 0) return {};
  const { headers } = request;
  if (!isJson(headers['content-type']) || (headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ApiError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Content-Type: must be application/json in UTF-8, and the body not compressed',
    );
  }
  const value = parseJson(raw);
  new ValueCheck().check(value, '', 0);
  return value;
}

/** Between two blanks there is always something else, or a long row of them would take time by its square. */
const JSON_TYPE = /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-8"?\s*(?:;\s*)?)?)?$/i;

function isJson(contentType: string | undefined): boolean {
  // The exact text first: it is what nearly every client sends.
  return contentType === 'application/json' || (contentType !== undefined && JSON_TYPE.test(contentType));
}

function parseJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw new ApiError(400, 'MALFORMED_JSON', 'The body is not valid UTF-8');
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    throw new ApiError(400, 'MALFORMED_JSON', 'The body is not valid JSON');
  }
}

/** Goes through all values of one body. */
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

/** @throws ApiError VALIDATION_ERROR when Postgres or UTF-8 could not hold `text`. */
export function checkText(text: string, path: string): void {
  if (isUnfit(text)) throw invalid(path || 'body', 'must not contain NUL characters or lone surrogates');
}

function isUnfit(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}
