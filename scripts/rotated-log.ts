import { closeSync, fstatSync, openSync, renameSync } from 'node:fs';
import { type DestinationStream, pino } from 'pino';
import { olderLogFile } from '../src/cli/log-lines.ts';

/** A log that is longer is rotated. With the previous one, a folder holds at most twice as much. */
const MAX_BYTES = 10 * 1024 * 1024;

/** A file that a log is written to, readable by its owner only. Nothing is waited for; flushed when the process ends. */
export class RotatedLog implements DestinationStream {
  readonly #file: string;
  readonly #maxBytes: number;
  #bytes: number = 0;
  #destination: ReturnType<typeof pino.destination>;

  /** Appends to the file unless it is too long already. */
  constructor(file: string, maxBytes: number = MAX_BYTES) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#destination = this.#open();
    if (this.#bytes > maxBytes) this.#restart();
  }

  write(text: string): void {
    if (this.#bytes > this.#maxBytes) this.#restart();
    this.#bytes += Buffer.byteLength(text);
    this.#destination.write(text);
  }

  #open(): ReturnType<typeof pino.destination> {
    const fd = openSync(this.#file, 'a', 0o600);
    try {
      this.#bytes = fstatSync(fd).size;
      return pino.destination({ fd, sync: false });
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** What is still to be written goes to the file before, which has another name now. */
  #restart(): void {
    const full = this.#destination;
    try {
      renameSync(this.#file, olderLogFile(this.#file));
      this.#destination = this.#open();
      full.end();
    } catch {
      // If the folder accepts no other file, the log continues in its own. The next attempt is after as many bytes.
      this.#bytes = 0;
    }
  }
}
