import { createHash, randomUUID } from 'node:crypto';
import type { Tool } from './tools.ts';

/** A model repeats a call at once or not at all. */
const MAX_KEPT = 1_000;

/**
 * The `Idempotency-Key` of calls that got no final answer. A model that does not know whether its call was carried
 * out repeats it: the same tool with the same arguments then has the same key, and is carried out once.
 */
export class UnansweredCalls {
  readonly #keys = new Map<string, string>();

  /** The key of the same call if it was unanswered, or a new one. */
  keyOf(tool: Tool, body: object): string {
    return this.#keys.get(fingerprintOf(tool, body)) ?? randomUUID();
  }

  /** The call got no final answer. */
  keep(tool: Tool, body: object, key: string): void {
    this.#keys.set(fingerprintOf(tool, body), key);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEPT && oldest !== undefined) this.#keys.delete(oldest);
  }

  /** The call has its final answer. The same call is a new one from now on. */
  forget(tool: Tool, body: object): void {
    this.#keys.delete(fingerprintOf(tool, body));
  }
}

/** Only a hash: bodies have personal data. */
function fingerprintOf({ name }: Tool, body: object): string {
  return createHash('sha256')
    .update(`${name}\n${JSON.stringify(body)}`)
    .digest('hex');
}
