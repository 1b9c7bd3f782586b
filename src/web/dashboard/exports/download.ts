import { addAbortSignal, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { outOfReach } from '../../../api/frame/errors.ts';
import { readPages } from '../frame/operation.ts';
import { csvFile, type Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { DownloadSlots } from './download-slots.ts';
import { BYTE_ORDER_MARK, type Sheet, sheetLine } from './sheet.ts';

/** Files that this process makes at once: each reads a page of rows whenever the browser has taken the one before. */
const slots = new DownloadSlots({ count: 16, perStore: 2, waitMs: 10_000 });

/** A browser that takes longer is cut off, so that it does not hold a slot for ever. */
const LONGEST_MS = 15 * 60_000;

type SheetQuery = Readonly<Record<string, string | undefined>>;

/** Writes the line of a download into the audit log: the file may hold names and tax ids. */
export async function recordDownload(
  visit: Visit,
  { sheet, from = null, to = null }: { readonly sheet: string } & Period,
): Promise<void> {
  await visit.act('exports/download', 'of environment', async () => null, { sheet, from, to });
}

interface Period {
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** A sheet as a file, and a line about it in the audit log. @throws ApiError as the API does. */
export async function downloadOf(visit: Visit, sheet: Sheet, query: SheetQuery): Promise<Reply> {
  const [from, to] = sheet.days.map((name) => query[name] ?? null);
  await recordDownload(visit, { sheet: sheet.id, from, to });
  const period = [from, to].filter((day) => typeof day === 'string' && /^[\d-]{10}$/.test(day)).join('_');
  const name = [visit.say(sheet.file), period].filter((part) => part !== '').join('-');
  return downloadParts(visit, `${name}.csv`, partsOf(visit, sheet, query));
}

async function* partsOf(visit: Visit, sheet: Sheet, query: SheetQuery): AsyncGenerator<string> {
  const { locale } = visit;
  let before = BYTE_ORDER_MARK + sheetLine(sheet.headings(visit), locale);
  for await (const { items } of readPages(visit, sheet.operation, { query })) {
    const lines = await sheet.lines(visit, items);
    yield before + lines.map((values) => sheetLine(values, locale)).join('');
    before = '';
  }
}

/**
 * Sends a file while it is made. The first part is made before, so that a refusal is a page. The connection is cut, and the browser says
 * that the file is not whole, if a later part fails, if the reader's session or role ends, or if another person of the store needs the slot.
 * @throws ApiError 503 if too many are being made.
 */
export function downloadParts(visit: Visit, name: string, parts: AsyncGenerator<string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const make = async (signal: AbortSignal) => {
      const first = await parts.next();
      if (signal.aborted) throw outOfReach('Another person downloads a file; please retry');
      const body = Readable.from(following(visit, first, parts));
      addAbortSignal(signal, body);
      resolve(csvFile(name, body));
      await ended(body, visit);
    };
    slots.run({ storeId: visit.store.id, personId: visit.user.id }, make).catch(reject);
  });
}

async function* following(
  visit: Visit,
  first: IteratorResult<string>,
  others: AsyncGenerator<string>,
): AsyncGenerator<string> {
  for (let part = first; part.done !== true; part = await others.next()) {
    yield part.value;
    await visit.requireStillAllowed();
  }
}

async function ended(body: Readable, { request, log }: Visit): Promise<void> {
  const tooLong = setTimeout(() => body.destroy(new Error('the download took too long')), LONGEST_MS);
  await finished(body).catch((err) => log.warn({ err }, 'download ended early'));
  clearTimeout(tooLong);
  // Compression does not pass an error on: the browser would wait for the rest.
  if (body.errored !== null) request.socket.destroy();
}
