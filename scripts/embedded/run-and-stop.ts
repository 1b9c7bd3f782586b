const stops: (() => Promise<void> | void)[] = [];
let stopping: Promise<void> | undefined;

/** Has something stopped when the script ends, whatever ends it: what was started last is stopped first. */
export function atEnd(stop: () => Promise<void> | void): void {
  stops.push(stop);
}

/** Prints a message for the user to standard error, apart from the script's output. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * Runs a script, stops what it has started, and ends the process: with 1 if it failed or was interrupted.
 */
export async function runAndStop(main: () => Promise<void>): Promise<never> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      say('Stopping');
      void stop().then(() => process.exit(1));
    });
  }
  try {
    await main();
  } catch (error) {
    if (stopping === undefined) say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
  await stop();
  process.exit();
}

function stop(): Promise<void> {
  stopping ??= (async () => {
    while (stops.length > 0) await stops.pop()?.();
  })();
  return stopping;
}
