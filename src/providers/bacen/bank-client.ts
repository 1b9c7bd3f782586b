import { randomUUID } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import { parseAnswer } from '../parse-answer.ts';
import { type BacenAccount, mandatePathsOfAccount } from './account.ts';
import { BankError, bankErrorOf } from './bank-error.ts';
import type { AccountSetting } from './profile.ts';
import { TlsAlerts } from './tls-alerts.ts';
import { type Token, TokenCache } from './token-cache.ts';

/** A slower bank is asked again later. */
const TIMEOUT_MS = 15_000;
/** A page of a thousand payments is not larger. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Per account and host. */
const MAX_CONNECTIONS = 16;
/** The assumed life of a token if the bank does not state it. */
const TOKEN_SECONDS = 300;

export interface BankRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The path below the bank's address. Its ids must be letters and digits. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What no other request needs: asked for with a token of its own, since a bank may refuse a token for one scope that it has not granted. */
  readonly scope?: string;
  /** Aborts the request; its effect at the bank is then unknown. */
  readonly signal?: AbortSignal | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/**
 * Requests of one account to its bank, with the account's certificate and token, in the profile's dialect. If the
 * bank rejects the token, the request had no effect, and is repeated once with a new token.
 */
export class BankClient {
  readonly #account: BacenAccount;
  readonly #agent: Agent;
  readonly #tokens: TokenCache;
  readonly #alerts: TlsAlerts;

  constructor(account: BacenAccount, { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}) {
    this.#account = account;
    const { certificate, privateKey, ca } = account.secrets;
    this.#alerts = new TlsAlerts({
      timeout: timeoutMs,
      ...(certificate !== undefined && { cert: certificate }),
      ...(privateKey !== undefined && { key: privateKey }),
      ...(ca !== undefined && { ca }),
      // Some banks support HTTP/1.1 only, and none requires more.
      allowH2: false,
    });
    this.#agent = new Agent({
      connections: MAX_CONNECTIONS,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: MAX_ANSWER_BYTES,
      connect: this.#alerts.connect,
    });
    this.#tokens = new TokenCache(() => this.#askForToken(scopesOf(account)));
  }

  /** @returns the body of a success. @throws BankError for everything else. */
  async send(request: BankRequest): Promise<unknown> {
    const { scope } = request;
    if (scope !== undefined && this.#hasTokensByScope())
      return successOf(request, await this.#request(request, (await this.#askForToken([scope])).text));
    const token = await this.#token();
    const answer = await this.#request(request, token);
    if (answer.status !== 401) return successOf(request, answer);
    this.#tokens.forget(token);
    return successOf(request, await this.#request(request, await this.#token()));
  }

  /** @returns the body, or null if the bank does not know the resource. */
  async find(path: string, signal?: AbortSignal): Promise<unknown> {
    try {
      return await this.send({ method: 'GET', path, signal });
    } catch (error) {
      if (error instanceof BankError && error.status === 404) return null;
      throw error;
    }
  }

  /** The token's scopes; null if the bank does not state them. */
  async scopes(): Promise<readonly string[] | null> {
    return this.#account.secrets.accessToken === undefined ? (await this.#tokens.get()).scopes : null;
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Other banks give one token for everything that the application may do. */
  #hasTokensByScope(): boolean {
    return this.#account.secrets.accessToken === undefined && this.#account.profile.token.scopes !== null;
  }

  async #token(): Promise<string> {
    return this.#account.secrets.accessToken ?? (await this.#tokens.get()).text;
  }

  #request({ method, path, query, headers, body, signal }: BankRequest, token: string): Promise<Answer> {
    const url = new URL(`${this.#account.addresses.api}${path}`);
    for (const [name, value] of Object.entries({ ...query, ...this.#settings(this.#account.profile.query) }))
      url.searchParams.set(name, value);
    const { correlationHeader } = this.#account.profile;
    return this.#exchange(nameOf({ method, path }), url, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(correlationHeader !== null && { [correlationHeader]: randomUUID() }),
        ...this.#settings(this.#account.profile.headers),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
  }

  async #askForToken(scopes: readonly string[] | null): Promise<Token> {
    const { credentials, grantTypeIn, body: form } = this.#account.profile.token;
    const { clientId } = this.#account.settings;
    const { clientSecret = '' } = this.#account.secrets;
    const url = new URL(this.#account.addresses.token);
    const grant = { grant_type: 'client_credentials' };
    if (grantTypeIn === 'QUERY') url.searchParams.set('grant_type', grant.grant_type);
    const fields = {
      ...(grantTypeIn === 'BODY' && grant),
      ...(credentials !== 'BASIC' && { client_id: clientId }),
      ...(credentials === 'FORM' && { client_secret: clientSecret }),
      ...(scopes !== null && { scope: scopes.join(' ') }),
    };
    const isJson = form === 'JSON';
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const answer = await this.#exchange('asking for a token', url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
        ...(credentials === 'BASIC' && { authorization: `Basic ${basic}` }),
      },
      body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    });
    const reply = (parseAnswer(answer.body) ?? {}) as Record<string, unknown>;
    const { access_token: text, expires_in: seconds, scope } = reply;
    const refused = answer.status === 400 ? { ...answer, status: 401 } : answer;
    if (answer.status >= 300) throw tokenErrorOf(refused);
    if (typeof text !== 'string' || text === '')
      throw new BankError('RETRY', answer.status, 'the bank answered without a token');
    const lifeSeconds = Number(seconds) > 0 ? Number(seconds) : TOKEN_SECONDS;
    const granted = typeof scope === 'string' && scope.trim() !== '' ? scope.trim().split(/\s+/) : null;
    return { text, expiresAtMs: Date.now() + lifeSeconds * 1_000, scopes: granted };
  }

  #settings(wanted: Readonly<Record<string, AccountSetting>>): Record<string, string> {
    const { settings } = this.#account;
    const named = Object.entries(wanted).map(([name, setting]) => [name, settings[setting]] as const);
    return Object.fromEntries(named.filter((each): each is [string, string] => each[1] !== undefined));
  }

  async #exchange(
    request: string,
    url: URL,
    options: Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'>,
  ): Promise<Answer> {
    try {
      const { statusCode, headers, body } = await this.#agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        ...options,
      });
      return { status: statusCode, headers, body: await body.text() };
    } catch (error) {
      throw unanswered(request, this.#alerts.of(error), error);
    }
  }
}

