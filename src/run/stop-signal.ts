const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `stop` at the first stop signal; a second one ends the process at once. */
export function onStopSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const handle = (signal: NodeJS.Signals) => {
    if (stopping) process.kill(process.pid, 'SIGKILL');
    stopping = true;
    stop().catch((error: unknown) => {
      process.stderr.write(`${signal}: ${String(error)}\n`);
      process.exitCode = 1;
    });
  };
  for (const signal of STOP_SIGNALS) process.on(signal, handle);
}
