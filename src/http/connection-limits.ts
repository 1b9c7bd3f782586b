/** Limits of clients on connections and time. */
export interface ConnectionLimits {
  /**
   * Maximum open connections. For another one, an unused connection is closed, or the new one is refused.
   * Each uses at most about 100 kB.
   */
  readonly maxConnections: number;
  /** Maximum connections of one address that is not a trusted proxy; null for no limit per address. */
  readonly maxConnectionsPerAddress: number | null;
  /** A connection that has waited for its client this long may be closed to free a slot. */
  readonly patienceMs: number;
  /** From the connection, or the first byte of a further request, to the end of the headers. Also for a TLS handshake. */
  readonly headersMs: number;
  /** From the same start to the end of the body. */
  readonly requestMs: number;
  /** From the end of a response until the client has received all of it. */
  readonly answerMs: number;
  /** Without a byte in either direction while a response is in progress. */
  readonly silenceMs: number;
  /** How often slow requests are checked. */
  readonly checkMs: number;
}

/**
 * How long an idle connection stays open. Load balancers (60 s) and HTTP client pools use shorter times, so
 * that they close connections first. With Node's 5 s, a client sometimes sends a payment into a closing
 * connection, and cannot know whether it arrived.
 */
export const IDLE_CONNECTION_MS = 75_000;

/** A phone with a bad connection stays within all of them; a client that holds connections open does not. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  maxConnections: 2_000,
  maxConnectionsPerAddress: 500,
  patienceMs: 1_000,
  headersMs: 10_000,
  requestMs: 60_000,
  answerMs: 60_000,
  silenceMs: 120_000,
  checkMs: 5_000,
};
