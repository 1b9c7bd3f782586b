import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { EVENT_DOCUMENTS, type EventDocument } from '../../events/document.ts';

const headers = z.object({
  'X-Webhook-Signature': z.string().meta({
    description: "Base64 HMAC-SHA256 of the raw body with the webhook's secret.",
  }),
  'webhook-id': z
    .string()
    .meta({ description: 'Unique per event and endpoint, and the same at every attempt.' }),
  'webhook-timestamp': z.string().meta({ description: 'When this attempt was made, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({ description: '`v1,…` as of Standard Webhooks.' }),
});

function operation(document: EventDocument): ZodOpenApiOperationObject {
  const { name, summary, example } = document;
  const isV1 = document.apiVersion === 1;
  const named = name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  const schema = document.schema.meta({ id: `${isV1 ? 'V1' : ''}${named}Event` });
  return {
    operationId: `on${named}`,
    summary,
    tags: [isV1 ? 'v1' : 'events'],
    ...(isV1 && { deprecated: true }),
    security: [],
    requestParams: { header: headers },
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': {
        description: 'Taken. Anything else, or nothing within 30 seconds, is tried again for three days.',
      },
      '410': { description: 'The endpoint is gone: nothing is sent to it any more.' },
    },
  };
}

/** What is posted to an endpoint, event by event: the `webhooks` of OpenAPI 3.1. */
export const eventWebhooks: ZodOpenApiPathsObject = Object.fromEntries(
  EVENT_DOCUMENTS.map((document) => [document.name, { post: operation(document) }]),
);
