import { registerHooks } from 'node:module';
import { REST } from '@abacatepay/rest';
import type { z } from 'zod';

/**
 * The clients that others publish on npm for the API that this service implements, loaded as they are: only
 * where they send their requests is changed. The originals' address is fixed in some of them.
 */
const ORIGINAL_ADDRESS = 'https://api.abacatepay.com';

// What some of them import lacks the ending of its file's name: bundlers add it, Node does not.
registerHooks({
  resolve(specifier, context, next) {
    const isTheirs = context.parentURL?.includes('/node_modules/@abacatepay/') === true;
    if (!isTheirs || !specifier.startsWith('.')) return next(specifier, context);
    for (const ending of ['.js', '/index.js']) {
      try {
        return next(specifier + ending, context);
      } catch {}
    }
    return next(specifier, context);
  },
});

/** What a client returns: `data` of an answer. */
export interface Shown {
  readonly id: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

type Calls<Name extends string> = Readonly<Record<Name, (...given: unknown[]) => Promise<Shown>>>;
interface Lists {
  list(...given: unknown[]): Promise<readonly Shown[]>;
}

/** As far as tests use it: the package says where its types are, and they are not there. */
export interface Sdk {
  /** For what the SDK has no function of its own. */
  readonly rest: REST;
  readonly customers: Calls<'create' | 'get'> & Lists;
  readonly products: Calls<'create' | 'get'> & Lists;
  readonly coupons: Calls<'create' | 'get'> & Lists;
  readonly checkouts: Calls<'create' | 'get'>;
  readonly pix: Calls<'create' | 'simulate' | 'status'>;
  readonly payouts: Calls<'create' | 'get'> & Lists;
  readonly subscriptions: Calls<'create'> & Lists;
  readonly store: Calls<'get'>;
  readonly mrr: Calls<'get' | 'merchant' | 'revenue'>;
}

/** `@abacatepay/sdk`, which speaks v2. Its addresses end in the version's number. */
export async function publishedSdk({ url, key }: { url: string; key: string }): Promise<Sdk> {
  const { AbacatePay } = await untyped<{ AbacatePay: (options: object) => Sdk }>('@abacatepay/sdk');
  return AbacatePay({ secret: key, rest: { base: `${url}/v` } });
}

/** `@abacatepay/rest`, whose caller names the routes. */
export function publishedRest(version: 1 | 2, { url, key }: { url: string; key: string }): REST {
  return new REST({ base: `${url}/v`, version, secret: key });
}

/**
 * Until it is disposed of, what is sent to the original goes to `url`: for clients that know no other
 * address.
 */
export function sendToOurs(url: string): Disposable {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => fetch(String(input).replace(ORIGINAL_ADDRESS, url), init);
  return {
    [Symbol.dispose]: () => {
      globalThis.fetch = fetch;
    },
  };
}

export type Schemas = Readonly<Record<string, z.ZodType>>;

/** `@abacatepay/zod`, with which callers check answers: it fails on a null where it knows a text. */
export async function publishedSchemas(
  version: 'v1' | 'v2',
): Promise<(name: string, shown: unknown) => void> {
  const schemas = await untyped<Schemas>(`@abacatepay/zod/${version}`);
  return (name, shown) => {
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`@abacatepay/zod/${version} has no ${name}`);
    schema.parse(shown);
  };
}

/**
 * What `@abacatepay/types` gives receivers of webhooks: a check of signatures, with the one key that it
 * knows.
 */
export interface PublishedReceiver {
  readonly ABACATEPAY_SHARED_KEY: string;
  verifyWebhookSignature(rawBody: string, signature: string): boolean;
}

export function publishedReceiver(): Promise<PublishedReceiver> {
  return untyped('@abacatepay/types');
}

/** Loads a package whose types TypeScript does not find. */
async function untyped<Module>(name: string): Promise<Module> {
  return await import(name);
}
