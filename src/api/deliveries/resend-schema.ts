import { z } from 'zod';
import type { Resend } from '../../database/entities/resend.ts';
import { DELIVERY_STATUSES } from '../../domain/delivery.ts';
import { RESEND_STATUSES } from '../../domain/resend.ts';
import { idText, timestamp } from '../../wire/fields.ts';

const RESEND_ID = 'rsnd_01J9Z4A7R8D5F1H3K6N9Q2S4VX';

/** Query of GET `/webhooks/resend/get`, and body of POST `/webhooks/resend/stop`. */
export const resendQuery = z.object({ id: idText(RESEND_ID) });
export const stopResendBody = z.strictObject({ id: idText(RESEND_ID) });

/** A bulk resend of a range of deliveries, with its progress. */
export const resendView = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    devMode: z.boolean(),
    from: timestamp,
    to: timestamp,
    deliveryStatus: z
      .enum(DELIVERY_STATUSES)
      .meta({ description: 'Only deliveries with this status are resent.' }),
    status: z.enum(RESEND_STATUSES).meta({
      description: 'STOPPED on request, or because the webhook was disabled or deleted.',
    }),
    resentCount: z.int().meta({ description: 'Deliveries resent so far.' }),
    reachedAt: timestamp.nullable().meta({
      description: 'The creation time of the last delivery checked; null before the first.',
    }),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'Resend' });
export type ResendView = z.output<typeof resendView>;

export const resendExample: ResendView = {
  id: RESEND_ID,
  webhookId: 'webh_01J9Z3VYK0W6F0S7R2M8QH4T5B',
  devMode: true,
  from: '2026-03-06T00:00:00.000Z',
  to: '2026-03-07T00:00:00.000Z',
  deliveryStatus: 'FAILED',
  status: 'DONE',
  resentCount: 0,
  reachedAt: null,
  createdAt: '2026-03-07T09:12:44.310Z',
  finishedAt: '2026-03-07T09:12:44.502Z',
};

/** A bulk resend as the API returns it. */
export function presentResend(resend: Resend): ResendView {
  return {
    id: resend.id,
    webhookId: resend.webhookId,
    devMode: resend.devMode,
    from: resend.fromAt.toISOString(),
    to: resend.toAt.toISOString(),
    deliveryStatus: resend.deliveryStatus,
    status: resend.status,
    resentCount: resend.resentCount,
    reachedAt: resend.lastCreatedAt?.toISOString() ?? null,
    createdAt: resend.createdAt.toISOString(),
    finishedAt: resend.finishedAt?.toISOString() ?? null,
  };
}
