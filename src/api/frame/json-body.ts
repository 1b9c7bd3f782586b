import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ApiError, invalid } from './errors.ts';

/** Contract section 1, status 413. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Real requests nest about four levels, `metadata` included; more is a mistake, or an attack on recursive
 * code.
 */
const MAX_DEPTH = 32;

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
    request.on('error', reject);
    request.on('close', () => {
      if (request.complete) return;
      reject(new ApiError(400, 'MALFORMED_JSON', 'The body ended before it was complete'));
    });
  });
}

function tooLarge(): ApiError {
  return new ApiError(413, 'BODY_TOO_LARGE', 'The body must be at most 1 MiB');
}

/**
 * The body as JSON values that every part of the service can keep: no number beyond a double, no NUL, no lone
 * surrogate, no `__proto__`, no bottomless nesting. An empty body is `{}`; of a repeated key the last value
 * counts.
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
  checkValue(value, '', 0);
  return value;
}

const JSON_TYPE = /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

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

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') checkText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw invalid(path || 'body', 'must be a number within the range of a double');
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw invalid(path || 'body', `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      checkValue(value[index], `${path}[${index}]`, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    if (key === '__proto__') throw invalid(path || 'body', 'must not have a field named __proto__');
    if (isUnfit(key))
      throw invalid(path || 'body', 'must not have field names with NUL or broken characters');
    checkValue((value as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`, depth + 1);
  }
}

/** @throws ApiError VALIDATION_ERROR when Postgres or UTF-8 could not hold `text`. */
export function checkText(text: string, path: string): void {
  if (isUnfit(text)) throw invalid(path || 'body', 'must not contain NUL characters or lone surrogates');
}

function isUnfit(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed();
}
