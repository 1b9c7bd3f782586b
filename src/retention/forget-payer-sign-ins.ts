import { deletionOf } from '../database/delete-in-batches.ts';

/** Deletes payers' sign-ins to the customer portal that expired before an instant. */
export const forgetPayerSignIns = deletionOf('forget payer sign-ins', {
  table: 'payer_sign_ins',
  key: ['token_hash'],
  age: 'expires_at',
});

/** Deletes payers' sessions that ended before an instant. The browser of an ended session stays known, until then. */
export const forgetPayerSessions = deletionOf('forget payer sessions', {
  table: 'payer_sessions',
  key: ['token_hash'],
  age: 'expires_at',
});
