import type { CliHost } from '../../../src/cli/host.ts';
import { runCli } from '../../../src/cli/run.ts';
import { waitFor } from '../waiting/wait-for.ts';

/** What a command that has ended has said. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

/** Runs a command to its end. @param args a word where it has blanks stands in '…'. */
export async function run(
  args: string,
  env: CliHost['env'],
  more: Partial<Pick<CliHost, 'confirm'>> = {},
): Promise<Ended> {
  const out: string[] = [];
  const errors: string[] = [];
  const host: CliHost = {
    env,
    print: (line) => out.push(line),
    printError: (line) => errors.push(line),
    ...more,
  };
  const words = [...args.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const code = await runCli(words, host);
  return { code, out: out.join('\n'), errors: errors.join('\n') };
}

/** A command with `--json` that runs until it is ended. */
export interface Running extends AsyncDisposable {
  /** The lines so far, parsed. */
  readonly lines: readonly Record<string, unknown>[];
  /** Of one type. */
  of(type: string): readonly Record<string, unknown>[];
  waitForLines(type: string, count: number): Promise<void>;
  /** As Ctrl-C does. @returns the exit code. */
  stop(): Promise<number>;
}

export function start(args: readonly string[], env: CliHost['env']): Running {
  const stopping = new AbortController();
  const lines: Record<string, unknown>[] = [];
  const print = (line: string) => lines.push(JSON.parse(line));
  const ended = runCli([...args, '--json'], { env, print, printError: print, signal: stopping.signal });
  const of = (type: string) => lines.filter((line) => line.type === type);
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return {
    lines,
    of,
    waitForLines: (type, count) => waitFor(() => of(type).length >= count),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}
