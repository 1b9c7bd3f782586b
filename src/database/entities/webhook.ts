import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { EndpointEventName } from '../../domain/event-names.ts';
import type { StoreId, WebhookId } from '../../domain/ids.ts';

/** An integrator's endpoint and the events it subscribes to (contract section 7.9). */
export const WebhookEntity = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.text().$type<WebhookId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    name: p.text(),
    endpoint: p.text(),
    /**
     * Signs deliveries, so it cannot be stored as a hash; encrypted (src/secrets) with the key of `secretKeyId`.
     * Never shown, logged or put in a history.
     */
    secret: p.text(),
    /** Null if the secret is stored as text: by earlier releases, and in development without a key. */
    secretKeyId: p.text().strictNullable(),
    /** The previous secret, stored in the same way, which also signs until the time in the next column. */
    previousSecret: p.text().strictNullable(),
    previousSecretKeyId: p.text().strictNullable(),
    previousSecretUntil: p.datetime().strictNullable(),
    /** The names of its version. */
    events: p.array().$type<EndpointEventName[]>(),
    /** Whether it receives the payloads of v2, or those of v1 (contract section 7). */
    v2: p.boolean(),
    /** Set when the endpoint answered 410 (contract section 7), or on request: nothing is sent to it meanwhile. */
    disabledAt: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    deletedAt: p.datetime().strictNullable(),
  },
});
export type Webhook = InferEntity<typeof WebhookEntity>;
