import { deletionOf } from './delete-in-batches.ts';

/**
 * Deletes what needed a person and was closed before an instant. A payment that nobody knows stays: its row says that it
 * was looked at, should its bank list it again.
 */
export const deleteClosedNotes = deletionOf('delete closed attention', {
  table: 'attention',
  key: ['id'],
  age: 'resolved_at',
  condition: `resolved_at is not null and kind <> 'UNKNOWN_PAYMENT'`,
});

/** Deletes what is left to show of ranges of deliveries that were sent again, and have ended before an instant. */
export const deleteEndedResends = deletionOf('delete ended resends', {
  table: 'resends',
  key: ['id'],
  age: 'finished_at',
  condition: 'finished_at is not null',
});
