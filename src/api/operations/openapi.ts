import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

/** `/healthz`: the process is up. */
export const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });

/** `/readyz`: while `degraded` the API still creates charges, whose workflows start once Temporal is back. */
export const readiness = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    postgres: z.enum(['ok', 'unreachable']),
    temporal: z.enum(['ok', 'unreachable']),
  })
  .meta({ id: 'Readiness' });
export type Readiness = z.output<typeof readiness>;

/** Endpoints for operators and tools: plain JSON without the envelope and without a key, not under `/v2`. */
export const operationPaths: ZodOpenApiPathsObject = {
  '/healthz': {
    get: operation('healthz', 'The process is up', 'Checks neither Postgres nor Temporal.', {
      '200': answer('It is.', health),
    }),
  },
  '/readyz': {
    get: operation('readyz', 'The service can take requests', 'Shows which dependencies are reachable.', {
      '200': answer(
        'Postgres is reachable. Without Temporal the status is `degraded`: charges are still created, and processing continues once Temporal is back.',
        readiness,
      ),
      '503': answer('Postgres is unreachable: no request can be answered.', readiness),
    }),
  },
  '/openapi.json': {
    get: operation('openapi', 'This document', 'Generated from the schemas that validate requests.', {
      '200': answer('OpenAPI 3.1', z.looseObject({ openapi: z.string() })),
    }),
  },
};

function operation<Responses extends object>(
  operationId: string,
  summary: string,
  description: string,
  responses: Responses,
) {
  return {
    operationId,
    summary,
    description,
    tags: ['operations'],
    security: [],
    responses: { ...responses, '405': { description: 'Only GET and HEAD are allowed here.' } },
  };
}

function answer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}
