import { ApplicationFailure } from '@temporalio/common';
import { type Resend, ResendEntity } from '../database/entities/resend.ts';
import { WebhookEntity } from '../database/entities/webhook.ts';
import type { Em } from '../database/orm.ts';
import type { DeliveryStatus } from '../domain/delivery.ts';
import type { DeliveryId, ResendId } from '../domain/ids.ts';
import type { ResendStatus } from '../domain/resend.ts';
import { deliveriesToStart } from '../events/delivery-to-start.ts';
import type { WebhookDeps } from './effects.ts';

/**
 * Deliveries per batch, and so per second. At this pace an endpoint receives a store's whole day within a quarter
 * of an hour.
 */
const LOT = 20;

/** Deliveries scanned at once, so that those with another status are skipped quickly without loading all of them. */
const WINDOW = 1_000;

/** How far a range has been resent. */
export type Progress = Pick<Resend, 'status' | 'resentCount'>;

/**
 * Resends the next deliveries of a range, each by its own workflow. If this process dies in the middle, the batch is
 * requested again: none is left out.
 */
export async function resendSome(deps: WebhookDeps, id: ResendId, now: Date): Promise<Progress> {
  const em = deps.database.em.fork();
  const resend = await loaded(em, id);
  if (resend.status !== 'RUNNING') return resend;
  const active = { id: resend.webhookId, disabledAt: null, deletedAt: null };
  if ((await em.count(WebhookEntity, active)) === 0) return end(em, id, 'STOPPED', now);
  const { ids, last } = await nextLot(em, resend);
  if (last === null) return end(em, id, 'DONE', now);
  const deliveries = await deliveriesToStart(em, ids);
  await Promise.all(deliveries.map((delivery) => deps.resendDelivery(delivery)));
  // Another worker may have done the same batch: it is counted once.
  const from = { id, status: 'RUNNING' as const, lastId: resend.lastId };
  await em.nativeUpdate(ResendEntity, from, {
    lastCreatedAt: last.createdAt,
    lastId: last.id,
    resentCount: resend.resentCount + ids.length,
    progressAt: now,
  });
  return loaded(em, id);
}

function loaded(em: Em, id: ResendId): Promise<Resend> {
  return em.findOneOrFail(
    ResendEntity,
    { id },
    {
      disableIdentityMap: true,
      failHandler: () => ApplicationFailure.nonRetryable(`No resend ${id}`, 'RESEND_NOT_FOUND'),
    },
  );
}

/** Stops the range at its current position. */
export async function stopResend({ database }: WebhookDeps, id: ResendId, now: Date): Promise<void> {
  await end(database.em.fork(), id, 'STOPPED', now);
}

async function end(em: Em, id: ResendId, status: ResendStatus, now: Date): Promise<Progress> {
  const ended = { status, finishedAt: now, progressAt: now };
  await em.nativeUpdate(ResendEntity, { id, status: 'RUNNING' }, ended);
  return loaded(em, id);
}

interface Lot {
  readonly ids: readonly DeliveryId[];
  /** The last delivery that was scanned; null if there are no more. */
  readonly last: { readonly id: DeliveryId; readonly createdAt: Date } | null;
}

/** The next deliveries with the wanted status, in the order of their creation. */
async function nextLot(em: Em, resend: Resend): Promise<Lot> {
  const { webhookId, deliveryStatus, fromAt, toAt, createdAt, lastCreatedAt, lastId } = resend;
  const rows = await em.execute<{ id: DeliveryId; status: DeliveryStatus; createdAt: string }[]>(
    `select id, status, created_at as "createdAt" from deliveries
     where webhook_id = :webhookId and (created_at, id) > (:afterAt, :afterId) and created_at >= :fromAt
       and created_at < :toAt and created_at < :createdAt
     order by created_at, id limit :limit`,
    {
      webhookId,
      afterAt: lastCreatedAt ?? fromAt,
      afterId: lastId ?? '',
      fromAt,
      toAt,
      createdAt,
      limit: WINDOW,
    } as never,
  );
  const wanted = rows.filter(({ status }) => status === deliveryStatus).slice(0, LOT);
  const last = wanted.length === LOT ? wanted.at(-1) : rows.at(-1);
  return {
    ids: wanted.map(({ id }) => id),
    last: last === undefined ? null : { id: last.id, createdAt: new Date(last.createdAt) },
  };
}
