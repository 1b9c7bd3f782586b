import { deletionOf } from '../database/delete-in-batches.ts';

/** Deletes reminders that were sent or dropped, once they are old. Their days are done, so none is written again. */
export const deleteOldReminders = deletionOf('delete old reminders', {
  table: 'reminders',
  key: ['charge_id', 'days'],
  age: 'created_at',
  condition: `status <> 'QUEUED'`,
});

/** The same of reminders of subscriptions. */
export const deleteOldSubscriptionReminders = deletionOf('delete old reminders of subscriptions', {
  table: 'subscription_reminders',
  key: ['subscription_id', 'kind', 'subject', 'days'],
  age: 'created_at',
  condition: `status <> 'QUEUED'`,
});
