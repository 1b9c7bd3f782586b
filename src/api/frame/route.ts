import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Permission } from '../../domain/permission.ts';
import type { KeyCaller } from './caller.ts';
import type { CsvColumns } from './csv.ts';
import type { ErrorCode } from './errors.ts';
import type { Page } from './pagination.ts';
import type { ApiRequest } from './request.ts';

/**
 * The form of a query or body: every parameter of a query is text, and its schema makes of it what it stands
 * for.
 */
type AnySchema = z.ZodType;
type QuerySchema = z.ZodObject;

/**
 * By the name that a client gives a field: the field's own name, or the spellings of the fields within it.
 */
export interface Spellings {
  readonly [sent: string]: string | Spellings;
}

/** What all routes say of themselves, whatever they take and give. */
interface RouteFacts {
  readonly method: 'GET' | 'POST';
  /**
   * Without version: served under `/v2` and unprefixed (contract section 1, "Prefix"). With `/v1/` in front:
   * what only v1 has, and served there only.
   */
  readonly path: `/${string}`;
  /** Served under `/v1` too, in its envelope: v1 has the same operation (contract section 3). */
  readonly alsoV1?: true;
  /**
   * The method that published clients call it with instead; served, and not documented as another operation.
   */
  readonly alias?: 'DELETE' | 'PATCH' | 'POST';
  /** Names by which published clients send fields of the body; taken, and not documented either. */
  readonly spellings?: Spellings;
  /** A few words for the API reference's table of contents. */
  readonly summary: string;
  /** Markdown for the API reference: what an integrator must know beyond the schemas. */
  readonly description?: string;
  /**
   * What the key must hold: one permission, any one of several, or null where a valid key is enough (contract
   * section 2).
   */
  readonly permission: Permission | readonly Permission[] | null;
  /** What the key must hold as well: of an operation that shows what several others guard. */
  readonly alsoNeeds?: readonly Permission[];
  /**
   * Whether the handler waits for a workflow. No transaction is open around it then, and it must be safe to be
   * carried out twice.
   */
  readonly waitsForWorkflow?: true;
  /** Whether the handler writes a line of the audit log for an API key (contract section 12). */
  readonly audited?: true;
  /** What the route itself may answer; those of the frame (401, 403, 415, …) are added by it. */
  readonly errors: readonly ErrorCode[];
}

/**
 * A route as it is served and documented. Made by {@link route}, {@link listRoute}, {@link streamRoute} and
 * {@link v1ListRoute} only, which check its types.
 */
export interface Route extends RouteFacts {
  readonly query: QuerySchema;
  readonly body: AnySchema | null;
  /** The form of `data`, or of each item in it when `list` is set. */
  readonly response: AnySchema;
  readonly list: boolean;
  /** What the answer of a list has beside its objects; empty for most. */
  readonly listFields: z.ZodObject;
  /** Whether the answer is a stream of server-sent events, each with an item as its `data`. */
  readonly stream: boolean;
  /** What a list shows as CSV; null where it does not. */
  readonly csv: CsvColumns<unknown> | null;
  /**
   * An example of the request's body, and of one `data` or item. Query parameters carry their own, by
   * `.meta()`.
   */
  readonly example: { readonly body?: unknown; readonly response: unknown; readonly listFields?: object };
  readonly prepare: ((request: ApiRequest) => Promise<unknown>) | null;
  readonly refresh: ((request: ApiRequest, made: Made) => Promise<unknown>) | null;
  readonly warning: ((body: unknown) => string | null) | null;
  readonly handler: (request: ApiRequest, prepared: unknown) => Promise<unknown>;
}

/** A route whose answer is known to the compiler: what the dashboard carries out. */
export interface Operation<Answer> extends Route {
  readonly handler: (request: ApiRequest, prepared: unknown) => Promise<Answer>;
}

/** What an operation has made, as its answer names it. */
export interface Made {
  readonly id: string;
}

interface Definition<
  Query extends QuerySchema,
  Body extends AnySchema,
  Response extends AnySchema,
  Prepared,
  Result,
> extends RouteFacts {
  /** Values are text. Parameters that are not among these are refused. */
  readonly query?: Query;
  /**
   * What is answered instead of an answer that is replayed, or that the handler wants refreshed
   * ({@link ApiRequest.refreshAnswer}): what was made, as it is now. Null keeps the answer. No transaction is open.
   */
  readonly refresh?: (
    request: ApiRequest<z.output<Query>, z.output<Body>>,
    made: Made,
  ) => Promise<NoInfer<Result> | null>;
  /** What a success warns of in the header `X-Warning`, also when it is replayed; null for nothing. */
  readonly warning?: (body: z.output<Body>) => string | null;
  /** A `z.strictObject`, so that unknown fields are refused; an empty body is read as `{}`. POST only. */
  readonly body?: Body;
  readonly response: Response;
  readonly example: {
    readonly body?: z.input<Body>;
    readonly response: z.output<Response>;
  };
  /**
   * What must happen before any transaction is open, such as a look at DNS. Skipped when an answer is
   * replayed.
   */
  readonly prepare?: (request: ApiRequest<z.output<Query>, z.output<Body>>) => Promise<Prepared>;
  readonly handler: (
    request: ApiRequest<z.output<Query>, z.output<Body>>,
    prepared: Prepared,
  ) => Promise<Result>;
}

const noQuery = z.object({});
type NoQuery = typeof noQuery;
const noBody = z.strictObject({});
type NoBody = typeof noBody;

/** A route that answers one object. The handler's result is checked against `response` by the compiler. */
export function route<
  Response extends AnySchema,
  Query extends QuerySchema = NoQuery,
  Body extends AnySchema = NoBody,
  Prepared = undefined,
