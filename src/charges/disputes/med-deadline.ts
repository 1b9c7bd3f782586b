const DAY_MS = 24 * 60 * 60 * 1_000;

/** Days in which the receiver's bank decides about a Pix that its payer disputes (MED, in Banco Central's Pix regulation). */
const DECISION_DAYS = 7;

/** When a dispute of a Pix must be decided. No bank sends this time. */
export function medDeadline(openedAt: Date): Date {
  return new Date(openedAt.getTime() + DECISION_DAYS * DAY_MS);
}
