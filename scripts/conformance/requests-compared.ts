import type { Exchange } from './relay.ts';

/** The facts of one kind of request by a client, without ids and instants. */
type Facts = ReadonlyMap<string, string>;

/** Operations by the part of the address after the bank's own base path. */
const OPERATIONS: readonly (readonly [string, RegExp])[] = [
  ['rec', /\/rec\/[A-Za-z0-9]{29}$/],
  ['list of rec', /\/rec$/],
  ['locrec', /\/locrec$/],
  ['cobr', /\/cobr\/[A-Za-z0-9]{26,35}$/],
  ['retry', /\/cobr\/[A-Za-z0-9]+\/retentativa\/[\d-]+$/],
  ['webhookrec', /\/webhookrec$/],
  ['webhookcobr', /\/webhookcobr$/],
  ['cob', /\/cob\/[A-Za-z0-9]{26,35}$/],
  ['cobv', /\/cobv\/[A-Za-z0-9]{26,35}$/],
  ['refund', /\/pix\/[A-Za-z0-9]+\/devolucao\/[A-Za-z0-9]+$/],
  ['pix', /\/pix\/[A-Za-z0-9]+$/],
  ['list of pix', /\/pix$/],
  ['webhook', /\/webhook\/[^/]+$/],
  ['token', /\/(token|oauth\/v2\/token|token\.oauth2)$/],
];

/** Headers of the libraries themselves or of one connection. */
const WITHOUT_MEANING = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'user-agent',
  'sec-fetch-mode',
  'cookie',
]);

/**
 * What differs between two clients in requests of the same kind that both have made, field by field: method and address,
 * names of parameters, headers that mean something, every field of the body. The first of each kind speaks for the others.
 * @param withBodies whether the other client makes its bodies itself.
 */
export function differencesOf(
  ours: readonly Exchange[],
  theirs: readonly Exchange[],
  { withBodies }: { readonly withBodies: boolean },
): string[] {
  const [we, they] = [factsByOperation(ours, withBodies), factsByOperation(theirs, withBodies)];
  return [...we].flatMap(([operation, facts]) => {
    const others = they.get(operation);
    if (others === undefined) return [];
    const names = new Set([...facts.keys(), ...others.keys()]);
    return [...names]
      .filter((name) => facts.get(name) !== others.get(name))
      .map(
        (name) =>
          `${operation} ${name}: ours ${facts.get(name) ?? 'nothing'}, theirs ${others.get(name) ?? 'nothing'}`,
      );
  });
}

function factsByOperation(exchanges: readonly Exchange[], withBodies: boolean): Map<string, Facts> {
  const found = new Map<string, Facts>();
  for (const exchange of exchanges) {
    const { pathname, searchParams } = new URL(exchange.path, 'http://bank.example');
    const operation = OPERATIONS.find(([, pattern]) => pattern.test(pathname))?.[0];
    if (operation === undefined) continue;
    const name = `${exchange.method} ${operation}`;
    if (found.has(name)) continue;
    const isToken = operation === 'token';
    const facts = new Map([['address', templateOf(pathname)]]);
    for (const parameter of searchParams.keys()) facts.set(`parameter ${parameter}`, 'given');
    for (const [header, value] of Object.entries(exchange.headers))
      if (!WITHOUT_MEANING.has(header)) facts.set(`header ${header}`, headerOf(header, String(value)));
    if (withBodies || isToken)
      for (const [field, value] of leavesOf(fieldsOf(exchange.body))) facts.set(`field ${field}`, value);
    found.set(name, facts);
  }
  return found;
}

/** Ids left open: they are each client's own. */
function templateOf(pathname: string): string {
  return pathname
    .replace(/\/(cobv?|cobr)\/[^/]+$/, '/$1/{txid}')
    .replace(/\/rec\/[^/]+$/, '/rec/{idRec}')
    .replace(/\/cobr\/[^/]+\/retentativa\/[^/]+$/, '/cobr/{txid}/retentativa/{data}')
    .replace(/\/webhook\/[^/]+$/, '/webhook/{chave}')
    .replace(/\/pix\/[^/]+\/devolucao\/[^/]+$/, '/pix/{e2eid}/devolucao/{id}')
    .replace(/\/pix\/E[^/]+$/, '/pix/{e2eid}');
}

/** Credentials by their scheme, media types without their alphabet. */
function headerOf(name: string, value: string): string {
  if (name === 'authorization') return value.split(' ')[0] ?? '';
  if (name === 'content-type') return value.split(';')[0] ?? '';
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value) ? 'a new id' : value;
}

function fieldsOf(body: unknown): unknown {
  return typeof body === 'string' && body.includes('=')
    ? Object.fromEntries(new URLSearchParams(body))
    : body;
}

function leavesOf(value: unknown, path: readonly string[] = []): [string, string][] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...path, name]));
  if (value === '' && path.length === 0) return [];
  const name = path.join('.');
  // Words in any order.
  if (name === 'scope')
    return String(value)
      .split(' ')
      .map((scope) => [`scope ${scope}`, 'given']);
  // An address is its owner's own.
  return [[name, name === 'webhookUrl' ? 'an address' : JSON.stringify(value)]];
}
