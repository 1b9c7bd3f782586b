import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { EVENT_DOCUMENTS, type EventDocument } from '../../events/document.ts';

const headers = z.object({
  'X-Webhook-Signature': z.string().meta({
    description: "Base64 HMAC-SHA256 of the raw body with the webhook's secret.",
  }),
  'webhook-id': z
    .string()
    .meta({ description: 'Unique per event and endpoint, and the same for every attempt.' }),
  'webhook-timestamp': z.string().meta({ description: 'The time of this attempt, in seconds since 1970.' }),
  'webhook-signature': z.string().meta({ description: '`v1,…`, as defined by Standard Webhooks.' }),
});

function operation(document: EventDocument): ZodOpenApiOperationObject {
  const { name, summary, example } = document;
  const isV1 = document.apiVersion === 1;
  const named = name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
  const schema = document.schema.meta({ id: `${isV1 ? 'V1' : ''}${named}Event` });
  return {
    operationId: `on${named}`,
    summary,
    // Apart from the operations of `/events`: generators make one class per tag.
    tags: [isV1 ? 'v1-event-payloads' : 'event-payloads'],
    ...(isV1 && { deprecated: true }),
    security: [],
    requestParams: { header: headers },
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': {
        description:
          'Acknowledged. Recebe retries after any other status, or after 30 seconds without a response, for three days.',
      },
      '410': { description: 'The endpoint is gone: Recebe sends nothing to it any more.' },
    },
  };
}

/** The requests that endpoints receive, one per event: the `webhooks` of OpenAPI 3.1. */
export const eventWebhooks: ZodOpenApiPathsObject = Object.fromEntries(
  EVENT_DOCUMENTS.map((document) => [document.name, { post: operation(document) }]),
);
