import { WebhookEntity } from '../../database/entities/webhook.ts';
import type { WebhookId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { checkEndpoint } from '../../outbound/endpoint-check.ts';
import { ApiError } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { deleteRow } from '../frame/rows.ts';
import { requireWebhook, webhookFilter } from './queries.ts';
import {
  type CreateWebhookBody,
  createV1WebhookBody,
  createWebhookBody,
  deleteWebhookBody,
  listWebhooksQuery,
  presentWebhook,
  webhookExample,
  webhookQuery,
  webhookView,
} from './schema.ts';

const create = route({
  method: 'POST',
  path: '/webhooks/create',
  summary: 'Create a webhook',
  description: 'Events that happen from now on are sent to the endpoint, signed with the secret.',
  permission: 'WEBHOOK:CREATE',
  body: createWebhookBody,
  response: webhookView,
  errors: ['INVALID_ENDPOINT'],
  example: {
    body: {
      name: webhookExample.name,
      endpoint: webhookExample.endpoint,
      secret: 'b9f1c7e2a4d84f6d8c3b5a7e9d1f2c4b',
      events: webhookExample.events,
    },
    response: webhookExample,
  },
  prepare: requireEndpoint,
  handler: (request, endpoint) => insertWebhook(request, endpoint, true),
});

const createV1 = route({
  method: 'POST',
  path: '/v1/webhooks/create',
  summary: 'Create a webhook of v1',
  description: `Events are sent as \`{ event, devMode, data }\`, by their names in v1, and signed as those of v2 are. \`data\` is, of

- \`billing.*\`: \`billing\`, what was sold through a checkout or link, or null; \`pixQrCode\`, a charge without a checkout, or null;
  \`payment: { id, amount, fee, method }\`, or null before there is one; \`reason\` where it was refunded or failed;
  \`subscription\` where a cycle was charged;
- \`subscription.*\`: \`subscription\`, \`customer\`, \`billing\` and \`payment\`;
- \`withdraw.*\`: \`transaction\`.

Tax ids are masked. The webhook is listed and deleted under v2.`,
  permission: 'WEBHOOK:CREATE',
  body: createV1WebhookBody,
  response: webhookView,
  errors: ['INVALID_ENDPOINT'],
  example: {
    body: {
      name: webhookExample.name,
      endpoint: webhookExample.endpoint,
      secret: 'b9f1c7e2a4d84f6d8c3b5a7e9d1f2c4b',
      events: ['billing.paid'],
    },
    response: { ...webhookExample, events: ['billing.paid'], v2: false },
  },
  prepare: requireEndpoint,
  handler: (request, endpoint) => insertWebhook(request, endpoint, false),
});

/**
 * DNS may take seconds, which no transaction should wait for.
 * @returns the endpoint as it is stored and shown: the very address that was checked.
 * @throws ApiError INVALID_ENDPOINT
 */
async function requireEndpoint({ body, deps }: ApiRequest<unknown, CreateWebhookBody>): Promise<string> {
  const { allowPrivateEndpoints } = deps.config;
  const check = await checkEndpoint(body.endpoint, { allowPrivateEndpoints });
  if (check.ok) return check.url.href;
  const issues = [{ path: 'endpoint', message: check.reason }];
  throw new ApiError(422, 'INVALID_ENDPOINT', check.reason, issues);
}

async function insertWebhook(
  { em, key, body, now, deps }: ApiRequest<unknown, CreateWebhookBody>,
  endpoint: string,
  v2: boolean,
) {
  const { name, secret, events } = body;
  const webhook = {
    id: mintId<WebhookId>('webhook', now),
    storeId: key.storeId,
    devMode: key.devMode,
    name,
    endpoint,
    events,
    v2,
    disabledAt: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  await em.insert(WebhookEntity, { ...webhook, ...deps.secretsKeys.encrypt(secret, webhook.id) });
  return presentWebhook(webhook);
}

const list = listRoute({
  path: '/webhooks/list',
  summary: 'List webhooks',
  permission: 'WEBHOOK:READ',
  query: listWebhooksQuery,
  response: webhookView,
  errors: [],
  example: { response: webhookExample },
  handler: (request) =>
    presentPage(request, WebhookEntity, webhookFilter(request.key, request.query), presentWebhook),
});

const get = route({
  method: 'GET',
  path: '/webhooks/get',
  summary: 'Get a webhook',
  permission: 'WEBHOOK:READ',
  query: webhookQuery,
  response: webhookView,
  errors: ['NOT_FOUND'],
  example: { response: webhookExample },
  async handler({ em, key, query }) {
    return presentWebhook(await requireWebhook(em, key, query.id));
  },
});

const remove = route({
  method: 'POST',
  path: '/webhooks/delete',
  summary: 'Delete a webhook',
  description: 'Nothing is sent to its endpoint any more. Its past deliveries stay readable.',
  permission: 'WEBHOOK:DELETE',
  body: deleteWebhookBody,
  response: webhookView,
  errors: ['NOT_FOUND'],
  example: { body: { id: webhookExample.id }, response: webhookExample },
  async handler({ em, key, body, now }) {
    const webhook = await requireWebhook(em, key, body.id);
    return presentWebhook(await deleteRow(em, WebhookEntity, webhook, now, 'Webhook'));
  },
});

export const webhookRoutes: readonly Route[] = [create, createV1, list, get, remove];
