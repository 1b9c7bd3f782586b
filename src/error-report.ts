/** What a log line says of an error. */
export interface ErrorReport {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorReport;
}

/**
 * An error for the log, without what it may know of people: Postgres puts whole rows ("Failing row contains
 * …"), and so secrets and tax ids, into the `detail` of its errors, which the database driver repeats in
 * message and stack.
 */
export function errorReport(error: unknown): ErrorReport {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is not an Error was thrown' };
  const { code, detail } = error as { code?: unknown; detail?: unknown };
  const shown = (text: string) =>
    typeof detail === 'string' && detail !== '' ? text.replaceAll(detail, '[hidden]') : text;
  return {
    type: error.name,
    message: shown(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: shown(error.stack) }),
    ...(error.cause instanceof Error && { cause: errorReport(error.cause) }),
  };
}
