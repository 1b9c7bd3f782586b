import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS } from '../frame/errors.ts';
import type { Route } from '../frame/route.ts';
import { GONE, SUNSET } from '../v1/envelope.ts';
import {
  clientRequestIdHeader,
  codesByStatus,
  header,
  namedOnce,
  requestIdHeader,
  responseId,
} from './answers.ts';

const headers = z.object({
  'X-Request-Id': requestIdHeader,
  'X-Client-Request-Id': clientRequestIdHeader,
  Deprecation: header('Deprecation', z.string(), 'Since when v1 is deprecated, in seconds since 1970.'),
  Sunset: header('Sunset', z.string().meta({ example: SUNSET }), 'When v1 ends.'),
});
const link = z.string().optional().meta({
  description: 'The next page of the list, as `rel="next"`; absent on the last page.',
  example: '<https://pay.example.com/v1/customer/list?after=MTc3>; rel="next"',
});

const failure = z
  .object({
    data: z.null(),
    error: z.string().meta({ description: 'The problem and the correct form, naming the field.' }),
    message: z.string().meta({ description: 'The same as `error`.' }),
    code: z
      .string()
      .meta({ description: 'The same codes as in v2, for programs.', example: 'VALIDATION_ERROR' }),
  })
  .meta({ id: 'V1Failure', description: 'The response of v1 to every request that failed.' });

/** The responses of a route under `/v1`: the same data in the v1 envelope (contract section 1). */
export function v1Answers(route: Route): ZodOpenApiResponsesObject {
  const failures = [...codesByStatus(route)].map(([status, codes]) => [
    String(status),
    failureResponse(codes.map((code) => ({ code, meaning: ERRORS[code].meaning }))),
  ]);
  const gone = failureResponse([{ code: 'GONE', meaning: GONE }]);
  return { '200': success(route), ...Object.fromEntries(failures), '410': gone };
}

function success(route: Route) {
  const data = route.list ? z.array(route.response) : route.response;
  const { response } = route.example;
  const example = { data: route.list ? [response] : response, error: null };
  const schema = z.object({ data, error: z.null() });
  return {
    description: 'Success',
    headers: route.list ? headers.extend({ Link: link }) : headers,
    content: { 'application/json': { schema, example } },
  };
}

function failureResponse(refusals: readonly { readonly code: string; readonly meaning: string }[]) {
  const examples = Object.fromEntries(
    refusals.map(({ code, meaning }) => [
      code,
      { value: { data: null, error: meaning, message: meaning, code } },
    ]),
  );
  const { id } = responseId(refusals.map(({ code }) => code));
  return namedOnce({
    ...(id !== undefined && { id: `V1${id}` }),
    description: refusals.map(({ meaning }) => meaning).join('\n\n'),
    headers,
    content: { 'application/json': { schema: failure, examples } },
  });
}
