import { createHash } from 'node:crypto';
import type { ApiAddress } from '../instance.ts';

/** The API refused, or did not respond. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  /** An error code of the API, or `UNREACHABLE`. */
  readonly code: string;
  /** Of the response; null if there was none. */
  readonly status: number | null;

  constructor(code: string, message: string, status: number | null) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

interface Envelope<Data> {
  readonly data: Data;
  readonly error: string | null;
  readonly code?: string;
}

/** A client for a service's API. Responses are trusted to have their documented shape. */
export class Api {
  readonly url: string;
  readonly #key: string;

  constructor({ url, key }: ApiAddress) {
    this.url = url.replace(/\/$/, '');
    this.#key = key;
  }

  /** Identifies the key without revealing it. */
  get keyDigest(): Buffer {
    return createHash('sha256').update(this.#key).digest();
  }

  /** Whether the key's money is simulated. */
  get isDevMode(): boolean {
    return this.#key.startsWith('abc_dev_');
  }

  /** @param query undefined values are omitted. @throws ApiFailure */
  get<Data>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<Data> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
    return this.#data<Data>(`${path}${search}`, {});
  }

  /** @throws ApiFailure */
  post<Data = { readonly id: string }>(path: string, body: object = {}): Promise<Data> {
    const headers = { 'Content-Type': 'application/json' };
    return this.#data<Data>(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** The raw response. @throws ApiFailure if there is no response, or it is an error. */
  async send(path: string, { headers, ...request }: RequestInit): Promise<Response> {
    const sent = { ...request, headers: { ...headers, Authorization: `Bearer ${this.#key}` } };
    const response = await fetch(`${this.url}/v2/${path}`, sent).catch((error: unknown) => {
      if (request.signal?.aborted) throw error;
      throw new ApiFailure('UNREACHABLE', `${this.url} does not answer (${reasonOf(error)})`, null);
    });
    if (!response.ok) throw await refusalOf(response);
    return response;
  }

  async #data<Data>(path: string, request: RequestInit): Promise<Data> {
    const response = await this.send(path, request);
    return ((await response.json()) as Envelope<Data>).data;
  }
}

async function refusalOf(response: Response): Promise<ApiFailure> {
  const text = await response.text().catch(() => '');
  try {
    const { code, error } = JSON.parse(text) as Envelope<null>;
    if (code !== undefined) return new ApiFailure(code, error ?? code, response.status);
  } catch {
    // The response came from a proxy or from another service.
  }
  return new ApiFailure('UNEXPECTED_ANSWER', `${response.url} answers ${response.status}`, response.status);
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? String(error);
}
