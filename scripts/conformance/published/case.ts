import { differences, type Shape } from './shape.ts';
import type { Shop } from './shop.ts';

/** A request as a page shows it, under `/v1` or `/v2`. */
export interface Sent {
  readonly version?: 1 | 2;
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly body?: object;
  /**
   * The key of the request: the shop's (by default), one with only the permission STORE:READ, or none. `compatible` is the
   * shop's. `reader` and `compatible` send requests to the service with ERROR_COMPATIBILITY.
   */
  readonly as?: 'shop' | 'reader' | 'nobody' | 'compatible';
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One fact from a page of AbacatePay's documentation: a request, and what its answer must contain. */
export interface Case {
  /** The page, or the operation of the OpenAPI document in the same repository. */
  readonly page: string;
  readonly fact: string;
  send(shop: Shop): Sent;
  readonly status: number;
  /** Of the whole answer. */
  readonly body: Shape | ((shop: Shop) => Shape);
  /** Why Recebe answers differently. The case must then fail. */
  readonly differs?: string;
}

export const get = (path: string, more: Partial<Sent> = {}): Sent => ({ method: 'GET', path, ...more });
export const post = (path: string, body?: object, more: Partial<Sent> = {}): Sent => ({
  method: 'POST',
  path,
  ...(body !== undefined && { body }),
  ...more,
});

/** The envelope of v2 (page reference/introduction). */
export const ok = (data: Shape): Shape => ({ data, success: true, error: null });
export const failed = (error: Shape): Shape => ({ data: null, success: false, error });

/** The differences between an answer and the page. Empty if there are none. */
export function judge({ status, body }: Case, shop: Shop, answer: Answer): string[] {
  const wrongStatus = answer.status === status ? [] : [`the status is ${answer.status} instead of ${status}`];
  return [...wrongStatus, ...differences(typeof body === 'function' ? body(shop) : body, answer.body)];
}

/** The same answer without its data or error, as a broken service would send it. */
export function broken({ status }: Answer): Answer {
  return { status, body: { data: {}, success: status === 200, error: status === 200 ? null : '' } };
}
