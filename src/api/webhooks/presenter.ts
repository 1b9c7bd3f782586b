import type { Webhook } from '../../database/entities/webhook.ts';
import type { WebhookView } from './schema.ts';

/** A webhook as integrators see it: the secret stays inside. */
export function presentWebhook(webhook: Omit<Webhook, 'secret'>): WebhookView {
  return {
    id: webhook.id,
    name: webhook.name,
    endpoint: webhook.endpoint,
    events: webhook.events,
    devMode: webhook.devMode,
    v2: webhook.v2,
    disabledAt: webhook.disabledAt?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}
