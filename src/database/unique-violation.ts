/** Postgres's code of it (unique_violation). */
const UNIQUE_VIOLATION = '23505';

/** Whether another row with the same key exists. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
