/**
 * Postgres' codes of temporary failures: failed connections (08), no connections, memory or disk left (53),
 * shutdown or start (57P), a statement or lock that took too long, conflicting transactions (40), and a standby
 * that cannot write yet.
 */
const PASSING = /^(08|53|57P|40)|^(57014|55P03|25P03|25006)$/;

/** The system's codes of failed connections. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The driver's messages of lost or late connections, which have no codes. */
const LOST =
  /(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed))/;

/** Whether a statement failed because Postgres is unavailable or overloaded: a retry may work. */
export function isPostgresAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { readonly code?: unknown };
    if (typeof code === 'string' && (PASSING.test(code) || UNREACHABLE.has(code))) return true;
    if (LOST.test(cause.message)) return true;
  }
  return false;
}
