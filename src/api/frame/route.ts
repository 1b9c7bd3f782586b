import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Permission } from '../../domain/permission.ts';
import type { KeyCaller } from '../keys/caller.ts';
import type { CsvColumns } from './csv.ts';
import type { DraftRules } from './draft.ts';
import type { ErrorCode } from './errors.ts';
import { type LinkedPageQuery, linkedPageQuery, type PageQuery, pageQuery } from './page-query.ts';
import type { Page } from './pagination.ts';
import type { ApiRequest } from './request.ts';

/** The schema of a query or body. Query parameters arrive as text; the schema converts them. */
type AnySchema = z.ZodType;
type QuerySchema = z.ZodObject;

/** Documented names by the client's field names, or nested spellings. */
export interface Spellings {
  readonly [sent: string]: string | Spellings;
}

/** Properties that all routes have, independent of their types. */
interface RouteFacts {
  readonly method: 'GET' | 'POST';
  /**
   * Without version: served under `/v2` and unprefixed (contract section 1, "Prefix"). A path that starts
   * with a version is served there only.
   */
  readonly path: `/${string}`;
  /** An alternative method that published clients use; served but not documented. */
  readonly alias?: 'DELETE' | 'PATCH' | 'POST';
  /** Alternative field names that published clients send; accepted but not documented. */
  readonly spellings?: Spellings;
  /** A short title for the API reference. */
  readonly summary: string;
  /** Markdown for the API reference, beyond what the schemas show. */
  readonly description?: string;
  /**
   * The required permission, a list of which any one is enough, or null if any valid key is enough (contract
   * section 2).
   */
  readonly permission: Permission | readonly Permission[] | null;
  /** Takes a public key instead of an API key, from pages of any origin. Its `permission` is null. */
  readonly publicKey?: true;
  /** Further required permissions, for an operation that returns data guarded by them. */
  readonly alsoNeeds?: readonly Permission[];
  /**
   * Whether the handler waits for a workflow. It then runs without an open transaction, and must be safe to
   * run twice.
   */
  readonly waitsForWorkflow?: true;
  /** Whether the handler creates what will be paid. While many payments of its environment are under way, it waits for a moment. */
  readonly givesWayToPayments?: true;
  /** Whether the handler writes to the audit log for an API key (contract section 12). */
  readonly audited?: true;
  /** The route's own error codes; the frame adds its own (401, 403, 415, …). */
  readonly errors: readonly ErrorCode[];
}

/**
 * A route as served and documented. Create it only with {@link route}, {@link listRoute}, {@link streamRoute}
 * or {@link linkedListRoute}, which check its types.
 */
export interface Route extends RouteFacts {
  readonly query: QuerySchema;
  readonly body: AnySchema | null;
  /** The schema of `data`, or of each item if `list` is set. */
  readonly response: AnySchema;
  readonly list: boolean;
  /** Fields of a list response next to its objects; usually empty. */
  readonly listFields: z.ZodObject;
  /** Whether the response is a stream of server-sent events, each with one item as its `data`. */
  readonly stream: boolean;
  /** The media type of a response that is a file, a {@link SentFile}; null for any other. */
  readonly file: FileType | null;
  /** The columns of a list as CSV; null if it has no CSV form. */
  readonly csv: CsvColumns<unknown> | null;
  /**
   * An example of the request's body, and of one `data` or item. Query parameters have their own, set with
   * `.meta()`.
   */
  readonly example: { readonly body?: unknown; readonly response: unknown; readonly listFields?: object };
  readonly prepare: ((request: ApiRequest) => Promise<unknown>) | null;
  readonly refresh: ((request: ApiRequest, made: Made) => Promise<unknown>) | null;
  readonly warning: ((body: unknown) => string | null) | null;
  readonly draftRules: DraftRules | null;
  readonly handler: (request: ApiRequest, prepared: unknown) => Promise<unknown>;
}

/** A route with its response type, for the dashboard, which runs it directly. */
export interface Operation<Answer> extends Route {
  readonly handler: (request: ApiRequest, prepared: unknown) => Promise<Answer>;
}

/** The object that an operation created, identified by its response. */
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
  /** Values are text. Other parameters are refused. */
  readonly query?: Query;
  /**
   * Replaces a replayed response, or one that the handler marked with {@link ApiRequest.refreshAnswer}, by
   * the created object's current state. Null keeps the response. No transaction is open.
   */
  readonly refresh?: (
    request: ApiRequest<z.output<Query>, z.output<Body>>,
    made: Made,
  ) => Promise<NoInfer<Result> | null>;
  /** The `X-Warning` header of a success, also on replay; null for no warning. */
  readonly warning?: (body: z.output<Body>) => string | null;
  /** Business rules to report together with wrong fields, which the handler checks as well. */
  readonly draftRules?: DraftRules;
  /** A `z.strictObject`, so that unknown fields are refused. An empty body is read as `{}`. POST only. */
  readonly body?: Body;
  readonly response: Response;
  readonly example: {
    readonly body?: z.input<Body>;
    readonly response: z.output<Response>;
  };
  /** Runs before a transaction opens, for slow checks such as DNS lookups. Skipped on replay. */
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

