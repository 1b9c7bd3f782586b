/** Takes one line of progress, in words for a person. */
export type Log = (line: string) => void;

/** An account of the operating system. */
export interface Account {
  uid: number;
  gid: number;
}

/** A process that ends when the process that started it ends, however that one ends. */
export interface GuardedProcess {
  pid: number;
  /** Settles when it has ended, with its exit code or the signal that ended it in words. */
  exited: Promise<string>;
  hasExited(): boolean;
  /** Asks it to end, and kills it and its group when it has not after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

interface GuardedOptions {
  /** The signal that makes it end in good order. */
  endSignal: 'SIGINT' | 'SIGTERM';
  account?: Account | undefined;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Whether files it creates are for its account only. */
  privateFiles?: boolean;
  /** Where its output goes: an open file, or undefined to read it from `output`. */
  outputFd?: number;
  onOutput?: (text: string) => void;
}

export declare function spawnGuarded(
  command: string,
  args: string[],
  options: GuardedOptions,
): GuardedProcess;
export declare function stopGuardedProcesses(): Promise<void>;
export declare function runToEnd(
  what: string,
  command: string,
  args: string[],
  options: { log: Log; cwd?: string; env?: NodeJS.ProcessEnv; onOutput?: (text: string) => void },
): Promise<void>;
