import { type Logger, pino } from 'pino';
import { LOG_LEVELS, readableLine, readLogLine } from '../src/cli/log-lines.ts';
import type { Config } from '../src/config.ts';
import { createLogger } from '../src/log.ts';
import { RotatedLog } from './rotated-log.ts';

/**
 * The log of API and worker on one machine: all of it in a file, which begins anew when it is long, and which `recebe logs` follows. A terminal is
 * shown, in readable lines, only what somebody should look at: a line for each request would push away where
 * everything is. Elsewhere standard output has all of it, as JSON.
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
