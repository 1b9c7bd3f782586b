import type { Exchange } from '../relay.ts';

/** Values that are each client's own. */
const OWN = new Set(['customer', 'externalReference', 'url', 'authToken', 'events', 'name']);
const COMPARED_HEADERS = ['access_token', 'content-type'];

/**
 * What differs between two clients in requests that both make, field by field: address, parameters, headers that mean
 * something, and the body. The first of each kind speaks for the others.
 */
export function differencesOf(ours: readonly Exchange[], theirs: readonly Exchange[]) {
  const [we, they] = [factsByKind(ours), factsByKind(theirs)];
  const shared = [...we.keys()].filter((kind) => they.has(kind));
  const differences = shared.flatMap((kind) => {
    const [one, other] = [we.get(kind) ?? new Map(), they.get(kind) ?? new Map()];
    const names = new Set<string>([...one.keys(), ...other.keys()]);
    return [...names]
      .filter((name) => one.get(name) !== other.get(name))
      .map(
        (name) =>
          `${kind} ${name}: ours ${one.get(name) ?? 'nothing'}, theirs ${other.get(name) ?? 'nothing'}`,
      );
  });
  return { shared, differences };
}

function factsByKind(exchanges: readonly Exchange[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const { method, path, headers, body } of exchanges) {
    const { pathname, searchParams } = new URL(path, 'http://asaas.example');
    const address = templateOf(pathname);
    const kind = `${method} ${address.replace(/\/$/, '')}${cardIn(body)}${purposeOf(searchParams)}`;
    if (found.has(kind)) continue;
    const facts = new Map([['address', address]]);
    for (const parameter of searchParams.keys()) facts.set(`parameter ${parameter}`, 'given');
    for (const header of COMPARED_HEADERS)
      if (headers[header] !== undefined) facts.set(`header ${header}`, String(headers[header]));
    for (const [field, value] of leavesOf(body)) facts.set(`field ${field}`, value);
    found.set(kind, facts);
  }
  return found;
}

/** Orders for cards are compared separately from orders for codes. Orders in installments have other fields. */
function cardIn(body: unknown): string {
  const { billingType, installmentCount } = Object(body);
  if (billingType !== 'CREDIT_CARD') return '';
  return installmentCount === undefined ? ':card' : ':installments';
}

/** The purpose of a list: one charge, the installments of a card, cards, or a range of time. */
function purposeOf(parameters: URLSearchParams): string {
  if (parameters.has('externalReference')) return ' of a charge';
  if (parameters.has('installment')) return ' of installments';
  if (parameters.has('billingType')) return ' of cards';
  return [...parameters.keys()].some((name) => name.includes('[')) ? ' of a time' : '';
}

function templateOf(pathname: string): string {
  return pathname.replaceAll(/\/(?:(?:pay|cus)_\w+|pix-\w+|[0-9a-f]{8}-[0-9a-f-]{27})/g, '/{id}');
}

function leavesOf(value: unknown, path: readonly string[] = []): [string, string][] {
  const name = path.join('.');
  if (OWN.has(name)) return [[name, 'its own']];
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]));
  return value === '' && path.length === 0 ? [] : [[name, JSON.stringify(value)]];
}
