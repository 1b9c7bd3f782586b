const DAY_MS = 24 * 60 * 60 * 1_000;

/** The announcements of a subscription's charges, and how long before at most, in milliseconds. */
export const ANNOUNCED_AHEAD_MS = {
  'subscription.trial_ending': 3 * DAY_MS,
  'subscription.upcoming': 7 * DAY_MS,
} as const;

export type AnnouncementName = keyof typeof ANNOUNCED_AHEAD_MS;

/** The number of each announcement. */
export type Announced = Readonly<Record<AnnouncementName, number>>;

/** These numbers as Markdown text. */
export function announcedText(announced: Announced): string {
  const ended = announced['subscription.trial_ending'];
  return `Announced **${announced['subscription.upcoming']}** charges, and the end of **${ended}** trials.`;
}
