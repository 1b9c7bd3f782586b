import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { olderLogFile } from './log-lines.ts';
import { UsageError } from './usage-error.ts';

/** What is read of a log that has grown large: its end. */
const LAST_BYTES = 256 * 1024;
const POLL_MS = 300;

/**
 * Calls `tell` for the last lines of a log, and for those that are added until the signal, also once it has begun anew.
 * @param signal null to go on for ever; ended already, the lines that are there are all.
 * @throws UsageError where there is no such file.
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
      // It has another name now. By the time of the next look its writer has ended it.
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

/** A log that has just begun anew says little: the end of the one before belongs to it. */
function logOlder(file: string, bytes: number, print: (line: string) => void): void {
  const older = bytes > 0 ? LogReader.openEnd(olderLogFile(file), bytes) : null;
  older?.readOn(print);
  older?.close();
}

/** The lines of one file, from a place on. */
class LogReader {
  readonly #fd: number;
  readonly #decoder = new StringDecoder('utf8');
  readonly #buffer = Buffer.alloc(LAST_BYTES);
  #at: number;
  /** Whether the first line is only the end of one. */
  #isCut: boolean;
  #unfinished: string = '';

  private constructor(fd: number, bytes: number) {
    this.#fd = fd;
    this.#at = Math.max(0, this.size - bytes);
    this.#isCut = this.#at > 0;
  }

  /** Null where there is no such file. */
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

  /** Whether this is what the name stands for. While nothing has it, it is still. */
  isAt(file: string): boolean {
    const named = statSync(file, { throwIfNoEntry: false });
    return named === undefined || named.ino === fstatSync(this.#fd).ino;
  }

  /** Tells every line that is written to its end, and comes to the end of the file. */
  readOn(print: (line: string) => void): void {
    for (;;) {
      const { size } = this;
      // Somebody has emptied it.
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
