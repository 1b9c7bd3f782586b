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
    .description('Follows the log of "npm start" on this machine, in readable lines')
    .addOption(
      new Option('--level <level>', 'from which on').choices(Object.keys(LOG_LEVELS)).default('info'),
    )
    .option('--about <text>', "only lines that contain it, such as a request id or an object's id")
    .option('--no-follow', 'stops at the end of the log')
    .addHelpText(
      'after',
      `
Reads the file that "npm start" writes in RECEBE_DATA (default .data). API and workers of a cluster log to standard
output, which your platform collects. Each request to the API is a line "request" with its X-Request-Id.`,
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
