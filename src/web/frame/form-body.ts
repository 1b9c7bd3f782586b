import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { NOTICES } from './notice-page.ts';
import { NoticeError } from './page-context.ts';

/** Far more than a payment form needs with all its fields at their maximum. */
const MAX_BODY_BYTES = 16 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/**
 * The fields of a posted form.
 *
 * @throws NoticeError 415 for another content type, 413 above 16 KiB, 400 for an incomplete body or invalid UTF-8.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const { headers } = request;
  const isForm = FORM_TYPE.test(headers['content-type'] ?? '');
  if (!isForm || (headers['content-encoding'] ?? 'identity') !== 'identity') throw refusal(415);
  const body = await readBounded(request);
  if (!isUtf8(body)) throw refusal(400);
  return new URLSearchParams(body.toString('utf8'));
}

function readBounded(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return Promise.reject(refusal(413));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      chunks.push(chunk);
      if (sizeBytes <= MAX_BODY_BYTES) return;
      // Discards the rest of the body, so that the response reaches a browser that is still sending.
      request.removeAllListeners('data').resume();
      reject(refusal(413));
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => reject(refusal(400)));
    request.on('close', () => reject(refusal(400)));
    if (request.destroyed && !request.complete) reject(refusal(400));
  });
}

function refusal(status: number): NoticeError {
  return new NoticeError(status, NOTICES.badForm);
}