>(
  definition: Definition<Query, Body, Response, Prepared, z.output<Response>>,
): Operation<z.output<Response>> {
  return erased(definition, definition.query ?? noQuery, false);
}

const LIMIT_RULE = 'must be a whole number from 1 to 100, in digits only';

/** Parameters of every list (contract section 1, "Pagination"). */
const pageQuery = z.object({
  limit: z
    .string({ error: LIMIT_RULE })
    .regex(/^(?:[1-9]\d?|100)$/, { error: LIMIT_RULE })
    .transform(Number)
    .default(100)
    .meta({
      description: 'How many objects to return, 1 to 100.',
      override: { type: 'integer', minimum: 1, maximum: 100, default: 100 },
      example: 100,
    }),
  after: z.string().optional().meta({ description: 'Go on after a page: its `pagination.next`.' }),
  before: z.string().optional().meta({ description: 'Go back before a page: its `pagination.before`.' }),
});
type PageQuery<Query extends QuerySchema> = z.ZodObject<Query['shape'] & (typeof pageQuery)['shape']>;

const noFields = z.object({});
/** What stands beside a page; nothing where nothing is declared. */
type FieldsOf<Fields> = Fields extends z.ZodObject ? z.output<Fields> : unknown;

/**
 * A GET route that answers a page of objects, newest first; `limit`, `after` and `before` are added to its
 * query. What its handler answers with beside the page is `listFields`.
 */
export function listRoute<
  Response extends AnySchema,
  Query extends QuerySchema = NoQuery,
  Fields extends z.ZodObject | undefined = undefined,
>(
  definition: Omit<
    Definition<PageQuery<Query>, NoBody, Response, undefined, Page<z.output<Response>> & FieldsOf<Fields>>,
    'query' | 'method' | 'body' | 'prepare' | 'refresh' | 'example'
  > & {
    readonly query?: Query;
    readonly listFields?: Fields;
    readonly csv?: CsvColumns<z.output<Response>>;
    readonly example: { readonly response: z.output<Response>; readonly listFields?: FieldsOf<Fields> };
  },
): Operation<Page<z.output<Response>> & FieldsOf<Fields>> {
  const query = z.object({ ...definition.query?.shape, ...pageQuery.shape });
  return erased({ ...definition, method: 'GET' }, query, true);
}

/** Who asks for a stream, which ends with their key, and the `Last-Event-ID` that they go on from, if any. */
export interface Listening {
  readonly caller: KeyCaller;
  readonly lastEventId: string | null;
}

/** A GET route that answers with server-sent events until either side ends it. */
export function streamRoute<Response extends AnySchema, Query extends QuerySchema>(
  definition: Omit<
    Definition<Query, NoBody, Response, Listening, Readable>,
    'method' | 'body' | 'prepare' | 'refresh' | 'example'
  > & { readonly example: { readonly response: z.output<Response> } },
): Route {
  return erased({ ...definition, method: 'GET', stream: true }, definition.query ?? noQuery, false);
}

/** Parameters of every v1 list: what the `Link` header of an earlier answer carries. */
const v1PageQuery = z.object({
  after: z.string().optional().meta({ description: 'Go on after a page: follow its `Link` header.' }),
});
type V1PageQuery<Query extends QuerySchema> = z.ZodObject<Query['shape'] & (typeof v1PageQuery)['shape']>;

/**
 * A GET route of v1 that answers all objects, newest first and `V1_PAGE_SIZE` at most; where there are more,
 * the `Link` header leads on (contract section 1, "Pagination").
 */
export function v1ListRoute<Response extends AnySchema, Query extends QuerySchema = NoQuery>(
  definition: Omit<
    Definition<V1PageQuery<Query>, NoBody, Response, undefined, Page<z.output<Response>>>,
    'query' | 'method' | 'path' | 'body' | 'prepare' | 'refresh'
  > & { readonly path: `/v1/${string}`; readonly query?: Query },
): Route {
  const query = z.object({ ...definition.query?.shape, ...v1PageQuery.shape });
  return erased({ ...definition, method: 'GET' }, query, true);
}

/** Whether a route may change something: each is a POST, whatever method clients call it with instead. */
export function changesSomething({ method }: Pick<RouteFacts, 'method'>): boolean {
  return method !== 'GET';
}

/**
 * Whether the answer at `path` is one of v1: `{ data, error }`, deprecated, and 410 one day. Paths know no
 * capitals.
 */
export function isV1Path(path: string): boolean {
  return path.toLowerCase().startsWith('/v1/');
}

/** Where a route is documented: under `/v2`, `/v1` or both. */
export function documentedPaths({ path, alsoV1 }: RouteFacts): string[] {
  if (isV1Path(path)) return [path];
  return [`/v2${path}`, ...(alsoV1 ? [`/v1${path}`] : [])];
}

/** Every path that a route is served at (contract section 1, "Prefix"). */
export function servedPaths(route: RouteFacts): string[] {
  return isV1Path(route.path) ? [route.path] : [...documentedPaths(route), route.path];
}

/**
 * The compiler has checked handler against schemas above; the router only ever calls a handler with what its
 * own schemas returned, so the types may be forgotten here.
 */
function erased<Answer>(definition: object, query: QuerySchema, list: boolean): Operation<Answer> {
  type Optional = 'prepare' | 'refresh' | 'warning' | 'body' | 'listFields' | 'csv' | 'stream';
  const given = definition as Omit<Operation<Answer>, Optional> & Partial<Pick<Route, Optional>>;
  const body = given.method === 'POST' ? (given.body ?? noBody) : null;
  const {
    prepare = null,
    refresh = null,
    warning = null,
    listFields = noFields,
    csv = null,
    stream = false,
  } = given;
  return { ...given, query, body, list, prepare, refresh, warning, listFields, csv, stream };
}
