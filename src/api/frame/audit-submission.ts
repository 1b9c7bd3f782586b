import { hash } from 'node:crypto';
import { canonicalJson } from '../idempotency/canonical-json.ts';

/** What identifies a change that can be made only once, such as the id of a charge that is cancelled. Nothing personal. */
export type ChangeKey = readonly (string | number)[];

/** What identifies a request. */
interface SentRequest {
  readonly key: { readonly devMode: boolean };
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly body: unknown;
  readonly requestId: string;
}

/**
 * Identifies a request in the audit log: by the change that it makes, by its `Idempotency-Key` and content, or, if nothing can repeat
 * it, by its id.
 */
export function submissionOf(
  { key, path, idempotencyKey, body, requestId }: SentRequest,
  change: ChangeKey | null,
): string {
  const { devMode } = key;
  if (change !== null) return hashed(['change', devMode, path, change]);
  if (idempotencyKey !== null) return hashed(['key', devMode, path, idempotencyKey, body]);
  return requestId;
}

function hashed(parts: readonly unknown[]): string {
  return hash('sha256', canonicalJson(parts), 'hex');
}
