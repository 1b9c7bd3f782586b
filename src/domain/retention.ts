/** How long an answer to an `Idempotency-Key` is replayed (contract section 1, "Idempotency"), and kept. */
export const REPLAY_MS = 24 * 60 * 60 * 1_000;

/** What one round has deleted. */
export interface DeletedRows {
  readonly answers: number;
  readonly events: number;
  readonly deliveries: number;
}

/** The same in words, of Markdown. */
export function deletedText({ answers, events, deliveries }: DeletedRows): string {
  return `Deleted **${answers}** kept answers, and **${events}** events with **${deliveries}** deliveries.`;
}
