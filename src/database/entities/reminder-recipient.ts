import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CustomerId } from '../../domain/ids.ts';

/** An address of a customer that reminders were sent to, with the token of the link that ends them. */
export const ReminderRecipientEntity = defineEntity({
  name: 'ReminderRecipient',
  tableName: 'reminder_recipients',
  properties: {
    customerId: p.text().$type<CustomerId>().primary(),
    /** Of the address (`emailHashOf`). */
    emailHash: p.text().primary(),
    /** Anyone who has it can end reminders to this address, and nothing else. Each mail contains it. */
    token: p.text(),
    createdAt: p.datetime(),
    /** When the reader has asked for no more reminders; null if they have not. */
    unsubscribedAt: p.datetime().strictNullable(),
  },
});
export type ReminderRecipient = InferEntity<typeof ReminderRecipientEntity>;
