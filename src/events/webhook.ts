import { z } from 'zod';
import type { Webhook } from '../database/entities/webhook.ts';
import { timestamp } from '../wire/fields.ts';
import { defineEvent } from './definition.ts';

/** Without its address, in which there may be what only this endpoint should know. */
const webhook = z.strictObject({
  id: z.string(),
  devMode: z.boolean(),
  name: z.string(),
  events: z.array(z.string()).meta({ description: 'What its endpoint is no longer told of.' }),
  v2: z.boolean(),
  disabledAt: timestamp,
});

const data = z.strictObject({
  webhook,
  reason: z.string().meta({ description: 'What the endpoint answered.' }),
});

/** The `data` of `webhook.disabled`. */
export function webhookEventData(
  { id, devMode, name, events, v2 }: Webhook,
  disabledAt: Date,
  reason: string,
): z.output<typeof data> {
  return { webhook: { id, devMode, name, events, v2, disabledAt: disabledAt.toISOString() }, reason };
}

/** Endpoints themselves: ours. */
export const webhookEvents = {
  'webhook.disabled': defineEvent(
    'The endpoint of another webhook answered 410, and is sent nothing any more; `webhooks/update` enables it again. Ours',
    data,
    {
      webhook: {
        id: 'webh_01J9Z3VYK0W6F0S7R2M8QH4T5B',
        devMode: true,
        name: 'Order system',
        events: ['transparent.completed'],
        v2: true,
        disabledAt: '2026-12-07T10:05:12.904Z',
      },
      reason: 'HTTP 410: the endpoint is gone',
    },
  ),
};
