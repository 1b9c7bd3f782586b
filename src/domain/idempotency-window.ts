/** How long an answer to an `Idempotency-Key` is replayed (contract section 1, "Idempotency"), and kept. */
export const IDEMPOTENCY_WINDOW_MS = 24 * 60 * 60 * 1_000;
