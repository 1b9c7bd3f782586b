import { type Logger, pino } from 'pino';
import { LOG_LEVELS, readableLine, readLogLine } from '../src/cli/log-lines.ts';
import type { Config } from '../src/config.ts';
import { createLogger } from '../src/log.ts';
import { RotatedLog } from './rotated-log.ts';

/** `npm start -- --log` shows the whole log on a terminal. */
const SHOWS_ALL = '--log';

/**
 * The log of API and worker on one machine. A rotated file has all of it, and `recebe logs` follows the file.
 * A terminal shows, in readable lines, only entries that need attention: a line for each request would push
 * the addresses away. With `--log` it shows them too. Otherwise standard output has all of it, as JSON.
 * @param isShown whether everything is shown, readable also without a terminal.
 */
export function instanceLog(
  file: string,
  level: Config['logLevel'],
  isShown = process.argv.includes(SHOWS_ALL),
  out: Output = process.stdout,
): Logger {
  const written = new RotatedLog(file);
  const json = pino.destination({ dest: 1, sync: false });
  const least = isShown ? 0 : LOG_LEVELS.warn;
  return createLogger(level, {
    write(text: string) {
      written.write(text);
      if (!out.isTTY && !isShown) return void json.write(text);
      const line = readLogLine(text);
      if (line !== null && line.level >= least) out.write(`${readableLine(line)}\n`);
    },
  });
}

/** What of standard output is used here. */
interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}
