import { type Command, Option } from 'commander';
import { eachLine } from './follow-log.ts';
import type { CliHost, Output } from './host.ts';
import { serviceLogFile } from './instance.ts';
import { LOG_LEVELS, type LogLevel, readableLine, readLogLine } from './log-lines.ts';

interface LogOptions {
  readonly level: LogLevel;
  readonly about?: string;
  readonly follow: boolean;
}

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
      const print = (text: string) => {
        const line = readLogLine(text);
        if (line === null || line.level < LOG_LEVELS[level]) return;
        if (about === undefined || text.includes(about)) output.answer(line, readableLine(line));
      };
      await eachLine(file, follow ? (host.signal ?? null) : AbortSignal.abort(), print);
    });
}
