import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { errorReport } from './error-report.ts';

/**
 * Structured logs: one JSON object a line on standard output. Callers log ids, counts and durations; the
 * redaction is a second line of defence, should a header or a body ever be logged whole.
 */
export function createLogger(
  level: Config['logLevel'],
  // Not waited for: a write per request, each blocking, costs 4 % of a request's time. Flushed when the
  // process ends.
  destination: DestinationStream = pino.destination({ dest: 1, sync: false }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorReport },
      redact: {
        paths: ['*.authorization', '*.secret', '*.taxId', '*.key', 'secret', 'taxId'],
        censor: '[hidden]',
      },
    },
    destination,
  );
}
