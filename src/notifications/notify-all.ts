import type { Logger } from 'pino';

/** The workflow of a charge asks its bank, and goes on asking where that does not answer: nobody waits for it here. */
export const NOTIFYING_TIMEOUT_MS = 10_000;

/** How one kind of news is told, and what the log says of it. */
interface Notices<News> {
  readonly what: 'payment' | 'dispute';
  /** Its id, by the name that the log has for it. */
  idOf(news: News): Readonly<Record<string, string>>;
  notify(news: News): Promise<unknown>;
}

/**
 * Tells all of it at once, since news that is not taken in would keep the others waiting for as long as the caller
 * has time. What cannot be told now is told by the next sweep.
 * @returns how many were told.
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
