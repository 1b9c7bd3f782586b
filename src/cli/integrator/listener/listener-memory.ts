import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { digestOf } from './listener-folder.ts';

const position = z.object({ after: z.string().min(1) });

/**
 * The last event that a listener handled, kept over runs of the command. Two listeners with different addresses or events have
 * different positions. Without a readable position, the
 * listener begins with new events.
 */
export class ListenerMemory {
  readonly #file: string | null;

  /** @param what the forwarding address and event names. */
  constructor(
    folder: string | null,
    what: { readonly forwardTo: string | null; readonly names: string | null },
  ) {
    const name = `position-${digestOf(what.forwardTo ?? '', what.names ?? '')}.json`;
    this.#file = folder === null ? null : join(folder, name);
  }

  /** The id of the last event handled; null if there is none. */
  read(): string | null {
    if (this.#file === null) return null;
    try {
      return position.parse(JSON.parse(readFileSync(this.#file, 'utf8'))).after;
    } catch {
      return null;
    }
  }

  /** Replaces the position in one step, so that a crash leaves the earlier one. */
  write(after: string): void {
    if (this.#file === null) return;
    const draft = `${this.#file}.${process.pid}`;
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(draft, JSON.stringify({ after }), { mode: 0o600 });
      renameSync(draft, this.#file);
    } catch {
      // Forwarding matters more than the position.
    }
  }
}
