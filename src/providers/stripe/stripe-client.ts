import Stripe from 'stripe';
import { type Dispatcher, fetch } from 'undici';
import { createDispatcher, createLoopbackDispatcher } from '../../outbound/guarded-dispatcher.ts';
import { isLoopbackHost } from '../../outbound/loopback.ts';
import { portOf } from '../../outbound/ports.ts';
import { withoutNul } from '../parse-answer.ts';
import { ProviderError } from '../provider-error.ts';
import type { StripeAccount } from './account.ts';
import { StripeCallError } from './stripe-error.ts';

/** The version of Stripe's API that `wire.ts` reads. An update of the SDK must not change it silently. */
const API_VERSION = '2026-10-28.endive';
/** A slower answer is asked for again later. */
const TIMEOUT_MS = 15_000;
/** A page of a hundred intents with their charges is not larger. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Stripe's answer, unparsed. */
export interface StripeAnswer {
  readonly body: unknown;
}

/** Calls of one account to Stripe, by its SDK, through the project's own connections and without the SDK's retries. */
export class StripeClient {
  readonly #sdk: Stripe;
  readonly #close: () => Promise<void>;

  constructor({ apiUrl, secrets }: StripeAccount, { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {}) {
    const { dispatcher, close } = isLoopbackHost(apiUrl.hostname)
      ? createLoopbackDispatcher()
      : createDispatcher({ allowPrivateEndpoints: false });
    this.#close = close;
    this.#sdk = new Stripe(secrets.secretKey, {
      apiVersion: API_VERSION,
      host: apiUrl.hostname,
      port: portOf(apiUrl),
      protocol: apiUrl.protocol === 'http:' ? 'http' : 'https',
      timeout: timeoutMs,
      maxNetworkRetries: 0,
      telemetry: false,
      httpClient: Stripe.createFetchHttpClient(fetchThrough(dispatcher)),
    });
  }

  /** @param what names the call in errors and logs. @throws StripeCallError for every other answer than a success. */
  async call(what: string, ask: (sdk: Stripe) => Promise<object>): Promise<StripeAnswer> {
    try {
      return { body: await ask(this.#sdk) };
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError) throw new StripeCallError(what, error);
      const cause = error instanceof Error ? error.name : 'unknown';
      throw new ProviderError('RETRY', `${what} was not answered (${cause})`, { cause: error });
    }
  }

  /** @returns the unparsed object, or null if Stripe does not know it. */
  async find(what: string, ask: (sdk: Stripe) => Promise<object>): Promise<unknown> {
    try {
      return (await this.call(what, ask)).body;
    } catch (error) {
      if (error instanceof StripeCallError && error.status === 404) return null;
      throw error;
    }
  }

  /** Lets running calls finish. */
  close(): Promise<void> {
    return this.#close();
  }
}

/** Follows no redirect and reads no more than an answer can have. */
function fetchThrough(dispatcher: Dispatcher): typeof globalThis.fetch {
  return async (url, init) => {
    const answer = await fetch(String(url), {
      ...(init as Parameters<typeof fetch>[1]),
      dispatcher,
      redirect: 'error',
    });
    const body = await boundedText(answer.body);
    return new Response(answer.status === 204 ? null : body, {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
    });
  };
}

async function boundedText(body: Awaited<ReturnType<typeof fetch>>['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return withoutNul(Buffer.concat(chunks).toString('utf8'));
}