/** A bank may refuse a token for a scope that it has not granted, so mandates' are only asked for if they are set up. */
function scopesOf(account: BacenAccount): readonly string[] | null {
  const { token, mandateScopes } = account.profile;
  const { scopes } = token;
  const hasMandates = mandatePathsOfAccount(account) !== null;
  return scopes !== null && hasMandates ? [...scopes, ...mandateScopes] : scopes;
}

function tokenErrorOf(answer: Answer): BankError {
  const error = bankErrorOf('asking for a token', answer);
  if (answer.status !== 401) return error;
  const message = `${error.message}: the bank refuses the client id, the client secret or the certificate`;
  return new BankError(error.kind, answer.status, message);
}

/** The name of a request in errors and logs, without ids and without the PIX key, which may be a person's. */
function nameOf({ method, path }: Pick<BankRequest, 'method' | 'path'>): string {
  const words = path.split('/').map((part) => (/^(?:[a-z-]*|v\d)$/.test(part) ? part : '…'));
  return `${method} ${words.join('/')}`;
}

function successOf({ method, path }: BankRequest, answer: Answer): unknown {
  if (answer.status >= 200 && answer.status < 300) return parseAnswer(answer.body);
  throw bankErrorOf(nameOf({ method, path }), answer);
}

/** Node's codes for an untrusted server certificate; the other codes are the bank's alerts about our certificate. */
const UNTRUSTED = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/** A certificate that either side rejects needs a person; any other failure may pass by itself. */
function unanswered(request: string, alert: string | null, cause: unknown): BankError {
  const code = alert ?? String((cause as { code?: unknown }).code ?? '');
  if (alert === null && UNTRUSTED.test(code)) {
    const remedy = 'give the certificate of its authority with "accounts rotate <id> --ca <file>"';
    return new BankError(
      'UNAUTHORIZED',
      null,
      `${request}: the bank's certificate is not trusted (${code}); ${remedy}`,
      {
        cause,
      },
    );
  }
  const isCertificate =
    /ALERT_(?!INTERNAL_ERROR)|CERT|KEY_VALUES_MISMATCH/.test(code) && !code.startsWith('UND_');
  return isCertificate
    ? new BankError('UNAUTHORIZED', null, `${request}: a certificate was refused (${code})`, { cause })
    : new BankError('RETRY', null, `${request} was not answered (${code})`, { cause });
}
