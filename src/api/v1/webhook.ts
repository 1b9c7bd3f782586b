import { z } from 'zod';
import { V1_EVENT_NAMES } from '../../domain/event-names.ts';
import { type Route, route } from '../frame/route.ts';
import { insertWebhook } from '../webhooks/insert-webhook.ts';
import { requireEndpoint } from '../webhooks/routes.ts';
import {
  createWebhookBody,
  createWebhookExample,
  eventNames,
  webhookExample,
  webhookView,
} from '../webhooks/schema.ts';
import { secretWarning } from '../webhooks/secret-warning.ts';

/** Body of POST `/v1/webhooks/create` (our addition): events by their v1 names. */
const createBody = createWebhookBody.extend({
  events: eventNames(z.enum(V1_EVENT_NAMES), 'billing.paid'),
});

/** Endpoints that receive the payloads of v1. They are listed, changed and deleted in v2. */
export const v1WebhookRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/webhooks/create',
    summary: 'Create a webhook of v1',
    description: `Events are sent as \`{ event, devMode, data }\`, with their v1 names, and signed as in v2. \`data\` contains, for

- \`billing.*\`: \`billing\`, the items sold through a checkout or link, or null; \`pixQrCode\`, a charge without a checkout, or null;
  \`payment: { id, amount, fee, method }\`, or null while unpaid; \`reason\` if it was refunded or failed;
  \`subscription\` if a cycle was charged;
- \`subscription.*\`: \`subscription\`, \`customer\`, \`billing\` and \`payment\`;
- \`withdraw.*\`: \`transaction\`.

Tax ids are masked. List and delete the webhook in v2.`,
    permission: 'WEBHOOK:CREATE',
    audited: true,
    body: createBody,
    response: webhookView,
    errors: ['INVALID_ENDPOINT', 'NOT_ACCEPTABLE'],
    warning: secretWarning,
    example: {
      body: createWebhookExample(['billing.paid' as const]),
      response: { ...webhookExample, events: ['billing.paid'], v2: false },
    },
    prepare: requireEndpoint,
    handler: (request, endpoint) => insertWebhook(request, endpoint, false),
  }),
];
