import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { CliHost, Output } from './host.ts';
import { serviceLogFile } from './instance.ts';
import { LOG_LEVELS, type LogLevel, readableLine, readLogLine } from './log-lines.ts';
import { UsageError } from './usage-error.ts';

interface LogOptions {
  readonly level: LogLevel;
  readonly about?: string;
  readonly follow: boolean;
}

/** What is read of a log that has grown large: its end. */
const LAST_BYTES = 256 * 1024;
const POLL_MS = 300;

/** `logs`. */
export function addLogCommand(root: Command, host: CliHost, output: Output): void {
  root
    .command('logs')
    .description('Follows the log of what "npm start" runs here, in readable lines')
    .addOption(
      new Option('--level <level>', 'from which on').choices(Object.keys(LOG_LEVELS)).default('info'),
    )
    .option('--about <text>', 'only lines with it: a request id, or the id of anything')
    .option('--no-follow', 'ends with what there is')
    .addHelpText(
      'after',
      `
Reads the file that "npm start" writes in RECEBE_DATA (default .data). API and workers of a cluster log to standard
output, which your platform collects. What the API has answered to whom is a line "request" with its X-Request-Id.`,
    )
    .action(async ({ level, about, follow }: LogOptions) => {
      const file = serviceLogFile(host.env.RECEBE_DATA || '.data');
      const tell = (text: string) => {
        const line = readLogLine(text);
        if (line === null || line.level < LOG_LEVELS[level]) return;
        if (about === undefined || text.includes(about)) output.answer(line, readableLine(line));
      };
      await eachLine(file, follow ? (host.signal ?? null) : AbortSignal.abort(), tell);
    });
}

/** Calls `tell` for the last lines of a file, and for those that are added until the signal. */
async function eachLine(
  file: string,
  signal: AbortSignal | null,
  tell: (line: string) => void,
): Promise<void> {
  const fd = openForReading(file);
  try {
    let at = Math.max(0, fstatSync(fd).size - LAST_BYTES);
    let isCut = at > 0;
    let unfinished = '';
    const decoder = new StringDecoder('utf8');
    const buffer = Buffer.alloc(LAST_BYTES);
    for (;;) {
      const { size } = fstatSync(fd);
      // A start that finds the log too long begins it anew.
      if (size < at) at = 0;
      const bytes = readSync(fd, buffer, 0, buffer.length, at);
      at += bytes;
      const lines = (unfinished + decoder.write(buffer.subarray(0, bytes))).split('\n');
      unfinished = lines.pop() ?? '';
      if (isCut) lines.shift();
      isCut = false;
      for (const line of lines) tell(line);
      if (at < size) continue;
      if (signal?.aborted) return;
      await sleep(POLL_MS, undefined, signal === null ? {} : { signal }).catch(() => undefined);
    }
  } finally {
    closeSync(fd);
  }
}

function openForReading(file: string): number {
  try {
    return openSync(file, 'r');
  } catch {
    throw new UsageError(`there is no ${file}: "npm start" writes it; RECEBE_DATA names its folder`);
  }
}
