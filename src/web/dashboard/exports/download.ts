import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { FairSlots } from '../../../api/limits/fair-slots.ts';
import { ReadsBesideOthers } from '../../../api/limits/reads-beside-others.ts';
import { requireOwnLink } from '../frame/download-link.ts';
import { checkQuery, readPages } from '../frame/operation.ts';
import { csvFile, type Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { inPieces } from './in-pieces.ts';
import { BYTE_ORDER_MARK, type Sheet, sheetLine } from './sheet.ts';

const WAIT_MS = 10_000;

/** The page's own turn waits meanwhile, which may be one of the two that a store with a debt has. */
const WAIT_FOR_OWN_MS = 2_000;

/** Pages of rows that this process reads for files at once. A file takes a slot only while it reads, so a slow browser holds none. */
const reads = new FairSlots({ count: 16, perOwner: () => 2, waitMs: WAIT_MS });

/** Files of one person: each keeps a page of rows in memory until its browser has taken it. */
const ofPerson = new FairSlots({
  count: Number.POSITIVE_INFINITY,
  perOwner: () => 1,
  waitMs: WAIT_FOR_OWN_MS,
});

/** A browser that takes longer is cut off. */
const LONGEST_MS = 15 * 60_000;

type SheetQuery = Readonly<Record<string, string | undefined>>;

/**
 * Writes the line of a download into the audit log: the file may hold names and tax ids. Check the query first, because the days are
 * part of the line, which stays for ever.
 * @throws LinkOfOtherSite before it is written.
 */
export async function recordDownload(
  visit: Visit,
  { sheet, from = null, to = null }: { readonly sheet: string } & Period,
): Promise<void> {
  requireOwnLink(visit);
  await visit.act('exports/download', 'of environment', async () => null, { sheet, from, to });
}

interface Period {
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** A sheet as a file, and a line about it in the audit log. @throws ApiError as the API does. */
export async function downloadOf(visit: Visit, sheet: Sheet, query: SheetQuery): Promise<Reply> {
  checkQuery(visit, sheet.operation, query);
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
 * that the file is not whole, if a later part fails, if the reader's session or role ends, or if the browser stops reading.
 * @throws ApiError 503 if the person downloads another file, or too many are being made.
 */
export function downloadParts(visit: Visit, name: string, parts: AsyncGenerator<string>): Promise<Reply> {
  const { store, deps } = visit;
  const beside = new ReadsBesideOthers(deps.busy);
  let tookMs = 0;
  const read = async () => {
    const startedMs = performance.now();
    const part = await parts.next();
    tookMs = performance.now() - startedMs;
    return part;
  };
  const next = async () => {
    // The slot is free meanwhile.
    await beside.rest(store.id, tookMs);
    return reads.run(store.id, read);
  };
  return new Promise((resolve, reject) => {
    const send = async () => {
      const first = await next();
      const body = inPieces(following(visit, first, next));
      resolve(csvFile(name, body));
      await ended(body, visit);
      // Someone who loads one short file after the other gives way to other stores as well.
      await beside.rest(store.id, tookMs);
    };
    ofPerson.run(visit.user.id, send).catch(reject);
  });
}

async function* following(
  visit: Visit,
  first: IteratorResult<string>,
  next: () => Promise<IteratorResult<string>>,
): AsyncGenerator<string> {
  for (let part = first; part.done !== true; part = await next()) {
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
