import { deletionOf } from '../database/delete-in-batches.ts';

/**
 * Deletes notes that were closed before an instant. Notes of payments of no charge stay: they show that the payment
 * was handled if its bank lists it again.
 */
export const deleteClosedNotes = deletionOf('delete closed attention', {
  table: 'attention',
  key: ['id'],
  age: 'resolved_at',
  condition: `resolved_at is not null and kind <> 'UNKNOWN_PAYMENT'`,
});

/** Deletes resends that ended before an instant. */
export const deleteEndedResends = deletionOf('delete ended resends', {
  table: 'resends',
  key: ['id'],
  age: 'finished_at',
  condition: 'finished_at is not null',
});
