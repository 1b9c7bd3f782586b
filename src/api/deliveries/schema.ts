import { z } from 'zod';
import type { Delivery, DeliveryAttempt } from '../../database/entities/delivery.ts';
import type { Event } from '../../database/entities/event.ts';
import type { Webhook } from '../../database/entities/webhook.ts';
import { DELIVERY_STATUSES } from '../../domain/delivery.ts';
import { RECORDED_EVENT_NAMES } from '../../domain/event-names.ts';
import { deliveryBody } from '../../events/envelope.ts';
import { subjectIdsOf } from '../../events/subjects.ts';
import { idText, timestamp } from '../../wire/fields.ts';
import { eventExample, eventIdView, periodQuery, subjectIdsView, subjectQuery } from '../events/schema.ts';
import { fromInstant, toInstant } from '../frame/time-range.ts';

/** Filters of GET `/webhooks/deliveries`. */
export const listDeliveriesQuery = z.object({
  webhookId: idText('webh_01J9Z3VYK0W6F0S7R2M8QH4T5B').optional(),
  event: z.enum(RECORDED_EVENT_NAMES).optional().meta({ example: 'transparent.completed' }),
  eventId: idText(eventExample.id).optional(),
  status: z.enum(DELIVERY_STATUSES).optional().meta({ example: 'DELIVERED' }),
  ...subjectQuery,
  ...periodQuery,
});
export type ListDeliveriesQuery = z.output<typeof listDeliveriesQuery>;

/** Query of GET `/webhooks/deliveries/get`. */
export const deliveryQuery = z.object({ id: idText('log_01J9Z40TQ5C3X9V1B7N2K8M4DE') });

/** Body of POST `/webhooks/resend`: one delivery, or a range. */
export const resendBody = z.strictObject({
  id: idText('log_01J9Z40TQ5C3X9V1B7N2K8M4DE').optional().meta({
    description: 'The id of one delivery; only it is resent.',
  }),
  webhookId: idText('webh_01J9Z3VYK0W6F0S7R2M8QH4T5B').optional().meta({
    description: 'The webhook whose deliveries are resent, with `from` and `to`.',
  }),
  from: fromInstant('Made').meta({ example: '2026-03-06T00:00:00Z' }),
  to: toInstant('Created before this request, and').meta({ example: '2026-03-07T00:00:00Z' }),
  status: z.enum(DELIVERY_STATUSES).optional().meta({
    description: 'Only deliveries with this status are resent. Default: FAILED.',
    example: 'FAILED',
  }),
});
export type ResendBody = z.output<typeof resendBody>;

const attemptView = z
  .object({
    startedAt: timestamp,
    durationMs: z.int().meta({ description: 'From the start of the attempt to its result.' }),
    statusCode: z
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the response; null if there was none.' }),
    responseExcerpt: z.string().meta({ description: 'The first 4 KiB of the response body.' }),
    error: z.string().nullable().meta({ description: 'Why the attempt failed; null if it succeeded.' }),
  })
  .meta({ id: 'DeliveryAttempt' });

/** The delivery of one event to one endpoint, with its attempts so far. */
export const deliveryView = z
  .object({
    id: z.string().meta({ description: 'Also the `id` of the payload and the header `webhook-id`.' }),
    event: z.enum(RECORDED_EVENT_NAMES).meta({
      description: 'The v2 name; endpoints of v1 receive the v1 name.',
    }),
    eventId: eventIdView,
    subjectIds: subjectIdsView,
    sample: z.boolean().meta({ description: 'Whether `webhooks/test` created it.' }),
    webhookId: z.string(),
    devMode: z.boolean(),
    status: z.enum(DELIVERY_STATUSES),
    attemptsCount: z.int(),
    attempts: z.array(attemptView).meta({ description: 'Oldest first.' }),
    nextAttemptAt: timestamp.nullable(),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'Delivery' });
export type DeliveryView = z.output<typeof deliveryView>;

/** A delivery with its payload. */
export const deliveryWithPayload = z
  .object({
    ...deliveryView.shape,
    payload: z.record(z.string(), z.unknown()).meta({
      description:
        'The JSON body of every attempt, without personal data of a customer who was deleted since.',
    }),
  })
  .meta({ id: 'DeliveryWithPayload' });
type DeliveryWithPayload = z.output<typeof deliveryWithPayload>;

export const deliveryExample: DeliveryView = {
  id: 'log_01J9Z40TQ5C3X9V1B7N2K8M4DE',
  event: 'transparent.completed',
  eventId: eventExample.id,
  subjectIds: eventExample.subjectIds,
  sample: false,
  webhookId: 'webh_01J9Z3VYK0W6F0S7R2M8QH4T5B',
  devMode: true,
  status: 'DELIVERED',
  attemptsCount: 1,
  attempts: [
    {
      startedAt: '2026-03-06T14:23:10.004Z',
      durationMs: 87,
      statusCode: 200,
      responseExcerpt: 'ok',
      error: null,
    },
  ],
  nextAttemptAt: null,
  createdAt: '2026-03-06T14:23:09.981Z',
  finishedAt: '2026-03-06T14:23:10.091Z',
};

/** A delivery just created by `webhooks/test`. */
export const sampleDeliveryExample: DeliveryView = {
  ...deliveryExample,
  subjectIds: [],
  sample: true,
  status: 'PENDING',
  attemptsCount: 0,
  attempts: [],
  nextAttemptAt: '2026-03-06T14:23:09.981Z',
  finishedAt: null,
};

export const deliveryWithPayloadExample: DeliveryWithPayload = {
  ...deliveryExample,
  payload: {
    id: deliveryExample.id,
    event: eventExample.name,
    apiVersion: 2,
    devMode: true,
    eventId: eventExample.id,
    data: eventExample.data,
  },
};

/** A delivery with its event and its attempts, oldest first. */
export interface DeliveryDetails {
  readonly delivery: Delivery;
  readonly event: Parameters<typeof subjectIdsOf>[0] & Pick<Event, 'sample'>;
  readonly attempts: readonly DeliveryAttempt[];
}

/** A delivery as the API returns it. */
export function presentDelivery({ delivery, event, attempts }: DeliveryDetails): DeliveryView {
  return {
    id: delivery.id,
    event: delivery.eventName,
    eventId: delivery.eventId,
    subjectIds: event.sample ? [] : subjectIdsOf(event),
    sample: event.sample,
    webhookId: delivery.webhookId,
    devMode: delivery.devMode,
    status: delivery.status,
    attemptsCount: delivery.attempts,
    attempts: attempts.map(presentAttempt),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
  };
}

/** A delivery with its payload, parsed from the exact text that its endpoint receives. */
export function presentDeliveryWithPayload(
  details: DeliveryDetails,
  event: Event,
  { v2 }: Pick<Webhook, 'v2'>,
): DeliveryWithPayload {
  const { id, eventId, eventName, devMode } = details.delivery;
  const { data, sample: isSample } = event;
  const payload = deliveryBody({ eventId, eventName, devMode, data, isV2: v2, isSample }, id);
  return { ...presentDelivery(details), payload: JSON.parse(payload) };
}

function presentAttempt(attempt: DeliveryAttempt): DeliveryView['attempts'][number] {
  const { startedAt, durationMs, statusCode, responseExcerpt, error } = attempt;
  return { startedAt: startedAt.toISOString(), durationMs, statusCode, responseExcerpt, error };
}
