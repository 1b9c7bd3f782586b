import { type Logger, pino } from 'pino';
import { LOG_LEVELS, readableLine, readLogLine } from '../src/cli/log-lines.ts';
import type { Config } from '../src/config.ts';
import { createLogger } from '../src/log.ts';
import { RotatedLog } from './rotated-log.ts';

/**
 * The log of API and worker on one machine. A rotated file has all of it, and `recebe logs` follows the file.
 * A terminal shows, in readable lines, only entries that need attention: a line for each request would push
 * the addresses away. Otherwise standard output has all of it, as JSON.
 */
export function instanceLog(file: string, level: Config['logLevel']): Logger {
  const written = new RotatedLog(file);
  const out = pino.destination({ dest: 1, sync: false });
  const isTerminal = process.stdout.isTTY;
  return createLogger(level, {
    write(text: string) {
      written.write(text);
      if (!isTerminal) return void out.write(text);
      const line = readLogLine(text);
      if (line !== null && line.level >= LOG_LEVELS.warn) process.stdout.write(`${readableLine(line)}\n`);
    },
  });
}
