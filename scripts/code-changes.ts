import { EventEmitter, once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** Editors write a file in several steps, and a change of branch writes hundreds. */
const QUIET_MS = 150;

/** What the service loads; editors keep files of other names beside it. */
const CODE = /\.(ts|js|css|svg)$/;

/** Changes of the code that the service is made of. */
export class CodeChanges {
  readonly #watchers: FSWatcher[];
  readonly #events = new EventEmitter();
  #first: string | null = null;
  #count = 0;

  constructor(folders: readonly string[]) {
    this.#watchers = folders.map((folder) =>
      watch(join(ROOT, folder), { recursive: true }, (_, file) => {
        if (file !== null && CODE.test(file)) this.#note(join(folder, file));
      }),
    );
  }

  /**
   * Waits for a change, then until nothing has changed for a moment. @returns the file that changed first.
   */
  async next(): Promise<string> {
    if (this.#first === null) await once(this.#events, 'change');
    for (let seen = -1; seen !== this.#count; await sleep(QUIET_MS)) seen = this.#count;
    const file = this.#first ?? '';
    this.#first = null;
    return file;
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }

  #note(file: string): void {
    this.#count += 1;
    this.#first ??= file;
    this.#events.emit('change');
  }
}
