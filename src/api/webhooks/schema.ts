import { z } from 'zod';
import type { Webhook } from '../../database/entities/webhook.ts';
import { EVENT_NAMES, V1_EVENT_NAMES } from '../../domain/event.ts';
import { idText, text, timestamp } from '../../wire/fields.ts';

/** Far above the number of events that there are, for who names some of them twice. */
const MAX_EVENTS = 100;

const webhookId = idText('webh_01J9Z3VYK0W6F0S7R2M8QH4T5B');

/** Body of POST `/webhooks/create` (contract section 7.9). */
export const createWebhookBody = z.strictObject({
  name: text(1, 200).meta({ description: 'For people to tell endpoints apart.', example: 'Order system' }),
  endpoint: z
    .string()
    .min(1)
    .meta({
      description:
        'Public HTTPS URL that is sent the events; never a local or private address, nor a port of other services. ' +
        'It is kept and shown in its normal form.',
      example: 'https://example.com/webhooks',
    }),
  secret: z
    .string()
    .min(1)
    .max(256)
    .meta({
      description:
        'Key that signs what is sent to the endpoint; never shown again. 32 random characters are good; the answer to one ' +
        'below 16 bytes has a header `X-Warning`.',
      example: 'b9f1c7e2a4d84f6d8c3b5a7e9d1f2c4b',
    }),
  events: eventNames(z.enum(EVENT_NAMES), 'transparent.completed'),
});

/** Body of POST `/v1/webhooks/create` (ours): events by their names in v1. */
export const createV1WebhookBody = createWebhookBody.extend({
  events: eventNames(z.enum(V1_EVENT_NAMES), 'billing.paid'),
});
export type CreateWebhookBody = z.output<typeof createWebhookBody> | z.output<typeof createV1WebhookBody>;

function eventNames<Name extends string>(name: z.ZodType<Name>, example: Name) {
  return z
    .array(name)
    .min(1)
    .max(MAX_EVENTS)
    .transform((names) => [...new Set(names)])
    .meta({ description: 'Events to be told of; one named twice counts once.', example: [example] });
}

const anyEvent = z.enum([...EVENT_NAMES, ...V1_EVENT_NAMES]);

/** Body of POST `/webhooks/update` (ours): what is left out stays as it is. */
export const updateWebhookBody = z.strictObject({
  id: webhookId,
  name: createWebhookBody.shape.name.optional(),
  endpoint: createWebhookBody.shape.endpoint.optional(),
  events: eventNames(anyEvent, 'transparent.completed').optional(),
  enabled: z.boolean().optional().meta({
    description: 'False: nothing is sent any more, until it is true. True also after an answer of 410.',
    example: true,
  }),
});
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>;

/** Body of POST `/webhooks/rotate-secret` (ours). */
export const rotateSecretBody = z.strictObject({ id: webhookId, secret: createWebhookBody.shape.secret });
export type RotateSecretBody = z.output<typeof rotateSecretBody>;

/** Body of POST `/webhooks/test` (ours). */
export const testWebhookBody = z.strictObject({
  id: webhookId,
  event: anyEvent.optional().meta({
    description: 'Any of its version of the API, subscribed to or not. Default: the first of its `events`.',
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
    .meta({ description: 'Part of the name, id or endpoint, in any case.', example: 'order' }),
  id: webhookId.optional(),
});
export type ListWebhooksQuery = z.output<typeof listWebhooksQuery>;

/** A webhook as it is shown (contract section 7.9): without its secret. */
export const webhookView = z
  .object({
    id: z.string(),
    name: z.string(),
    endpoint: z.string(),
    events: z.array(anyEvent),
    devMode: z.boolean(),
    v2: z.boolean().meta({ description: 'Whether it is sent the payloads of v2, else those of v1.' }),
    disabledAt: timestamp.nullable().meta({
      description:
        'Since when nothing is sent to the endpoint: it answered 410 Gone, or was switched off. Else null.',
    }),
    previousSecretUntil: timestamp.nullable().meta({
      description: 'Until when the secret before signs too; null where none does.',
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

/** A webhook as integrators see it: the secret stays inside. */
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
