import type { Log } from './embedded/process.mjs';

/** Something that starts while others do. */
interface StartBeside<Result> {
  /** Waits for it. @param log takes what it is at, from its last line on. @throws what its start throws. */
  finished(log: Log): Promise<Result>;
}

/** Starts something of which only the last line is kept until somebody waits for it. */
export function startBeside<Result>(start: (log: Log) => Promise<Result>): StartBeside<Result> {
  let lastLine: string | undefined;
  let log: Log = (line) => {
    lastLine = line;
  };
  const result = start((line) => log(line));
  // A failure counts once somebody waits. Until then something else may have failed, which is reported.
  result.catch(() => {});
  return {
    finished: (to) => {
      log = to;
      if (lastLine !== undefined) to(lastLine);
      return result;
    },
  };
}