/** A route that returns one object. The compiler checks the handler's result against `response`. */
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

const noFields = z.object({});
/** The handler's result apart from the page; nothing if no fields are declared. */
type FieldsOf<Fields> = Fields extends z.ZodObject ? z.output<Fields> : unknown;

/**
 * A GET route that returns a page of objects, newest first. Adds `limit`, `after` and `before` to the query.
 * `listFields` declares further fields of the response.
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

/** The subscriber of a stream, which ends when the key becomes invalid, and its `Last-Event-ID`, if any. */
export interface Listening {
  readonly caller: KeyCaller;
  readonly lastEventId: string | null;
}

/** A GET route that sends server-sent events until either side closes the connection. */
export function streamRoute<Response extends AnySchema, Query extends QuerySchema>(
  definition: Omit<
    Definition<Query, NoBody, Response, Listening, Readable>,
    'method' | 'body' | 'prepare' | 'refresh' | 'example'
  > & { readonly example: { readonly response: z.output<Response> } },
): Route {
  return erased({ ...definition, method: 'GET', stream: true }, definition.query ?? noQuery, false);
}

/** The media types of files. */
export type FileType = 'application/pdf' | 'application/xml';

/** A file as the response to a request. */
export interface SentFile {
  /** ASCII without quotes. */
  readonly name: string;
  readonly type: FileType;
  readonly body: Buffer;
}

const FILES: Readonly<Record<FileType, { readonly description: string; readonly start: string }>> = {
  'application/pdf': { description: 'A PDF.', start: '%PDF-1.7' },
  'application/xml': {
    description: 'An XML document in UTF-8.',
    start: '<?xml version="1.0" encoding="UTF-8"?>',
  },
};

/** A GET route that returns a file instead of the envelope. */
export function fileRoute<Query extends QuerySchema>(
  definition: Omit<
    Definition<Query, NoBody, z.ZodType, undefined, SentFile>,
    'method' | 'body' | 'prepare' | 'refresh' | 'response' | 'example'
  > & { readonly fileType?: FileType },
): Operation<SentFile> {
  const { fileType: file = 'application/pdf', ...given } = definition;
  const { description, start } = FILES[file];
  const shown = { response: z.string().meta({ description }), example: { response: start }, file };
  return erased({ ...given, ...shown, method: 'GET' }, given.query ?? noQuery, false);
}

/**
 * A GET route without a limit that returns all objects, newest first, at most `LARGEST_PAGE` at once. The `Link` header
 * points to the next page (contract section 1, "Pagination").
 */
export function linkedListRoute<Response extends AnySchema, Query extends QuerySchema = NoQuery>(
  definition: Omit<
    Definition<LinkedPageQuery<Query>, NoBody, Response, undefined, Page<z.output<Response>>>,
    'query' | 'method' | 'path' | 'body' | 'prepare' | 'refresh'
  > & { readonly path: `/${string}`; readonly query?: Query },
): Route {
  const query = z.object({ ...definition.query?.shape, ...linkedPageQuery.shape });
  return erased({ ...definition, method: 'GET' }, query, true);
}

/** Whether a route may change something: every such route is a POST, also if clients use another method. */
export function changesSomething({ method }: Pick<RouteFacts, 'method'>): boolean {
  return method !== 'GET';
}

/**
 * Erases the handler's types. This is safe: the compiler has checked the handler against its schemas, and the
 * router passes it only their output.
 */
function erased<Answer>(definition: object, query: QuerySchema, list: boolean): Operation<Answer> {
  type Optional =
    | 'prepare'
    | 'refresh'
    | 'warning'
    | 'draftRules'
    | 'body'
    | 'listFields'
    | 'csv'
    | 'stream'
    | 'file';
  const given = definition as Omit<Operation<Answer>, Optional> & Partial<Pick<Route, Optional>>;
  const body = given.method === 'POST' ? (given.body ?? noBody) : null;
  const {
    prepare = null,
    refresh = null,
    warning = null,
    draftRules = null,
    listFields = noFields,
    csv = null,
    stream = false,
    file = null,
  } = given;
  return {
    ...given,
    query,
    body,
    list,
    prepare,
    refresh,
    warning,
    draftRules,
    listFields,
    csv,
    stream,
    file,
  };
}
