import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { createDispatcher, createLoopbackDispatcher } from '../outbound/guarded-dispatcher.ts';
import { isLoopbackHost } from '../outbound/loopback.ts';
import { SourceError } from './source.ts';

/** A page of a hundred objects is not larger. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
/** With pauses of up to a minute: a short outage of the other system does not end an import. */
const MOST_TRIES = 7;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** No list has more pages of a hundred: a server that always says there is more would never end. */
const MOST_PAGES = 100_000;

export interface HttpReaderOptions {
  /** Who answers, in errors. */
  readonly who: string;
  /** The variable of the key, in errors. */
  readonly keyName: string;
  readonly baseUrl: string;
  /** With the key. They appear in no error. */
  readonly headers: Readonly<Record<string, string>>;
  /** Waits between two tries; tests need not. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/**
 * Reads JSON from another system: TLS unless it is this machine, no redirects, bounded answers, and retries that keep to
 * `Retry-After`. It only ever reads.
 */
export class HttpReader {
  readonly #options: HttpReaderOptions;
  readonly #dispatcher: Dispatcher;
  readonly #close: () => Promise<void>;

  /** @throws SourceError if the address is not an https address. */
  constructor(options: HttpReaderOptions) {
    const url = URL.parse(options.baseUrl);
    const isLoopback = url !== null && isLoopbackHost(url.hostname);
    if (url === null || (url.protocol !== 'https:' && !isLoopback))
      throw new SourceError('--api-url: must be an https address');
    this.#options = options;
    const { dispatcher, close } = isLoopback
      ? createLoopbackDispatcher()
      : createDispatcher({ allowPrivateEndpoints: false });
    this.#dispatcher = dispatcher;
    this.#close = close;
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** @returns the parsed answer, or null for a 404. @throws SourceError if there is none after all tries. */
  async find(path: string): Promise<unknown> {
    const { who, keyName, pause = sleep } = this.#options;
    for (let tried = 1; ; tried += 1) {
      const answer = await this.#ask(path);
      if (answer.status === 200) return parsed(who, path, answer.text);
      if (answer.status === 404) return null;
      if (answer.status === 401 || answer.status === 403)
        throw new SourceError(`${who} does not accept the key in ${keyName} (${answer.status})`);
      const isPassing =
        answer.status === 0 || answer.status === 408 || answer.status === 429 || answer.status >= 500;
      if (!isPassing || tried === MOST_TRIES) {
        const what =
          answer.status === 0 ? `did not answer (${answer.text})` : `answered with ${answer.status}`;
        throw new SourceError(`${who} ${what}: GET ${path}`);
      }
      await pause(Math.min(LONGEST_PAUSE_MS, answer.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tried - 1)));
    }
  }

  /** The same, and a 404 is an error. */
  async read(path: string): Promise<unknown> {
    const found = await this.find(path);
    if (found === null) throw new SourceError(`${this.#options.who} has no ${path.split('?')[0]}`);
    return found;
  }

  /**
   * The items of a list, page by page.
   * @param pathOf the path of a page. @param pageOf its items, and the cursor of the next page or null.
   */
  async *items<Cursor extends string | number>(
    pathOf: (cursor: Cursor | null) => string,
    pageOf: (answer: unknown) => { readonly items: unknown; readonly next: Cursor | null },
  ): AsyncGenerator<unknown> {
    let cursor: Cursor | null = null;
    const earlier = new Set<string>();
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const answer = pageOf(await this.read(pathOf(cursor)));
      if (!Array.isArray(answer.items))
        throw new SourceError(`${this.#options.who} answered without a list: GET ${pathOf(null)}`);
      yield* answer.items as readonly unknown[];
      if (answer.next === null) return;
      // Hashes: a cursor may be as long as an answer.
      const next = hash('sha256', String(answer.next));
      if (earlier.has(next)) throw new SourceError(`${this.#options.who} repeats a page of ${pathOf(null)}`);
      earlier.add(next);
      cursor = answer.next;
    }
    throw new SourceError(`${this.#options.who} has no end of ${pathOf(null)}`);
  }

  async #ask(path: string): Promise<{ status: number; text: string; retryAfterMs: number | null }> {
    const { baseUrl, headers } = this.#options;
    try {
      const answer = await request(`${baseUrl.replace(/\/$/, '')}${path}`, {
        dispatcher: this.#dispatcher,
        headers: { accept: 'application/json', ...headers },
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
      });
      const text = await boundedText(answer.body);
      return { status: answer.statusCode, text, retryAfterMs: pauseIn(answer.headers['retry-after']) };
    } catch (error) {
      const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
      return { status: 0, text: String(code ?? name), retryAfterMs: null };
    }
  }
}

async function boundedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw Object.assign(new Error('too large'), { code: 'ANSWER_TOO_LARGE' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(who: string, path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SourceError(`${who} did not answer with JSON: GET ${path}`);
  }
}

/** Seconds, or an instant of HTTP. */
function pauseIn(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,6}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
