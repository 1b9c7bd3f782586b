import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { StoreId, SubscriptionId } from '../../domain/ids.ts';
import type { SubscriptionReminderKind } from '../../domain/reminders.ts';

/**
 * A reminder of one step about one charge, trial, unpaid cycle or card of a subscription, with the states of a {@link ReminderEntity}.
 * It holds no personal data.
 */
export const SubscriptionReminderEntity = defineEntity({
  name: 'SubscriptionReminder',
  tableName: 'subscription_reminders',
  properties: {
    subscriptionId: p.text().$type<SubscriptionId>().primary(),
    kind: p.text().$type<SubscriptionReminderKind>().primary(),
    /** What it is about, unique within subscription and kind (`src/database/reminded-subscriptions.ts`). */
    subject: p.text().primary(),
    /** The step: days after the date that is reminded of. */
    days: p.smallint().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    status: p.text().$type<'QUEUED' | 'SENT' | 'DROPPED' | 'FAILED'>(),
    attempts: p.integer().default(0),
    nextAttemptAt: p.datetime(),
    /** In the store's time. */
    createdAt: p.datetime(),
    /** When it was SENT, DROPPED or FAILED: in real time if mailed, in the store's time if published. */
    endedAt: p.datetime().strictNullable(),
  },
});
export type SubscriptionReminder = InferEntity<typeof SubscriptionReminderEntity>;
