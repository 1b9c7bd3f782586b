import { randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import { type BacenProfile, SCOPES } from '../../src/providers/bacen/profile.ts';
import { Problem } from './problem.ts';

/** The credentials that the contract with a bank gives its customer. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * OAuth 2.0 client credentials, exactly as the bank's profile requires. Requests in the style of another bank are refused, so
 * that a client that confuses banks fails.
 */
export class Tokens {
  readonly #profile: BacenProfile;
  readonly #credentials: ClientCredentials;
  readonly #lifetimeSeconds: number;
  readonly #now: () => Date;
  readonly #scopes: readonly string[];
  readonly #withheld: readonly string[];
  #given = new Map<string, number>();
  /** The number of tokens that were requested and issued. */
  givenCount = 0;

  constructor(options: {
    readonly profile: BacenProfile;
    readonly credentials: ClientCredentials;
    readonly lifetimeSeconds: number;
    readonly now: () => Date;
    /** Scopes that the bank has not granted to its customer's application. */
    readonly withheld?: readonly string[];
  }) {
    this.#profile = options.profile;
    this.#credentials = options.credentials;
    this.#lifetimeSeconds = options.lifetimeSeconds;
    this.#now = options.now;
    const { token, send, mandates, mandateScopes } = options.profile;
    const { withheld = [] } = options;
    const all = [
      ...(token.scopes ?? SCOPES),
      ...(mandates === null ? [] : mandateScopes),
      ...(send?.scopes ?? []),
    ];
    this.#withheld = withheld;
    this.#scopes = all.filter((scope) => !withheld.includes(scope));
  }

  /** Answers a request for a token. */
  give(ctx: Context, body: string): void {
    const refusal = this.#refusalOf(ctx, body);
    if (refusal !== null) {
      ctx.status = 401;
      ctx.body = { error: refusal, error_description: 'Invalid or inactive credentials' };
      return;
    }
    const token = randomUUID();
    this.#given.set(token, this.#now().getTime() + this.#lifetimeSeconds * 1_000);
    this.givenCount += 1;
    ctx.body = {
      access_token: token,
      token_type: 'Bearer',
      expires_in: this.#lifetimeSeconds,
      scope: this.#scopes.join(' '),
    };
  }

  isValid(authorization: string | undefined): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
    return (this.#given.get(token) ?? 0) > this.#now().getTime();
  }

  /** @throws Problem if the application was not granted the scope. */
  requireScope(scope: string): void {
    if (this.#scopes.includes(scope)) return;
    throw new Problem('insufficient_scope', 'Access token has insufficient scope');
  }

  /** Checks a scope for which applications request a separate token. @throws Problem if the application was not granted it. */
  refuseWithheld(scope: string): void {
    if (this.#withheld.includes(scope))
      throw new Problem('insufficient_scope', 'Access token has insufficient scope');
  }

  expireAll(): void {
    this.#given = new Map();
  }

  #refusalOf(
    ctx: Context,
    body: string,
  ): 'invalid_client' | 'invalid_request' | 'unsupported_grant_type' | null {
    const { credentials, grantTypeIn, scopes, body: form } = this.#profile.token;
    const isJson = ctx.is('json') !== false && ctx.is('json') !== null;
    if (isJson !== (form === 'JSON')) return 'invalid_request';
    const fields = isJson
      ? (JSON.parse(body) as Record<string, string>)
      : Object.fromEntries(new URLSearchParams(body));
    const grantType = grantTypeIn === 'QUERY' ? ctx.query.grant_type : fields.grant_type;
    if (grantType !== 'client_credentials') return 'unsupported_grant_type';
    if (scopes !== null && !fields.scope) return 'invalid_request';
    const { clientId, clientSecret } = this.#credentials;
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const isKnown =
      credentials === 'BASIC'
        ? ctx.get('authorization') === basic
        : fields.client_id === clientId &&
          (credentials === 'FORM_WITHOUT_SECRET'
            ? fields.client_secret === undefined
            : fields.client_secret === clientSecret);
    return isKnown ? null : 'invalid_client';
  }
}
