import { ConnectionError, errorOf, RecebeError, TimeoutError } from './errors.ts';
import { VERSION } from './generated/version.ts';
import { Pages } from './pages.ts';
import { retryDelayMs } from './retries.ts';

/** How a {@link Recebe} reaches the service. */
export interface RecebeOptions {
  /** `abc_dev_…` or `abc_prod_…`. Keep it on your server. */
  readonly apiKey: string;
  /** Where the service runs, such as `https://pay.example.com`. */
  readonly baseUrl: string;
  /** How long one attempt may take. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** How often a request is repeated after its first attempt. Default: 2. */
  readonly maxRetries?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Settings of a single request. */
export interface RequestOptions {
  /**
   * Only for requests that change something. A request with the same key is carried out once within 24 hours.
   * Default: a random key per call, which all attempts of the call share. Give one of your own, such as your
   * order's id, to stay safe if your program dies in between.
   */
  readonly idempotencyKey?: string;
  /** Cancels the request. The service may have carried it out. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
}

type Query = Readonly<Record<string, unknown>>;

/** The answer of every request that succeeds. */
export interface Envelope<Data> {
  readonly data: Data;
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 2;

/** Sends requests, repeats those that may succeed later, and throws typed errors. */
export class HttpClient {
  readonly #options: RecebeOptions;
  readonly #baseUrl: string;

  constructor(options: RecebeOptions) {
    if (!options.apiKey)
      throw new RecebeError('apiKey is missing: give a key of your store, abc_dev_… or abc_prod_…');
    if (!URL.canParse(options.baseUrl))
      throw new RecebeError(
        'baseUrl must be the address of your Recebe service, such as https://pay.example.com',
      );
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '').replace(/\/v2$/, '');
  }

  async get<Data>(path: string, query?: Query, options?: RequestOptions): Promise<Data> {
    return (await this.#send<Envelope<Data>>(this.#reading(path, query), options)).data;
  }

  /** Sends the same `Idempotency-Key` with every attempt, so that the service carries the request out once. */
  async post<Data>(path: string, body: object = {}, options: RequestOptions = {}): Promise<Data> {
    const headers = {
      ...this.#headers(),
      'Content-Type': 'application/json',
      'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID(),
    };
    const sent: Sent = { method: 'POST', url: this.#baseUrl + path, headers, body: JSON.stringify(body) };
    return (await this.#send<Envelope<Data>>(sent, options)).data;
  }

  list<Item, Extra = unknown>(path: string, query: Query = {}, options?: RequestOptions): Pages<Item, Extra> {
    return new Pages(query, (of) => this.#send(this.#reading(path, of), options));
  }

  #reading(path: string, query: Query = {}): Sent {
    const text = queryText(query);
    return { method: 'GET', url: `${this.#baseUrl}${path}${text && `?${text}`}`, headers: this.#headers() };
  }

  #headers() {
    return {
      Authorization: `Bearer ${this.#options.apiKey}`,
      Accept: 'application/json',
      'User-Agent': `recebe-typescript/${VERSION}`,
    };
  }

  async #send<Answer>(sent: Sent, options: RequestOptions = {}): Promise<Answer> {
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_MAX_RETRIES;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt<Answer>(sent, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        const delayMs = attempt > maxRetries ? null : retryDelayMs(error, attempt);
        if (delayMs === null) throw error;
        await sleep(delayMs, options.signal);
      }
    }
  }

  async #attempt<Answer>(sent: Sent, { signal, timeoutMs }: RequestOptions): Promise<Answer> {
    const limitMs = timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timeout = AbortSignal.timeout(limitMs);
    const { url, ...request } = sent;
    const send = this.#options.fetch ?? fetch;
    let response: Response;
    let text: string;
    try {
      response = await send(url, {
        ...request,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        // A redirect would turn a POST into a GET, and may lead elsewhere.
        redirect: 'manual',
      });
      text = await response.text();
    } catch (cause) {
      if (timeout.aborted) throw new TimeoutError(`No answer within ${limitMs} ms`, { cause });
      throw new ConnectionError(`The service could not be reached: ${messageOf(cause)}`, { cause });
    }
    const answer = parsed(text);
    if (!response.ok) throw errorOf(response, answer, text);
    if (answer === undefined) throw new ConnectionError('The answer is incomplete or not from Recebe');
    return answer as Answer;
  }
}

/** Fields that are undefined are left out, and `metadata` becomes `metadata[key]=value`. */
function queryText(query: Query): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object') text.append(name, String(value));
    else if (Array.isArray(value)) text.append(name, value.join(','));
    else for (const [key, of] of Object.entries(value)) text.append(`${name}[${key}]`, String(of));
  }
  return text.toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
