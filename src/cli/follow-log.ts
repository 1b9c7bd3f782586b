import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { olderLogFile } from './log-lines.ts';
import { UsageError } from './usage-error.ts';

/** Only the end of a large log is read. */
const LAST_BYTES = 256 * 1024;
const POLL_MS = 300;

/**
 * Calls `print` for the last lines of a log, and for new lines until the signal aborts. Follows the log through rotation.
 * @param signal null follows forever; an aborted signal prints only the existing lines.
 * @throws UsageError if the file does not exist.
 */
export async function eachLine(
  file: string,
  signal: AbortSignal | null,
  print: (line: string) => void,
): Promise<void> {
  const pause = () => sleep(POLL_MS, undefined, signal === null ? {} : { signal }).catch(() => undefined);
  let lines = LogReader.openEnd(file, LAST_BYTES);
  if (lines === null)
    throw new UsageError(`there is no ${file}: "npm start" writes it; RECEBE_DATA names its folder`);
  try {
    logOlder(file, LAST_BYTES - lines.size, print);
    for (;;) {
      lines.readOn(print);
      if (signal?.aborted) return;
      await pause();
      if (lines.isAt(file)) continue;
      // The log was rotated. Its writer finishes the old file before the next check.
      await pause();
      lines.readOn(print);
      const next = LogReader.openEnd(file, Number.POSITIVE_INFINITY);
      if (next === null) continue;
      lines.close();
      lines = next;
    }
  } finally {
    lines.close();
  }
}

/** A log that was just rotated has few lines, so the end of the previous one is printed first. */
function logOlder(file: string, bytes: number, print: (line: string) => void): void {
  const older = bytes > 0 ? LogReader.openEnd(olderLogFile(file), bytes) : null;
  older?.readOn(print);
  older?.close();
}

/** Reads the lines of one file from an offset. */
class LogReader {
  readonly #fd: number;
  readonly #decoder = new StringDecoder('utf8');
  readonly #buffer = Buffer.alloc(LAST_BYTES);
  #at: number;
  /** Whether the first line may be incomplete. */
  #isCut: boolean;
  #unfinished: string = '';

  private constructor(fd: number, bytes: number) {
    this.#fd = fd;
    this.#at = Math.max(0, this.size - bytes);
    this.#isCut = this.#at > 0;
  }

  /** Null if the file does not exist. */
  static openEnd(file: string, bytes: number): LogReader | null {
    try {
      return new LogReader(openSync(file, 'r'), bytes);
    } catch {
      return null;
    }
  }

  get size(): number {
    return fstatSync(this.#fd).size;
  }

  /** Whether the path still refers to this file. A missing path counts as yes, because rotation may be in progress. */
  isAt(file: string): boolean {
    const named = statSync(file, { throwIfNoEntry: false });
    return named === undefined || named.ino === fstatSync(this.#fd).ino;
  }

  /** Prints every complete line up to the end of the file. */
  readOn(print: (line: string) => void): void {
    for (;;) {
      const { size } = this;
      // The file was truncated.
      if (size < this.#at) this.#at = 0;
      const bytes = readSync(this.#fd, this.#buffer, 0, this.#buffer.length, this.#at);
      this.#at += bytes;
      const lines = (this.#unfinished + this.#decoder.write(this.#buffer.subarray(0, bytes))).split('\n');
      this.#unfinished = lines.pop() ?? '';
      if (this.#isCut) lines.shift();
      this.#isCut = false;
      for (const line of lines) print(line);
      if (this.#at >= size) return;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
