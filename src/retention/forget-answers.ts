import { deletionOf } from '../database/delete-in-batches.ts';

/** Deletes the answers that were kept for `Idempotency-Key`s before an instant. */
export const forgetAnswers = deletionOf('forget kept answers', {
  table: 'idempotency_records',
  key: ['store_id', 'dev_mode', 'key'],
  age: 'created_at',
});
