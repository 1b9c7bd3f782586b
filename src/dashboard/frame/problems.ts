import { ApiError } from '../../api/frame/errors.ts';
import type { Problems } from './form.ts';

/**
 * What the API refuses of what was typed, by the names of its fields, so that the form is shown again with it. An
 * operation has refused before anything was done.
 * @throws the error itself where it is about no field.
 */
export function problemsOf(error: unknown): Problems {
  const issues = error instanceof ApiError && error.status < 500 ? error.issues : undefined;
  if (issues === undefined) throw error;
  return Object.fromEntries(issues.map(({ path, message }) => [path.replace(/\[\d+\]$/, ''), message]));
}
