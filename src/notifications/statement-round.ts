import type { Logger } from 'pino';
import type { Database, Em } from '../database/orm.ts';
import { addDays, type CivilDate, saoPauloDateOf } from '../domain/civil-date.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { DAY_MS, HOUR_MS } from './each-account.ts';
import type { AccountListing } from './provider-listings.ts';
import { readStatementDay } from './statement-day.ts';
import { statementDays } from './statement-rows.ts';

/** Providers book some entries days late: a boleto's money, or a correction. */
const DAYS_READ_AGAIN = 6;
/** After an outage a round catches up day by day, and delays no payment. */
const DAYS_PER_ROUND = 2;

export interface StatementRoundDeps {
  readonly database: Database;
  readonly log: Logger;
}

/**
 * Reads the days of an account from its provider's books that are due: today and yesterday every hour, earlier ones every
 * day for a week. A failure is logged, and the next round repeats it.
 * @param isOver called before each day; throws to end the round early.
 */
export async function readDueStatementDays(
  { database, log }: StatementRoundDeps,
  account: AccountListing,
  { statement }: PaymentProvider,
  now: Date,
  isOver: () => void,
): Promise<void> {
  if (statement === undefined) return;
  const em = database.em.fork();
  try {
    for (const day of (await dueDays(em, account, now)).slice(0, DAYS_PER_ROUND)) {
      isOver();
      await readStatementDay(em, account, statement, day, now);
    }
  } catch (error) {
    isOver();
    log.warn({ accountId: account.id, err: error }, 'statement not read');
  }
}

/** Newest first. */
async function dueDays(em: Em, { id: provider, createdAt }: AccountListing, now: Date): Promise<CivilDate[]> {
  const today = saoPauloDateOf(now);
  const first = saoPauloDateOf(createdAt);
  const days = Array.from({ length: DAYS_READ_AGAIN + 1 }, (_, back) => addDays(today, -back));
  const from = addDays(today, -DAYS_READ_AGAIN);
  const readAt = new Map(
    (await statementDays(em, { provider, from, to: today })).map((each) => [each.day, each.readAt]),
  );
  return days.filter((day, back) => {
    const last = readAt.get(day);
    const everyMs = back < 2 ? HOUR_MS : DAY_MS;
    return day >= first && (last === undefined || now.getTime() - last.getTime() >= everyMs);
  });
}
