import { WebhookEntity } from '../../database/entities/webhook.ts';
import { writeSample } from '../../events/record.ts';
import { checkEndpointUrl } from '../../webhooks/check-endpoint-url.ts';
import { detailsOf, requireDelivery } from '../deliveries/queries.ts';
import { deliveryView, presentDelivery, sampleDeliveryExample } from '../deliveries/schema.ts';
import { ApiError } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { deleteRow } from '../frame/rows.ts';
import { startDeliveries } from '../frame/start-deliveries.ts';
import { insertWebhook } from './insert-webhook.ts';
import { requireActive, requireWebhook, webhookFilter } from './queries.ts';
import { rotateSecret } from './rotate-secret.ts';
import { sampleOf } from './sample.ts';
import {
  type CreateWebhookBody,
  createWebhookBody,
  createWebhookExample,
  deleteWebhookBody,
  listWebhooksQuery,
  presentWebhook,
  rotateSecretBody,
  testWebhookBody,
  updateWebhookBody,
  webhookExample,
  webhookQuery,
  webhookView,
} from './schema.ts';
import { secretWarning } from './secret-warning.ts';
import { updateWebhook } from './update-webhook.ts';

const create = route({
  method: 'POST',
  path: '/webhooks/create',
  summary: 'Create a webhook',
  description: 'The endpoint receives events from now on, signed with the secret.',
  permission: 'WEBHOOK:CREATE',
  audited: true,
  body: createWebhookBody,
  response: webhookView,
  errors: ['INVALID_ENDPOINT', 'NOT_ACCEPTABLE'],
  warning: secretWarning,
  example: {
    body: createWebhookExample(webhookExample.events),
    response: webhookExample,
  },
  prepare: requireEndpoint,
  handler: (request, endpoint) => insertWebhook(request, endpoint, true),
});

/**
 * Runs outside of transactions, because DNS may take seconds.
 * @returns the endpoint as stored and shown: exactly the address that was checked.
 * @throws ApiError INVALID_ENDPOINT
 */
export async function requireEndpoint({
  body,
  key,
  deps,
}: Pick<ApiRequest<unknown, Pick<CreateWebhookBody, 'endpoint'>>, 'body' | 'key' | 'deps'>): Promise<string> {
  const { allowPrivateEndpoints, allowLoopbackEndpoints } = deps.config;
  const allowLoopback = allowLoopbackEndpoints && key.devMode;
  const check = await checkEndpointUrl(body.endpoint, { allowPrivateEndpoints, allowLoopback });
  if (check.ok) return check.url.href;
  const issues = [{ path: 'endpoint', message: check.reason }];
  throw new ApiError(422, 'INVALID_ENDPOINT', check.reason, issues);
}

const update = route({
  method: 'POST',
  path: '/webhooks/update',
  summary: 'Update a webhook',
  description: `Omitted fields stay unchanged. Deliveries in progress go to the new endpoint with their next attempt. You can resend
deliveries that failed while it was disabled once it is enabled; events of that time are in \`events/list\`.`,
  permission: 'WEBHOOK:CREATE',
  audited: true,
  body: updateWebhookBody,
  response: webhookView,
  errors: ['NOT_FOUND', 'INVALID_ENDPOINT'],
  example: { body: { id: webhookExample.id, enabled: true }, response: webhookExample },
  async prepare({ body, key, deps }) {
    const { endpoint } = body;
    return endpoint === undefined ? undefined : requireEndpoint({ body: { endpoint }, key, deps });
  },
  handler: async (request, endpoint) => presentWebhook(await updateWebhook(request, endpoint)),
});

const rotate = route({
  method: 'POST',
  path: '/webhooks/rotate-secret',
  summary: 'Change the secret of a webhook',
  description: `The new secret signs from now on. For 24 hours the previous one signs too: \`webhook-signature\` then has two
signatures, the new secret's first. \`X-Webhook-Signature\` has one signature only, made with the new secret. Repeating the request
with the same secret changes nothing.`,
  permission: 'WEBHOOK:CREATE',
  audited: true,
  body: rotateSecretBody,
  response: webhookView,
  errors: ['NOT_FOUND'],
  warning: secretWarning,
  example: {
    body: { id: webhookExample.id, secret: '4e0a7c95d1f84b7fa2c6e8b03d9f5a71' },
    response: { ...webhookExample, previousSecretUntil: '2026-03-07T14:22:08.120Z' },
  },
  handler: async (request) => presentWebhook(await rotateSecret(request)),
});

const test = route({
  method: 'POST',
  path: '/webhooks/test',
  summary: 'Test a webhook',
  description: `Sends the example event of the API reference as a real delivery. Its payload has \`sample: true\`, and lists of
events do not include it. Returns the delivery; its attempts follow.`,
  permission: 'WEBHOOK:CREATE',
  audited: true,
  body: testWebhookBody,
  response: deliveryView,
  errors: ['NOT_FOUND', 'WEBHOOK_INACTIVE'],
  example: {
    body: { id: webhookExample.id, event: 'transparent.completed' },
    response: sampleDeliveryExample,
  },
  async handler(request) {
    const { em, key, body, now, deps } = request;
    const webhook = await requireWebhook(em, key, body.id);
    requireActive(webhook);
    const sample = sampleOf(webhook, body.event);
    return request.transaction(async (tx) => {
      const delivery = await writeSample(tx, webhook, sample, now);
      request.afterCommit(() => startDeliveries(deps, [delivery]));
      const written = await detailsOf(tx, await requireDelivery(tx, key, delivery.deliveryId));
      await request.recordAction(tx, webhook.id);
      return presentDelivery(written);
    });
  },
});

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
  description: 'Its endpoint receives nothing any more. Past deliveries stay readable.',
  permission: 'WEBHOOK:DELETE',
  audited: true,
  body: deleteWebhookBody,
  response: webhookView,
  errors: ['NOT_FOUND'],
  example: { body: { id: webhookExample.id }, response: webhookExample },
  async handler(request) {
    const { em, key, body, now } = request;
    const webhook = await requireWebhook(em, key, body.id);
    return request.transaction(async (tx) => {
      const deleted = await deleteRow(tx, WebhookEntity, webhook, now, 'Webhook');
      await request.recordAction(tx, webhook.id);
      return presentWebhook(deleted);
    });
  },
});

/** Operations that the dashboard also uses. */
export const webhookOperations = { create, update, rotate, test, list, get, remove };

export const webhookRoutes: readonly Route[] = Object.values(webhookOperations);
