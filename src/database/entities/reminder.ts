import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, StoreId } from '../../domain/ids.ts';

/**
 * A reminder of one step about one charge. QUEUED until it is SENT; DROPPED if it is not needed any more or nobody may be written to;
 * FAILED if the mail server has refused it for good. It holds no personal data.
 */
export const ReminderEntity = defineEntity({
  name: 'Reminder',
  tableName: 'reminders',
  properties: {
    chargeId: p.text().$type<ChargeId>().primary(),
    /** The step: days after the due date. */
    days: p.smallint().primary(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    status: p.text().$type<'QUEUED' | 'SENT' | 'DROPPED' | 'FAILED'>(),
    attempts: p.integer().default(0),
    nextAttemptAt: p.datetime(),
    /** In the store's time. */
    createdAt: p.datetime(),
    /** When it was SENT, DROPPED or FAILED, in real time. */
    endedAt: p.datetime().strictNullable(),
  },
});
export type Reminder = InferEntity<typeof ReminderEntity>;
