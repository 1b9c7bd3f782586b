/** Postgres's code of it (unique_violation). */
const UNIQUE_VIOLATION = '23505';

/** Whether somebody else has written a row with the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
