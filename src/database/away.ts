/**
 * What Postgres says of a state that passes: connections that fail (08), too many of them or no memory or disk
 * left (53), a shutdown or a start (57P), a statement or a lock that took too long, transactions that got into
 * each other's way (40), and a standby that cannot write yet.
 */
const PASSING = /^(08|53|57P|40)|^(57014|55P03|25P03|25006)$/;

/** What the system says of a connection. */
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

/** What the driver says of a connection that was lost, or did not come in time; it has no codes for it. */
const LOST =
  /(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed))/;

/** Whether a statement has failed because Postgres is out of reach or overloaded: the same one may work later. */
export function isPostgresAway(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { readonly code?: unknown };
    if (typeof code === 'string' && (PASSING.test(code) || UNREACHABLE.has(code))) return true;
    if (LOST.test(cause.message)) return true;
  }
  return false;
}
