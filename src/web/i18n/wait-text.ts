import type { MessageKey } from './catalogs.ts';
import type { MessageValues } from './translate.ts';

/** The text of a key in the reader's language. */
type Say = (key: MessageKey, values?: MessageValues) => string;

const MOST_SECONDS = 90;
const MOST_MINUTES = 90;

/** When a retry may succeed, as people say it, rounded up: `Try again in 5 minutes.` */
export function tryAgainText(say: Say, seconds: number): string {
  return say('wait.tryAgainIn', { wait: waitOf(say, Math.max(1, Math.ceil(seconds))) });
}

/** Why something was refused, and when a retry may succeed if that is known. */
export function whyAndWhen(say: Say, why: string, seconds: number | null): string {
  return seconds === null ? why : `${why} ${tryAgainText(say, seconds)}`;
}

function waitOf(say: Say, seconds: number): string {
  if (seconds <= MOST_SECONDS) return say('wait.seconds', { count: seconds });
  const minutes = Math.ceil(seconds / 60);
  if (minutes <= MOST_MINUTES) return say('wait.minutes', { count: minutes });
  return say('wait.hours', { count: Math.ceil(minutes / 60) });
}
