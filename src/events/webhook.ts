import { z } from 'zod';
import type { Webhook } from '../database/entities/webhook.ts';
import { timestamp } from '../wire/fields.ts';
import { defineEvent } from './definition.ts';

/** Excludes the endpoint's address, because it may contain that endpoint's secrets. */
const webhook = z.strictObject({
  id: z.string(),
  devMode: z.boolean(),
  name: z.string(),
  events: z.array(z.string()).meta({ description: 'The events that its endpoint no longer receives.' }),
  v2: z.boolean(),
  disabledAt: timestamp,
});

const data = z.strictObject({
  webhook,
  reason: z.string().meta({ description: "The endpoint's response." }),
});

/** The `data` of `webhook.disabled`. */
export function webhookEventData(
  { id, devMode, name, events, v2 }: Webhook,
  disabledAt: Date,
  reason: string,
): z.output<typeof data> {
  return { webhook: { id, devMode, name, events, v2, disabledAt: disabledAt.toISOString() }, reason };
}

/** Events of endpoints themselves: our addition. */
export const webhookEvents = {
  'webhook.disabled': defineEvent(
    "Another webhook's endpoint returned 410 and is disabled; `webhooks/update` enables it again. Our addition",
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
