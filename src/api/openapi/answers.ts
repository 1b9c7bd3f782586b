import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { DECLINE_REASONS } from '../../domain/card.ts';
import { MAX_CSV_ROWS } from '../frame/csv.ts';
import { ERRORS, type ErrorCode, MAX_ISSUES } from '../frame/errors.ts';
import type { Route } from '../frame/route.ts';
import { FORM_RULES, RULES } from '../frame/rules.ts';

const pagination = z
  .object({ hasMore: z.boolean(), next: z.string().nullable(), before: z.string().nullable() })
  .meta({
    id: 'Pagination',
    description: 'Send `next` as `after` for older objects, `before` as `before` for newer ones.',
    example: { hasMore: false, next: null, before: null },
  });

/** A response header, defined once and shared by all operations. */
export function header<Schema extends z.ZodType>(id: string, schema: Schema, description: string): Schema {
  return schema.meta({ description, header: { id } });
}

const rate = (name: string, description: string) =>
  header(`RateLimit${name}`, z.string().optional(), description);

export const requestIdHeader = header('RequestId', z.string(), 'A new id for each request.');
export const clientRequestIdHeader = header(
  'ClientRequestId',
  z.string().optional(),
  'The `X-Request-Id` that you sent, if it looks like an id.',
);

const headers = z.object({
  'X-Request-Id': requestIdHeader,
  'X-Client-Request-Id': clientRequestIdHeader,
  'RateLimit-Limit': rate('Limit', 'How many requests the store may send at once in this environment.'),
  'RateLimit-Remaining': rate('Remaining', 'How many requests remain now.'),
  'RateLimit-Reset': rate('Reset', 'Seconds until the full number is available again.'),
});

/** The success envelope around the route's `data`. */
export function success(route: Route) {
  const { response } = route.example;
  if (route.stream) return { description: 'Success', headers, content: eventStream(response) };
  if (route.file !== null)
    return { description: 'Success', headers, content: { [route.file]: { schema: route.response } } };
  const envelope = { success: z.literal(true), error: z.null() };
  const schema = route.list
    ? z.object({ data: z.array(route.response), ...envelope, pagination, ...route.listFields.shape })
    : z.object({ data: route.response, ...envelope });
  const example = {
    data: route.list ? [response] : response,
    success: true,
    error: null,
    ...(route.list && { pagination: { hasMore: false, next: null, before: null } }),
    ...route.example.listFields,
  };
  const content = {
    'application/json': { schema, example },
    ...(route.csv && { 'text/csv': csv(route.csv) }),
  };
  return { description: 'Success', headers, content };
}

/** OpenAPI 3.1 cannot describe the items of a stream, so the schema is one text. */
function eventStream(item: unknown) {
  const { id, name } = item as { readonly id: string; readonly name: string };
  const schema = z.string().meta({ description: 'Server-sent events, each with one object as its `data`.' });
  const example = `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(item)}\n\n`;
  return { 'text/event-stream': { schema, example } };
}

/** The list as a file, for requests that accept `text/csv`. */
function csv(columns: NonNullable<Route['csv']>) {
  const description =
    `With \`Accept: text/csv\`: a header row and up to ${MAX_CSV_ROWS} rows in UTF-8. \`limit\` is ignored. ` +
    '`Link: <…>; rel="next"` points to the next rows. Text that a spreadsheet would run as a formula starts with an apostrophe.';
  return { schema: z.string().meta({ description }), example: `${Object.keys(columns).join(',')}\r\n` };
}

const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  Object.keys(table) as [Name, ...Name[]];
const codes = keysOf<ErrorCode>(ERRORS);
const failure = z
  .object({
    data: z.null(),
    success: z.literal(false),
    error: z.string().meta({ description: 'The problem and the correct form.' }),
    code: z.enum(codes),
    rule: z
      .enum(keysOf(RULES))
      .optional()
      .meta({ description: 'The broken rule, if `code` covers several rules.' }),
    declineReason: z
      .enum(DECLINE_REASONS)
      .optional()
      .meta({ description: 'Why a card was declined, with `CARD_DECLINED`.' }),
    chargeId: z
      .string()
      .optional()
      .meta({ description: 'The failed charge, with `CARD_DECLINED` from `transparents/create`.' }),
    position: z
      .object({ line: z.int().min(1), column: z.int().min(1) })
      .optional()
      .meta({ description: 'Where the body stops being JSON, counted from 1, with `MALFORMED_JSON`.' }),
    issues: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          rule: z.enum([...keysOf(FORM_RULES), ...keysOf(RULES)]).optional(),
        }),
      )
      .max(MAX_ISSUES)
      .optional()
      .meta({ description: 'The invalid fields, at most the first 20.' }),
    moreIssues: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The number of problems that `issues` leaves out.' }),
  })
  .meta({ id: 'Failure', description: 'The response to every request that failed.' });

/** Errors that every route may return. */
const OF_ALL = [
  'VALIDATION_ERROR',
  'UNAUTHORIZED',
  'KEY_EXPIRED',
  'ADDRESS_NOT_ALLOWED',
  'TOO_MANY_REQUESTS',
  'INTERNAL_ERROR',
  // If Postgres does not answer. Routes that wait for a workflow list the code too.
  'TEMPORARILY_UNAVAILABLE',
] as const;
const OF_PERMISSIONS = ['PERMISSION_DENIED'] as const;
const OF_LISTS = ['INVALID_CURSOR'] as const;
const OF_POSTS = [
  'READ_ONLY_KEY',
  'MALFORMED_JSON',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
] as const;

/** Every code that the frame around routes may return. */
export const FRAME_ERRORS: readonly ErrorCode[] = [...OF_ALL, ...OF_PERMISSIONS, ...OF_LISTS, ...OF_POSTS];

/** Codes that the frame may return for a route, in addition to the route's own codes. */
function frameErrors(route: Route): readonly ErrorCode[] {
  return [
    ...OF_ALL,
    ...(route.permission === null ? [] : OF_PERMISSIONS),
    ...(route.list ? OF_LISTS : []),
    ...(route.method === 'POST' ? OF_POSTS : []),
  ];
}

/** A failure response per status, with its possible codes. */
export function failures(route: Route): ZodOpenApiResponsesObject {
  const sorted = [...codesByStatus(route)].sort(([one], [other]) => one - other);
  return Object.fromEntries(sorted.map(([status, codes]) => [String(status), failureResponse(codes)]));
}

/** The codes that a route may return, by status. */
export function codesByStatus(route: Route): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...frameErrors(route), ...route.errors])) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** Responses with at most this many codes are shared between routes and named by their codes. */
const MAX_NAMED_CODES = 2;

/** The component id of a response; absent if the response belongs to one route only. */
export function responseId(codes: readonly string[]): { readonly id?: string } {
  if (codes.length > MAX_NAMED_CODES) return {};
  const names = codes.map((code) =>
    code.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  return { id: names.join('Or') };
}

const named = new Map<string, ZodOpenApiResponseObject>();

/** One object per id, because zod-openapi requires the same object for the same id. */
export function namedOnce(response: ZodOpenApiResponseObject): ZodOpenApiResponseObject {
  if (response.id === undefined) return response;
  const known = named.get(response.id) ?? response;
  named.set(response.id, known);
  return known;
}

function failureResponse(codes: readonly ErrorCode[]) {
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n');
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { data: null, success: false, error: ERRORS[code].meaning, code } }]),
  );
  const content = { 'application/json': { schema: failure, examples } };
  return namedOnce({ ...responseId(codes), description, content });
}
