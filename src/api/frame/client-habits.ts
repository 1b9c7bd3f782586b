import { type ParsedUrlQuery, parse } from 'node:querystring';
import { isObject } from '../idempotency/canonical-json.ts';
import type { Route, Spellings } from './route.ts';

/** Accepts undocumented variations that published clients send, if their meaning is clear. */

/**
 * Parameters that published clients send. On a list, `list-habits.ts` checks them; elsewhere they
 * have no effect (contract section 1, "Unknown query parameters").
 */
export const IGNORED_PARAMETERS = ['page', 'offset', 'cursor'];

export type Parameters = ParsedUrlQuery;

/** No limit on the number of parameters: request line and headers are limited to 16 KiB. */
const ALL = { maxKeys: 0 };

/**
 * Parses a query string. Replaces Koa's parser, which is quadratic: it needs 2.7 s for a parameter that is
 * repeated 4,700 times.
 */
export function parametersOf(querystring: string): Parameters {
  return querystring === '' ? {} : parse(querystring, '&', '=', ALL);
}

/**
 * Collects parameters in brackets (`metadata[orderId]`) under their name, if the route accepts it. A repeated
 * parameter keeps both values, so that the schema refuses it.
 */
export function withBrackets(route: Route, query: Parameters): Record<string, unknown> {
  const { metadata } = route.query.shape;
  if (metadata === undefined) return query;
  const entries = Object.entries(query).map(
    ([name, value]) => [BRACKETS.exec(name)?.[1], name, value] as const,
  );
  const inside = entries.flatMap(([key, , value]) => (key === undefined ? [] : [[key, value] as const]));
  if (inside.length === 0) return query;
  const plain = entries.flatMap(([key, name, value]) => (key === undefined ? [[name, value] as const] : []));
  return { ...Object.fromEntries(plain), metadata: Object.fromEntries(inside) };
}

const BRACKETS = /^metadata\[(.*)\]$/;

interface Sent {
  readonly query: Parameters;
  readonly body: unknown;
}

/**
 * Moves `id` to where a POST takes it, if it was sent in the other place. Many clients send it in the body, and documents show it in the
 * query of deletions. An id in both places stays, so that the schema refuses one of them.
 */
export function idWhereTaken(route: Route, { query, body }: Sent): Sent {
  if (route.method !== 'POST') return { query, body };
  if ('id' in route.query.shape) return idInQuery({ query, body });
  const { shape = {} } = (route.body ?? {}) as { readonly shape?: object };
  return 'id' in shape ? idInBody({ query, body }) : { query, body };
}

function idInQuery({ query, body }: Sent): Sent {
  if (query.id !== undefined || !isObject(body) || typeof body.id !== 'string') return { query, body };
  const { id, ...rest } = body;
  return { query: { ...query, id: body.id }, body: rest };
}

function idInBody({ query, body }: Sent): Sent {
  const { id, ...rest } = query;
  if (typeof id !== 'string' || !isObject(body ?? {}) || (isObject(body) && body.id !== undefined))
    return { query, body };
  return { query: rest, body: { ...(body as object | undefined), id } };
}

/**
 * Renames fields of published clients to the documented names. If a field is sent under both names, both
 * stay, so that the schema refuses the body.
 */
export function inOurSpelling(spellings: Spellings | undefined, body: unknown): unknown {
  if (spellings === undefined || !isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const ours = Object.hasOwn(spellings, name) ? spellings[name] : undefined;
      if (typeof ours === 'object') return [name, inOurSpelling(ours, value)];
      return [ours === undefined || Object.hasOwn(body, ours) ? name : ours, value];
    }),
  );
}
