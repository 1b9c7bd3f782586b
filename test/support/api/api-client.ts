import { servedPaths } from '../../../src/api/frame/route-paths.ts';
import { codesByStatus } from '../../../src/api/openapi/answers.ts';
import { API_ROUTES } from '../../../src/app.ts';

/** What the API answered. `json` is any envelope or plain JSON; tests look into it with matchers. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Answer;
}

/** The envelope of contract section 1, as a test may look at it. */
export interface Answer {
  readonly data: unknown;
  readonly success: boolean;
  readonly error: string | null;
  readonly code?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  readonly moreIssues?: number;
  readonly pagination?: {
    readonly hasMore: boolean;
    readonly next: string | null;
    readonly before: string | null;
  };
}

export interface CallOptions {
  /** Default: POST when there is a body, else GET. */
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, for what no JSON serialiser would write. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Default: the client's own key; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls one API with one key, over real HTTP. */
export class ApiClient {
  readonly url: string;
  readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** The same API through another key. */
  as(key: string): ApiClient {
    return new ApiClient(this.url, key);
  }

  get(path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.call(path, options);
  }

  post(path: string, body: unknown = {}, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.call(path, { body, ...options });
  }

  async call(
    path: string,
    { method, body, raw, key = this.key, headers = {} }: CallOptions,
  ): Promise<ApiAnswer> {
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.url + path, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        ...(sent !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== null && { Authorization: `Bearer ${key}` }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const type = response.headers.get('content-type') ?? '';
    // A stream has no end to wait for.
    if (type.startsWith('text/event-stream')) await response.body?.cancel();
    const text = response.bodyUsed ? '' : await response.text();
    const isJson = type.startsWith('application/json');
    const json = isJson ? JSON.parse(text) : null;
    if (json?.code !== undefined) checkListed(response, path, json.code);
    return { status: response.status, headers: response.headers, text, json };
  }
}

/** So that no test of any file meets an error code that the API reference does not list for its route. */
function checkListed({ status }: Response, path: string, code: string): void {
  const [served = ''] = path.split('?');
  const routes = API_ROUTES.filter((route) => servedPaths(route).includes(served));
  const isListed = routes.some((route) =>
    codesByStatus(route)
      .get(status)
      ?.some((listed) => listed === code),
  );
  // What the whole of v1 answers after its end is no route's own, and is listed with each of its paths.
  const isOfNoRoute = code === 'METHOD_NOT_ALLOWED' || code === 'GONE';
  if (routes.length > 0 && !isOfNoRoute && !isListed) {
    throw new Error(`the API reference does not list ${code} with ${status} for ${served}`);
  }
}

/** `data` of a success, or a failure of the test that shows what came instead. */
export function dataOf<Data>(answer: ApiAnswer): Data {
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  return answer.json.data as Data;
}
