import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { BodyBytes } from '../../domain/body-bytes.ts';
import { noteResumed } from '../../request-cost.ts';
import { NOTICES } from './notice-page.ts';
import { NoticeError } from './page-context.ts';

const MULTIPART_TYPE = /^multipart\/form-data\s*;/i;

/** Far more than a payment form needs with all its fields at their maximum. */
const MAX_BODY_BYTES = 16 * 1024;

/** The largest form with a file has 20 fields. The parser needs a second for a body that is cut into a hundred thousand parts. */
const MOST_PARTS = 100;
/** Of one part: its field's name, the file's name and type. */
const MAX_PART_HEADER_BYTES = 1_024;

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** The fields of a form that may contain files. */
export interface FormWithFiles {
  readonly fields: URLSearchParams;
  /** By the name of the field. A field for which no file was chosen is left out. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/**
 * The fields and the files of a posted form.
 *
 * @throws NoticeError like {@link readForm}; 413 if its files together are larger than `maxFileBytes`.
 */
export async function readFormWithFiles(
  request: IncomingMessage,
  maxFileBytes: number,
): Promise<FormWithFiles> {
  const contentType = request.headers['content-type'] ?? '';
  if (!MULTIPART_TYPE.test(contentType)) return { fields: await readForm(request), files: new Map() };
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') throw refusal(415);
  const tooLarge = new NoticeError(413, NOTICES.fileTooLarge);
  const body = await readBounded(request, maxFileBytes + MAX_BODY_BYTES, tooLarge);
  noteResumed();
  const fields = new URLSearchParams();
  const files = new Map<string, Buffer>();
  let sizeBytes = 0;
  for (const [name, value] of await partsOf(body, contentType)) {
    if (typeof value === 'string') {
      fields.append(name, value);
      continue;
    }
    sizeBytes += value.size;
    if (sizeBytes > maxFileBytes) throw tooLarge;
    if (value.size > 0) files.set(name, Buffer.from(await value.arrayBuffer()));
  }
  return { fields, files };
}

/** The body is already in memory and bounded, so the parser of Fetch serves. @throws NoticeError 400 if it is malformed. */
async function partsOf(body: Buffer, contentType: string): Promise<FormData> {
  if (!hasFewParts(body, contentType)) throw refusal(400);
  try {
    return await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
  } catch {
    throw refusal(400);
  }
}

/** Whether the body has as many parts as a form of ours may have, with short headers. Parsing it blocks all other requests. */
function hasFewParts(body: Buffer, contentType: string): boolean {
  const boundary = boundaryIn(contentType);
  if (!boundary) return false;
  const delimiter = Buffer.from(`--${boundary}`);
  let parts = 0; // With the end of the last one.
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    parts += 1;
    const headersEnd = body.indexOf('\r\n\r\n', at);
    if (parts > MOST_PARTS + 1 || headersEnd - at > MAX_PART_HEADER_BYTES) return false;
  }
  return parts > 0;
}

/** As Fetch reads it, so that nothing is counted here that is parsed otherwise there. */
function boundaryIn(contentType: string): string | null {
  try {
    return new MIMEType(contentType).params.get('boundary');
  } catch {
    return null;
  }
}

/**
 * The fields of a posted form.
 *
 * @throws NoticeError 415 for another content type, 413 above 16 KiB, 400 for an incomplete body or invalid UTF-8.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const { headers } = request;
  const isForm = FORM_TYPE.test(headers['content-type'] ?? '');
  if (!isForm || (headers['content-encoding'] ?? 'identity') !== 'identity') throw refusal(415);
  const body = await readBounded(request, MAX_BODY_BYTES, refusal(413));
  noteResumed();
  if (!isUtf8(body)) throw refusal(400);
  return new URLSearchParams(body.toString('utf8'));
}

function readBounded(request: IncomingMessage, maxBytes: number, tooLarge: NoticeError): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge);
  return new Promise((resolve, reject) => {
    const body = new BodyBytes();
    request.on('data', (chunk: Buffer) => {
      if (body.length + chunk.length <= maxBytes) return body.add(chunk);
      // Discards the rest of the body, so that the response reaches a browser that is still sending.
      request.removeAllListeners('data').resume();
      reject(tooLarge);
    });
    request.on('end', () => resolve(body.taken()));
    request.on('error', () => reject(refusal(400)));
    request.on('close', () => reject(refusal(400)));
    if (request.destroyed && !request.complete) reject(refusal(400));
  });
}

function refusal(status: number): NoticeError {
  return new NoticeError(status, NOTICES.badForm);
}
