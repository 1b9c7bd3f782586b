import type { DefaultContext, Middleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { KeyCaller } from '../keys/caller.ts';
import type { ListBody } from './list-body.ts';

/** Values that middleware puts on `ctx.state`. */
export interface ApiState {
  /** On every response and log line (contract section 1, "Request id"). */
  requestId: string;
  /** Adds the request id to its lines, and the store's and key's ids once known. */
  log: Logger;
  /** The matched path pattern, for the request's log line. */
  route?: string;
  /** The error code of a refusal (contract section 1), for the same line. */
  code?: string;
  /** Ids of the objects concerned, for the request's log line. */
  about?: Readonly<Record<string, string>>;
  /** Set for a list, for versions with another envelope. */
  list?: Omit<ListBody, 'body'>;
  /** Set once the API key is known. */
  caller?: KeyCaller;
  /** Set if the request was refused before its key was looked up. */
  storeId?: string;
  /**
   * Set for a request over a rate limit: how many others had no log line; null if this one has none either.
   */
  alsoRefused?: number | null;
}

export type ApiContext = ParameterizedContext<ApiState, DefaultContext>;
export type ApiMiddleware = Middleware<ApiState, DefaultContext>;
