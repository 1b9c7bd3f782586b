const DAY_MS = 24 * 60 * 60 * 1_000;

/** The announcements of a subscription's charges, and how long before at most, in milliseconds. */
export const ANNOUNCED_AHEAD_MS = {
  'subscription.trial_ending': 3 * DAY_MS,
  'subscription.upcoming': 7 * DAY_MS,
} as const;

export type ChargeAnnouncementName = keyof typeof ANNOUNCED_AHEAD_MS;
export type AnnouncementName = ChargeAnnouncementName | 'subscription.card_expiring';

/** The number of each announcement. */
export interface Announced extends Readonly<Record<AnnouncementName, number>> {
  /** The reminders that were written. */
  readonly reminders?: number;
}

/** These numbers as Markdown text. @param announced of earlier releases without expiring cards and reminders, too. */
export function announcedText(announced: Partial<Announced>): string {
  const charges = announced['subscription.upcoming'] ?? 0;
  const trials = announced['subscription.trial_ending'] ?? 0;
  const cards = announced['subscription.card_expiring'] ?? 0;
  const reminders = announced.reminders ?? 0;
  return `Announced **${charges}** charges, the end of **${trials}** trials, and **${cards}** cards that expire. Wrote **${reminders}** reminders.`;
}
