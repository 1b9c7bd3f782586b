import { isV1Path, type Route } from '../../../src/api/frame/route.ts';
import { API_ROUTES } from '../../../src/app.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { ApiAnswer, ApiClient } from '../api/api-client.ts';
import type { MoneyApp } from '../api/money-app.ts';
import type { OpenApi, Operation } from '../api/openapi.ts';

/** What must be there before the example of a route can be sent. */
export type Preparation = (shop: ExampleShop) => Promise<void> | void;

const ID = /^(?:[a-z]+_)+[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * A store whose integrator sends what the API reference shows, and nothing else where that is enough. Ids in
 * the examples stand for those that the service gave: they are learned from the answers.
 */
export class ExampleShop {
  readonly app: MoneyApp;
  readonly api: ApiClient;
  readonly storeId: StoreId;
  /** The real id for each id of the examples. */
  readonly ids = new Map<string, string>();
  /** Query parameters that are not sent, though they have examples. */
  readonly leftOut = new Set<string>();
  readonly #document: OpenApi;
  readonly #preparations: Readonly<Record<string, Preparation>>;

  constructor(
    app: MoneyApp,
    { api, storeId }: Awaited<ReturnType<MoneyApp['anotherStore']>>,
    document: OpenApi,
    preparations: Readonly<Record<string, Preparation>>,
  ) {
    this.app = app;
    this.api = api;
    this.storeId = storeId;
    this.#document = document;
    this.#preparations = preparations;
  }

  /**
   * Prepares and sends the examples of these routes, one after the other. Throws where one is not answered by
   * 200.
   */
  async after(...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const route = API_ROUTES.find((each) => nameOf(each) === name);
      if (route === undefined) throw new Error(`there is no route ${name}`);
      const answer = await this.prepareAndSend(route);
      if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`);
    }
  }

  /** @param path one of those that the route is documented at */
  async prepareAndSend(route: Route, path = firstPathOf(route)): Promise<ApiAnswer> {
    await this.#preparations[nameOf(route)]?.(this);
    const operation = this.#document.paths[path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${path} is not documented`);
    const example = operation.requestBody?.content?.['application/json'].example;
    const answer = await this.api.call(`${path}${this.#queryOf(operation)}`, {
      method: route.method,
      ...(example !== undefined && { body: this.#withRealIds(example) }),
    });
    const data = answer.json.data;
    learn(this.ids, route.example.response, route.list && Array.isArray(data) ? data[0] : data);
    return answer;
  }

  /** Every parameter that has an example, at once. */
  #queryOf({ parameters = [] }: Operation): string {
    const query = new URLSearchParams();
    for (const { name, in: place, schema } of parameters) {
      const example = schema?.example ?? schema?.examples?.[0];
      if (place !== 'query' || example === undefined || this.leftOut.has(name)) continue;
      query.set(name, String(this.#withRealIds(example)));
    }
    return query.size === 0 ? '' : `?${query}`;
  }

  #withRealIds(example: unknown): unknown {
    return JSON.parse(JSON.stringify(example), (_, value) => this.ids.get(value) ?? value);
  }
}

/** What a route is called in a table of routes: method, and path without `/v2`. */
export function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function firstPathOf({ path }: Route): string {
  return isV1Path(path) ? path : `/v2${path}`;
}

/** Notes which real id came at the place of which id of the example. */
function learn(ids: Map<string, string>, example: unknown, actual: unknown): void {
  if (typeof example === 'string' && typeof actual === 'string') {
    if (ID.test(example) && ID.test(actual)) ids.set(example, actual);
  } else if (isObject(example) && isObject(actual)) {
    for (const [key, value] of Object.entries(example)) learn(ids, value, actual[key]);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
