import { Agent } from 'undici';
import { parseAnswer } from '../parse-answer.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';
import type { AsaasAccount } from './account.ts';

/** A slower answer is looked up later. */
const TIMEOUT_MS = 15_000;
/** A page of a hundred payments is smaller. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const MAX_CONNECTIONS = 8;
const REASON_MAX_LENGTH = 200;
/** Without a connection the request was not sent. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

interface AsaasRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the address of the API, such as `/v3/payments`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An unsuccessful answer of Asaas, or none. */
export class AsaasError extends ProviderError {
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Why Asaas refused a well-formed request; null if it did not decide. */
  readonly refusal: string | null;
  /** Whether there was no connection, so that the request had no effect. */
  readonly isUnsent: boolean;

  constructor(
    kind: ProviderErrorKind,
    message: string,
    details: {
      readonly status?: number;
      readonly refusal?: string;
      readonly isUnsent?: boolean;
      readonly retryAfterMs?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(kind, message, details);
    this.status = details.status ?? null;
    this.refusal = details.refusal ?? null;
    this.isUnsent = details.isUnsent ?? false;
  }
}

/** Requests of one account to Asaas (API v3). */
export class AsaasClient {
  readonly #account: AsaasAccount;
  readonly #agent: Agent;

  constructor(account: AsaasAccount, { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}) {
    this.#account = account;
    this.#agent = new Agent({
      connections: MAX_CONNECTIONS,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: MAX_ANSWER_BYTES,
    });
  }

  /** @returns the body of a success. @throws AsaasError for everything else. */
  async send({ method, path, query = {}, body }: AsaasRequest): Promise<unknown> {
    const url = new URL(path, this.#account.apiUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const request = `${method} ${path.replaceAll(/\/(?:[a-z]+_[^/]+|[0-9a-f-]{36})/g, '/…')}`;
    const { statusCode, headers, text } = await this.#exchange(request, url, method, body);
    const reply = parseAnswer(text);
    if (statusCode >= 200 && statusCode < 300) {
      if (reply !== null) return reply;
      throw new AsaasError('RETRY', `${request} was answered without JSON`, { status: statusCode });
    }
    throw refusalOf(request, statusCode, reply, headers['retry-after']);
  }

  /** @returns the body, or null if Asaas does not know the resource. */
  async find(path: string): Promise<unknown> {
    try {
      return await this.send({ method: 'GET', path });
    } catch (error) {
      if (error instanceof AsaasError && error.status === 404) return null;
      throw error;
    }
  }

  /** Closes its connections once no request is under way. */
  close(): Promise<void> {
    return this.#agent.close();
  }

  async #exchange(request: string, url: URL, method: AsaasRequest['method'], body: unknown) {
    try {
      const answer = await this.#agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: {
          accept: 'application/json',
          access_token: this.#account.secrets.apiKey,
          // Accounts made since June 2024 must name their program.
          'user-agent': 'recebe',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { statusCode: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    } catch (cause) {
      const code = String((cause as { code?: unknown }).code ?? '');
      const isUnsent = UNSENT.includes(code);
      throw new AsaasError('RETRY', `${request} was not answered (${code})`, { cause, isUnsent });
    }
  }
}

function refusalOf(request: string, status: number, reply: unknown, retryAfter: unknown): AsaasError {
  const codes = errorsIn(reply).map(({ code }) => code);
  const message = `${request} was answered with ${status} ${codes.join(' ')}`.trim();
  // Without a body of Asaas' form, a gateway answered, and nothing is decided.
  const isRefusal = status === 400 && codes.length > 0;
  const reason = errorsIn(reply).map(({ description }) => description);
  return new AsaasError(status === 400 && !isRefusal ? 'RETRY' : kindOf(status), message, {
    status,
    retryAfterMs:
      typeof retryAfter === 'string' && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : null,
    ...(isRefusal && { refusal: reason.join(' ').slice(0, REASON_MAX_LENGTH) || message }),
  });
}

function kindOf(status: number): ProviderErrorKind {
  if (status === 401 || status === 403) return 'UNAUTHORIZED';
  if (status === 429) return 'RATE_LIMITED';
  return status === 408 || status >= 500 ? 'RETRY' : 'INVALID';
}

/** The errors of Asaas' form: `{"errors": [{"code", "description"}]}`. */
function errorsIn(reply: unknown): { code: string; description: string }[] {
  const errors = (reply as { errors?: unknown } | null)?.errors;
  if (!Array.isArray(errors)) return [];
  return errors.map((each: { code?: unknown; description?: unknown } | null) => ({
    code: String(each?.code ?? ''),
    description: String(each?.description ?? ''),
  }));
}
