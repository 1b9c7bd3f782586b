import { type ApiAnswer, type ApiClient, type CallOptions, dataOf } from './api-client.ts';
import { expectDocumented, type OpenApi, readOpenApi } from './openapi.ts';

/** Calls v1, and holds each answer against the API reference and against what every answer of v1 has. */
export class V1Client {
  readonly #api: ApiClient;
  readonly #document: OpenApi;

  private constructor(api: ApiClient, document: OpenApi) {
    this.#api = api;
    this.#document = document;
  }

  static async of(api: ApiClient): Promise<V1Client> {
    return new V1Client(api, await readOpenApi(api));
  }

  /** The same with another key. */
  as({ key }: ApiClient): V1Client {
    return new V1Client(this.#api.as(key), this.#document);
  }

  /** @param path below `/v1` */
  get(path: string, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.#call('GET', path, options);
  }

  /** @param path below `/v1` */
  post(path: string, body: unknown = {}, options: CallOptions = {}): Promise<ApiAnswer> {
    return this.#call('POST', path, { body, ...options });
  }

  /** `data` of a list. */
  async list<Item>(path: string): Promise<Item[]> {
    return dataOf<Item[]>(await this.get(path));
  }

  async #call(method: 'GET' | 'POST', path: string, options: CallOptions): Promise<ApiAnswer> {
    const answer = await this.#api.call(`/v1${path}`, { method, ...options });
    expectDocumented(this.#document, method, `/v1${path.split('?')[0]}`, answer);
    expectV1(answer);
    return answer;
  }
}

/**
 * @throws if an answer has another envelope than v1's, or no sunset header (contract section 1).
 */
function expectV1({ json, headers, text }: ApiAnswer): void {
  const { message } = json as { message?: string };
  const envelope = json.error === null ? 'data,error' : 'data,error,message,code';
  if (Object.keys(json).join() !== envelope || message !== (json.error ?? undefined))
    throw new Error(`not the envelope of v1: ${text}`);
  const end = [headers.get('Deprecation'), headers.get('Sunset')];
  if (end.join() !== '@1776643200,Thu, 02 Mar 2028 03:00:00 GMT')
    throw new Error(`lacks the headers about the end of v1: ${end}`);
}
