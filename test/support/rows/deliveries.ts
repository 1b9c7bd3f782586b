import type { WorkflowHandle } from '@temporalio/client';
import {
  type Delivery,
  DeliveryAttemptEntity,
  DeliveryEntity,
  type DeliveryToStart,
} from '../../../src/database/entities/delivery.ts';
import { type Webhook, WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import { resendDelivery } from '../../../src/temporal/delivery.ts';
import { deliveryWorkflowId } from '../../../workflows/webhook-delivery.contract.ts';
import type { webhookDelivery } from '../../../workflows/webhook-delivery.ts';
import type { WorkflowWorld } from '../lives/workflow-world.ts';
import { insertDelivery, insertWebhook } from './build.ts';

/** A delivery on its way. */
export interface SentDelivery {
  readonly id: DeliveryId;
  readonly webhook: Webhook;
  readonly toStart: DeliveryToStart;
  /** Its workflow: the newest run. */
  workflow(): WorkflowHandle<typeof webhookDelivery>;
}

/** Has a new event delivered to an endpoint. @param given the webhook to deliver to; default: a new one. */
export async function send(world: WorkflowWorld, endpoint: string, given?: Webhook): Promise<SentDelivery> {
  const { database, storeId } = world;
  const createdAt = await world.now();
  const webhook = given ?? (await insertWebhook(database, { storeId, endpoint, createdAt }));
  const { id } = await insertDelivery(database, webhook, { createdAt });
  const toStart: DeliveryToStart = {
    deliveryId: id,
    webhookId: webhook.id,
    storeId,
    devMode: webhook.devMode,
    eventName: 'transparent.completed',
  };
  await world.startDelivery(toStart);
  const workflow = () => world.client.workflow.getHandle<typeof webhookDelivery>(deliveryWorkflowId(id));
  return { id, webhook, toStart, workflow };
}

/** The integrator asks for a delivery to be sent again. */
export function resend({ client, taskQueue }: WorkflowWorld, { toStart }: SentDelivery): Promise<void> {
  return resendDelivery(client, taskQueue, toStart);
}

/** The row of a delivery. */
export function deliveryOf({ database }: WorkflowWorld, { id }: Pick<SentDelivery, 'id'>): Promise<Delivery> {
  return database.em.fork().findOneOrFail(DeliveryEntity, { id });
}

/** What is recorded of its attempts, oldest first. */
export function deliveryAttemptsOf({ database }: WorkflowWorld, { id }: SentDelivery) {
  return database.em
    .fork()
    .find(DeliveryAttemptEntity, { deliveryId: id }, { orderBy: { startedAt: 'asc' } });
}

/** The row of the webhook a delivery goes to. */
export function webhookOf({ database }: WorkflowWorld, { webhook }: SentDelivery): Promise<Webhook> {
  return database.em.fork().findOneOrFail(WebhookEntity, { id: webhook.id });
}
