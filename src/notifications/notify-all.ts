import type { Logger } from 'pino';

/** The charge's workflow asks its bank and keeps polling, so a longer wait here has no use. */
export const NOTIFYING_TIMEOUT_MS = 10_000;

/** How to send one kind of notification, and its name in the log. */
interface Notices<News> {
  readonly what: 'payment' | 'dispute';
  /** Its id, under its name in the log. */
  idOf(news: News): Readonly<Record<string, string>>;
  notify(news: News): Promise<unknown>;
}

/**
 * Sends all notifications concurrently, since an unacknowledged one would delay the others until the time limit.
 * The next sweep repeats those that fail.
 * @returns the number of acknowledged notifications.
 */
export async function notifyAll<News>(
  unnotified: readonly News[],
  { what, idOf, notify }: Notices<News>,
  log: Logger,
): Promise<number> {
  const tryNotify = async (news: News) => {
    try {
      await notify(news);
      log.debug(idOf(news), `${what} notification repeated`);
      return true;
    } catch (error) {
      log.warn({ ...idOf(news), err: error }, `${what} notification failed`);
      return false;
    }
  };
  return (await Promise.all(unnotified.map(tryNotify))).filter((isNotified) => isNotified).length;
}
