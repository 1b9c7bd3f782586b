/** The rows that one round has deleted. */
export interface DeletedRows {
  readonly answers: number;
  readonly events: number;
  readonly deliveries: number;
  /** Finished resends. */
  readonly resends: number;
  /** Closed notes for a person. */
  readonly notes: number;
  /** Stored cards that were erased at their providers; absent in results of earlier releases. */
  readonly cards?: number;
}

/** The result as Markdown text. */
export function deletedText({ answers, events, deliveries, resends, notes, cards = 0 }: DeletedRows): string {
  const ended = `**${resends}** ended resends and **${notes}** closed notes`;
  return `Deleted **${answers}** kept answers, **${events}** events with **${deliveries}** deliveries, ${ended}. Erased **${cards}** stored cards at their providers.`;
}
