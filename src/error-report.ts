/** The part of an error that is logged. */
export interface ErrorReport {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorReport;
}

/**
 * An error for the log, without personal data. Postgres puts whole rows ("Failing row contains …"), with secrets and tax ids,
 * into the `detail` of its errors, and the database driver repeats it in message and stack.
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
