import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DeliveryStatus } from '../../domain/delivery.ts';
import type { DeliveryId, ResendId, StoreId, WebhookId } from '../../domain/ids.ts';
import type { ResendStatus } from '../../domain/resend.ts';

/**
 * A range of a webhook's deliveries that is sent again; a webhook has at most one that is RUNNING. Its workflow is
 * `resend/<id>`.
 */
export const ResendEntity = defineEntity({
  name: 'Resend',
  tableName: 'resends',
  properties: {
    id: p.text().$type<ResendId>().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    webhookId: p.text().$type<WebhookId>(),
    /** Deliveries created from the first instant on, before the second one, and before the request. */
    fromAt: p.datetime(),
    toAt: p.datetime(),
    deliveryStatus: p.text().$type<DeliveryStatus>(),
    status: p.text().$type<ResendStatus>(),
    resentCount: p.integer(),
    /** The last delivery that was scanned; null before the first. */
    lastCreatedAt: p.datetime().strictNullable(),
    lastId: p.text().$type<DeliveryId>().strictNullable(),
    createdAt: p.datetime(),
    /** When it last made progress; shows the auditor that it is stuck. */
    progressAt: p.datetime(),
    finishedAt: p.datetime().strictNullable(),
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Resend = InferEntity<typeof ResendEntity>;
