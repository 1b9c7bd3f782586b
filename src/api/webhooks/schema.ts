import { z } from 'zod';
import type { Webhook } from '../../database/entities/webhook.ts';
import { ENDPOINT_EVENT_NAMES, EVENT_NAMES } from '../../domain/event-names.ts';
import { idText, text, timestamp } from '../../wire/fields.ts';
import { createdRange } from '../frame/time-range.ts';

/** Far above the number of events, so that duplicates are accepted. */
const MAX_EVENTS = 100;

const webhookId = idText('webh_01J9Z3VYK0W6F0S7R2M8QH4T5B');

/** Body of POST `/webhooks/create` (contract section 7.9). */
export const createWebhookBody = z.strictObject({
  name: text(1, 200).meta({
    description: 'A name that helps you distinguish endpoints.',
    example: 'Order system',
  }),
  endpoint: z
    .string()
    .min(1)
    .meta({
      description:
        'Public HTTPS URL that receives the events; never a local or private address, nor a port of other services. ' +
        'Stored and returned in its normalized form.',
      example: 'https://example.com/webhooks',
    }),
  secret: z
    .string()
    .min(1)
    .max(256)
    .meta({
      description:
        'The key that signs deliveries; never returned. Use 32 random characters. If it is shorter than ' +
        '16 bytes, the response has an `X-Warning` header.',
      example: 'b9f1c7e2a4d84f6d8c3b5a7e9d1f2c4b',
    }),
  events: eventNames(z.enum(EVENT_NAMES), 'transparent.completed'),
});

/** A new webhook, whichever events its version has. */
export type CreateWebhookBody = Omit<z.output<typeof createWebhookBody>, 'events'> & Pick<Webhook, 'events'>;

/** The events to subscribe to, among the names of a version. */
export function eventNames<Name extends string>(name: z.ZodType<Name>, example: Name) {
  return z
    .array(name)
    .min(1)
    .max(MAX_EVENTS)
    .transform((names) => [...new Set(names)])
    .meta({ description: 'Events to subscribe to; duplicates are ignored.', example: [example] });
}

const anyEvent = z.enum(ENDPOINT_EVENT_NAMES);

/** Body of POST `/webhooks/update` (our addition): omitted fields stay unchanged. */
export const updateWebhookBody = z.strictObject({
  id: webhookId,
  name: createWebhookBody.shape.name.optional(),
  endpoint: createWebhookBody.shape.endpoint.optional(),
  events: eventNames(anyEvent, 'transparent.completed').optional(),
  enabled: z.boolean().optional().meta({
    description:
      'False stops deliveries until it is true again. True also re-enables an endpoint that returned 410.',
    example: true,
  }),
});
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>;

/** Body of POST `/webhooks/rotate-secret` (our addition). */
export const rotateSecretBody = z.strictObject({ id: webhookId, secret: createWebhookBody.shape.secret });
export type RotateSecretBody = z.output<typeof rotateSecretBody>;

/** Body of POST `/webhooks/test` (our addition). */
export const testWebhookBody = z.strictObject({
  id: webhookId,
  event: anyEvent.optional().meta({
    description:
      "Any event of the webhook's API version, subscribed or not. Default: the first of its `events`.",
    example: 'transparent.completed',
  }),
});

/** Query of GET `/webhooks/get`. */
export const webhookQuery = z.object({ id: webhookId });

/** Body of POST `/webhooks/delete`. */
export const deleteWebhookBody = z.strictObject({ id: webhookId });

/** Filters of GET `/webhooks/list` (contract section 1, "Filters"). */
export const listWebhooksQuery = z.object({
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Part of the name, id or endpoint, case-insensitive.', example: 'order' }),
  id: webhookId.optional(),
  ...createdRange,
});
export type ListWebhooksQuery = z.output<typeof listWebhooksQuery>;

/** A webhook as the API returns it (contract section 7.9), without its secret. */
export const webhookView = z
  .object({
    id: z.string(),
    name: z.string(),
    endpoint: z.string(),
    events: z.array(anyEvent),
    devMode: z.boolean(),
    v2: z.boolean().meta({ description: 'Whether it receives v2 payloads; otherwise v1 payloads.' }),
    disabledAt: timestamp.nullable().meta({
      description:
        'Since when it receives nothing, because it returned 410 Gone or was disabled; otherwise null.',
    }),
    previousSecretUntil: timestamp.nullable().meta({
      description: 'Until when the previous secret also signs; null if it no longer does.',
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.output<typeof webhookView>;

export const webhookExample: WebhookView = {
  id: 'webh_01J9Z3VYK0W6F0S7R2M8QH4T5B',
  name: 'Order system',
  endpoint: 'https://example.com/webhooks',
  events: ['transparent.completed'],
  devMode: true,
  v2: true,
  disabledAt: null,
  previousSecretUntil: null,
  createdAt: '2026-03-06T14:22:08.120Z',
  updatedAt: '2026-03-06T14:22:08.120Z',
};

/** The example of a webhook that is created, in either version of the API. @param events by the version's names. */
export function createWebhookExample<Events>(events: Events) {
  const { name, endpoint } = webhookExample;
  return { name, endpoint, secret: 'b9f1c7e2a4d84f6d8c3b5a7e9d1f2c4b', events };
}

/** A webhook as the API returns it. The secret stays private. */
export function presentWebhook(
  webhook: Omit<Webhook, 'secret' | 'secretKeyId' | 'previousSecret' | 'previousSecretKeyId'>,
): WebhookView {
  return {
    id: webhook.id,
    name: webhook.name,
    endpoint: webhook.endpoint,
    events: webhook.events,
    devMode: webhook.devMode,
    v2: webhook.v2,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    previousSecretUntil: webhook.previousSecretUntil?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}
