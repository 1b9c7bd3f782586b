import { pipeline, type Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { Charge } from '../../database/entities/charge.ts';
import { ProductEntity } from '../../database/entities/product.ts';
import type { Em } from '../../database/orm.ts';
import { ID_PREFIX, type ProductId } from '../../domain/ids.ts';
import { InformationalResponses } from '../../outbound/informational-responses.ts';
import { NOTICES } from '../frame/notice-page.ts';
import { NoticeError, type PageContext } from '../frame/page-context.ts';
import type { Download } from './file-downloads.ts';
import { leastRate } from './least-rate.ts';

/** The maximum size of a file. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** The payer looks at an empty tab in the meantime. */
const HEADERS_TIMEOUT_MS = 15_000;

/** After this time without data the download is aborted. */
const BODY_TIMEOUT_MS = 60_000;

const PRODUCT_ID = new RegExp(`^${ID_PREFIX.product}[0-9A-Z]{26}$`);

/** Types that browsers save and never run as a page of this origin. Anything else is sent as bytes. */
const SAFE_TYPE =
  /^(?:application\/(?:pdf|zip|epub\+zip)|(?:audio|video)\/[\w.+-]{1,60}|image\/(?:png|jpeg|gif|webp))$/;

/**
 * The URL of the file of a product that this charge has paid for, including products no longer sold.
 *
 * @throws NoticeError 404 if the charge is unpaid, does not include the product, or there is no file.
 */
export async function findFile(em: Em, charge: Charge, productId: string): Promise<URL> {
  const isPaidFor = charge.status === 'PAID' && charge.items?.some((item) => item.productId === productId);
  if (!PRODUCT_ID.test(productId) || !isPaidFor) throw new NoticeError(404, NOTICES.noFile);
  const product = await em.findOne(ProductEntity, { id: productId as ProductId });
  const url = product?.fileUrl == null ? null : URL.parse(product.fileUrl);
  if (url === null) throw new NoticeError(404, NOTICES.noFile);
  return url;
}

/**
 * Streams the file to the payer. The file's URL is the merchant's secret: no header, page or log line contains it. Redirects are
 * not followed, because one could lead to another file.
 *
 * @param signal aborts when the payer has left, who may do so while the merchant's server makes them wait.
 * @throws NoticeError 502 if the file cannot be downloaded.
 */
export async function sendFile(
  ctx: PageContext,
  dispatcher: Dispatcher,
  url: URL,
  { download, signal }: { readonly download: Download; readonly signal: AbortSignal },
): Promise<void> {
  const answer = await fetchFile(ctx, dispatcher, url, signal);
  const { headers, body } = answer;
  const lengthBytes = Number(headers['content-length'] ?? Number.NaN);
  if (answer.statusCode !== 200 || lengthBytes > MAX_FILE_BYTES) {
    body.on('error', () => undefined).destroy();
    ctx.state.log.warn({ fileStatus: answer.statusCode, lengthBytes }, 'a file could not be had');
    throw new NoticeError(502, NOTICES.fileOutOfReach);
  }
  const name = fileNameOf(url);
  // Sends the name twice: old browsers need it in ASCII (RFC 6266, appendix D).
  ctx.attachment(name, { fallback: name.replace(/[^\x20-\x7e]/g, '_') });
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  ctx.type = SAFE_TYPE.test(type.trim().toLowerCase())
    ? type.trim().toLowerCase()
    : 'application/octet-stream';
  const encoding = String(headers['content-encoding'] ?? '');
  if (/^(?:gzip|br|deflate)$/.test(encoding)) ctx.set('Content-Encoding', encoding);
  // Files are compressed already, or too large for it.
  ctx.compress = false;
  ctx.body = bounded(ctx, body, download);
  if (Number.isSafeInteger(lengthBytes)) ctx.length = lengthBytes;
}

async function fetchFile(ctx: PageContext, dispatcher: Dispatcher, url: URL, signal: AbortSignal) {
  const informational = new InformationalResponses();
  const flooded = new AbortController();
  try {
    return await request(url, {
      dispatcher,
      headers: { accept: '*/*', 'accept-encoding': 'identity' },
      headersTimeout: HEADERS_TIMEOUT_MS,
      bodyTimeout: BODY_TIMEOUT_MS,
      signal: AbortSignal.any([signal, flooded.signal]),
      onInfo: () => {
        if (informational.isOver()) flooded.abort();
      },
    });
  } catch (error) {
    ctx.state.log.warn({ reason: codeOf(error) }, 'a file could not be had');
    throw new NoticeError(502, NOTICES.fileOutOfReach);
  }
}

/** The body as a stream, aborted beyond the limit and for a slow reader. The broken connection tells the payer that the file is incomplete. */
function bounded(ctx: PageContext, body: Readable, download: Download): Readable {
  const rate = leastRate(download.leastBytesPerMinute);
  pipeline(
    body,
    (parts) => paced(parts, download),
    rate,
    (error) => {
      if (!error) return;
      ctx.state.log.warn({ reason: codeOf(error) }, 'a file was not sent to its end');
      ctx.res.destroy();
    },
  );
  return rate;
}

async function* paced(parts: AsyncIterable<Buffer>, download: Download): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const part of parts) {
    sizeBytes += part.length;
    if (sizeBytes > MAX_FILE_BYTES) throw new RangeError('the file is too large');
    await download.sending(part.length);
    yield part;
  }
}

/** Messages of network errors contain host names, so only their codes are logged. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}

/** The last part of the URL, as a file name valid on every system. */
function fileNameOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  const name = decoded(last)
    .replace(/[\p{Cc}\p{Cf}"*/:<>?\\|]/gu, '_')
    .replace(/^\.+/, '')
    .trim();
  return [...name].slice(0, 150).join('') || 'arquivo';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
