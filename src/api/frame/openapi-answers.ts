import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS, type ErrorCode, MAX_ISSUES } from './errors.ts';
import type { Route } from './route.ts';

const pagination = z
  .object({ hasMore: z.boolean(), next: z.string().nullable(), before: z.string().nullable() })
  .meta({
    id: 'Pagination',
    description: 'Send `next` as `after` for older objects, `before` as `before` for newer ones.',
    example: { hasMore: false, next: null, before: null },
  });

/** The success envelope around the route's `data`. */
export function success(route: Route) {
  const envelope = { success: z.literal(true), error: z.null() };
  const { response } = route.example;
  const schema = route.list
    ? z.object({ data: z.array(route.response), ...envelope, pagination })
    : z.object({ data: route.response, ...envelope });
  const example = {
    data: route.list ? [response] : response,
    success: true,
    error: null,
    ...(route.list && { pagination: { hasMore: false, next: null, before: null } }),
  };
  const rate = (description: string) => z.string().optional().meta({ description });
  const headers = z.object({
    'X-Request-Id': z.string(),
    'RateLimit-Limit': rate('How many requests the API key may send at once.'),
    'RateLimit-Remaining': rate('How many of them are left now.'),
    'RateLimit-Reset': rate('In how many seconds all of them will be.'),
  });
  return { description: 'Success', headers, content: { 'application/json': { schema, example } } };
}

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];
const failure = z
  .object({
    data: z.null(),
    success: z.literal(false),
    error: z.string().meta({ description: 'What is wrong and what would be right.' }),
    code: z.enum(codes),
    issues: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .max(MAX_ISSUES)
      .optional()
      .meta({ description: 'Every wrong field, or the first of very many.' }),
    moreIssues: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'How many more are wrong than `issues` names.' }),
  })
  .meta({ id: 'Failure', description: 'The answer to every request that was not carried out.' });

/** What the frame around every route may answer, besides the route's own errors. */
function frameErrors(route: Route): readonly ErrorCode[] {
  return [
    'VALIDATION_ERROR',
    'UNAUTHORIZED',
    'TOO_MANY_REQUESTS',
    'INTERNAL_ERROR',
    // Where Postgres does not answer; routes that wait for a workflow name it as well.
    'TEMPORARILY_UNAVAILABLE',
    ...(route.permission === null ? [] : (['PERMISSION_DENIED'] as const)),
    ...(route.list ? (['INVALID_CURSOR'] as const) : []),
    ...(route.method === 'POST' ? POST_ERRORS : []),
  ];
}

const POST_ERRORS = [
  'MALFORMED_JSON',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
] as const;

/** A failure envelope per status, with the codes it may carry. */
export function failures(route: Route): ZodOpenApiResponsesObject {
  const sorted = [...codesByStatus(route)].sort(([one], [other]) => one - other);
  return Object.fromEntries(sorted.map(([status, codes]) => [String(status), failureResponse(codes)]));
}

/** The codes that a route may answer, by their status. */
export function codesByStatus(route: Route): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...frameErrors(route), ...route.errors])) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function failureResponse(codes: readonly ErrorCode[]) {
  const description = codes.map((code) => `\`${code}\`: ${ERRORS[code].meaning}`).join('\n\n');
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { data: null, success: false, error: ERRORS[code].meaning, code } }]),
  );
  return { description, content: { 'application/json': { schema: failure, examples } } };
}
