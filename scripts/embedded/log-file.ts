import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';

/** A larger log of a server is emptied at its next start, so that a folder in daily use stays bounded. */
const MAX_BYTES = 10 * 1024 * 1024;

/** A server's log, readable by its owner only. */
export interface LogFile {
  fd: number;
  /** What this start of the server has written so far. */
  written(): string;
  /** To be called once the server has the descriptor. */
  close(): void;
}

/** Opens a log to be appended to. */
export function openLog(file: string): LogFile {
  let fd = openSync(file, 'a', 0o600);
  if (fstatSync(fd).size > MAX_BYTES) {
    closeSync(fd);
    fd = openSync(file, 'w', 0o600);
  }
  const start = fstatSync(fd).size;
  return {
    fd,
    written: () => readFileSync(file).subarray(start).toString('utf8'),
    close: () => closeSync(fd),
  };
}
