import type { DefaultContext, Middleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { KeyCaller } from './caller.ts';

/** What middleware leaves on `ctx.state` for what comes after it. */
export interface ApiState {
  /** On every response and log line (contract section 1, "Request id"). */
  requestId: string;
  /** Adds the request id, and once known the store's and the key's, to its lines. */
  log: Logger;
  /** The path pattern that matched, for the request's log line. */
  route?: string;
  /** Why the API has refused it (contract section 1), for the same line. */
  code?: string;
  /** Ids of what the request was about, for its log line. */
  about?: Readonly<Record<string, string>>;
  /** Set once the API key is known. */
  caller?: KeyCaller;
  /** Of a request that was refused before its key was looked up. */
  storeId?: string;
  /** Of a request that was one too many: how many others had no line in the log; null for one that gets none itself. */
  alsoRefused?: number | null;
}

export type ApiContext = ParameterizedContext<ApiState, DefaultContext>;
export type ApiMiddleware = Middleware<ApiState, DefaultContext>;
