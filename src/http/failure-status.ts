import { isPostgresAway } from '../database/away.ts';

/** The status of an answer after an unexpected error: 503 if Postgres is unavailable, so that a retry may work. */
export function failureStatus(error: unknown): 500 | 503 {
  return isPostgresAway(error) ? 503 : 500;
}
