/** The log's levels (pino). */
export const LOG_LEVELS = { debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
export type LogLevel = keyof typeof LOG_LEVELS;

/** A line of the service's log. */
export interface LogLine {
  readonly level: number;
  /** ISO 8601. */
  readonly time: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

/** The path of the previous log after rotation. */
export function olderLogFile(file: string): string {
  return `${file}.1`;
}

/** Null if the text is not a line of the log, such as one that is only partly written. */
export function readLogLine(text: string): LogLine | null {
  try {
    const line = JSON.parse(text);
    return typeof line.level === 'number' && typeof line.time === 'string' ? line : null;
  } catch {
    return null;
  }
}

/** `14:02:07 WARN  message  field=value …`, with an error's stack below. */
export function readableLine({ level, time, msg = '', err, ...fields }: LogLine): string {
  const name = Object.entries(LOG_LEVELS).find(([, number]) => number === level)?.[0] ?? String(level);
  const at = new Date(time).toTimeString().slice(0, 8);
  const values = Object.entries(fields).map(([field, value]) => `${field}=${plain(value)}`);
  const { message, stack } = (err ?? {}) as { readonly message?: string; readonly stack?: string };
  const error = stack ?? message;
  const head = [at, name.toUpperCase().padEnd(5), msg, ...values].join(' ').trimEnd();
  return error === undefined ? head : `${head}\n${error.replace(/^/gm, '    ')}`;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
