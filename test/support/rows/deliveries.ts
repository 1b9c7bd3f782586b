import type { WorkflowHandle } from '@temporalio/client';
import {
  type Delivery,
  DeliveryAttemptEntity,
  DeliveryEntity,
  type DeliveryToStart,
} from '../../../src/database/entities/delivery.ts';
import { type Resend, ResendEntity } from '../../../src/database/entities/resend.ts';
import { type Webhook, WebhookEntity } from '../../../src/database/entities/webhook.ts';
import type { DeliveryId, ResendId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { resendDelivery } from '../../../src/temporal/delivery.ts';
import { resendStart } from '../../../src/temporal/resend.ts';
import { startOnce } from '../../../src/temporal/workflow-start.ts';
import { deliveryWorkflowId } from '../../../workflows/webhook-delivery.contract.ts';
import type { webhookDelivery } from '../../../workflows/webhook-delivery.ts';
import type { webhookResend } from '../../../workflows/webhook-resend.ts';
import type { WorkflowFixture } from '../fixtures/workflow-fixture.ts';
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
export async function send(
  fixture: WorkflowFixture,
  endpoint: string,
  given?: Webhook,
): Promise<SentDelivery> {
  const { database, storeId } = fixture;
  const createdAt = await fixture.now();
  const webhook = given ?? (await insertWebhook(database, { storeId, endpoint, createdAt }));
  const { id } = await insertDelivery(database, webhook, { createdAt });
  const toStart: DeliveryToStart = {
    deliveryId: id,
    webhookId: webhook.id,
    storeId,
    devMode: webhook.devMode,
    eventName: 'transparent.completed',
  };
  await fixture.startDelivery(toStart);
  const workflow = () => fixture.client.workflow.getHandle<typeof webhookDelivery>(deliveryWorkflowId(id));
  return { id, webhook, toStart, workflow };
}

/** The integrator asks for a delivery to be sent again. */
export function resend({ client, taskQueue }: WorkflowFixture, { toStart }: SentDelivery): Promise<void> {
  return resendDelivery(client, taskQueue, toStart);
}

/** The row of a delivery. */
export function deliveryOf(
  { database }: WorkflowFixture,
  { id }: Pick<SentDelivery, 'id'>,
): Promise<Delivery> {
  return database.em.fork().findOneOrFail(DeliveryEntity, { id });
}

/** What is recorded of its attempts, oldest first. */
export function deliveryAttemptsOf({ database }: WorkflowFixture, { id }: SentDelivery) {
  return database.em
    .fork()
    .find(DeliveryAttemptEntity, { deliveryId: id }, { orderBy: { startedAt: 'asc' } });
}

/** The row of the webhook a delivery goes to. */
export function webhookOf({ database }: WorkflowFixture, { webhook }: SentDelivery): Promise<Webhook> {
  return database.em.fork().findOneOrFail(WebhookEntity, { id: webhook.id });
}

/** An endpoint with deliveries that have failed, a second apart, and the range of them that is to be sent again. */
export async function failedRange(
  { database, storeId, now }: WorkflowFixture,
  endpoint: string,
  count: number,
  given: Partial<Resend> = {},
): Promise<Resend> {
  const createdAt = await now();
  const webhook = await insertWebhook(database, { storeId, endpoint, createdAt });
  const madeAt = (index: number) => new Date(createdAt.getTime() - (count - index) * 1_000);
  for (let index = 0; index < count; index += 1)
    await insertDelivery(database, webhook, { status: 'FAILED', attempts: 1, createdAt: madeAt(index) });
  const resend: Resend = {
    id: mintId<ResendId>('resend', createdAt),
    storeId,
    devMode: true,
    webhookId: webhook.id,
    fromAt: madeAt(0),
    toAt: createdAt,
    deliveryStatus: 'FAILED',
    status: 'RUNNING',
    resentCount: 0,
    lastCreatedAt: null,
    lastId: null,
    createdAt,
    progressAt: createdAt,
    finishedAt: null,
    workflowStartedAt: createdAt,
    ...given,
  };
  await database.em.fork().insert(ResendEntity, resend);
  return resend;
}

/** Starts the workflow that sends a range again. */
export async function startResend({ client, taskQueue, now }: WorkflowFixture, resend: Resend) {
  const start = resendStart(resend);
  await startOnce(client, taskQueue, start, { nowMs: (await now()).getTime() });
  return client.workflow.getHandle<typeof webhookResend>(start.options.workflowId ?? '');
}

/** The row of a range that is sent again. */
export function resendOf({ database }: WorkflowFixture, { id }: Pick<Resend, 'id'>): Promise<Resend> {
  return database.em.fork().findOneOrFail(ResendEntity, { id });
}
