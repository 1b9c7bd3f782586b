import { type ParsedUrlQuery, parse } from 'node:querystring';
import { isObject } from './canonical-json.ts';
import type { Route, Spellings } from './route.ts';

/**
 * What published clients of this API do in their own way, where it is plain what they mean. Served so that
 * they work unchanged; not documented as another way.
 */

/** They send these to lists that never knew them (contract section 1, "Unknown query parameters"). */
export const IGNORED_PARAMETERS = ['page', 'offset', 'cursor'];

export type Parameters = ParsedUrlQuery;

/** As many as there are; headers and address together have 16 KiB. */
const ALL = { maxKeys: 0 };

/**
 * The parameters of an address, by their names. Koa looks at all of them for each: 2.7 s for one that is sent
 * 4 700 times.
 */
export function parametersOf(querystring: string): Parameters {
  return querystring === '' ? {} : parse(querystring, '&', '=', ALL);
}

/**
 * The parameters of a route, of which those in brackets (`metadata[orderId]`) are put together under their name where
 * the route takes such a one. One that is sent twice keeps both values, and is refused by its schema.
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

/**
 * An operation that takes an `id` as its parameter takes it from the body as well, where many clients put it.
 */
export function idInQuery(
  route: Route,
  query: Parameters,
  body: unknown,
): { query: Parameters; body: unknown } {
  const takesId = route.method === 'POST' && 'id' in route.query.shape;
  if (!takesId || query.id !== undefined || !isObject(body) || typeof body.id !== 'string') {
    return { query, body };
  }
  const { id, ...rest } = body;
  return { query: { ...query, id: body.id }, body: rest };
}

/**
 * The body with the fields' own names. A field that is sent by both keeps both, and is refused by its schema.
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
