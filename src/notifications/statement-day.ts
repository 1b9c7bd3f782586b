import { noteAttention, resolveAttention } from '../database/attention.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import { addDays, type CivilDate, saoPauloMidnight } from '../domain/civil-date.ts';
import { statementTotalsOf } from '../domain/statement-day.ts';
import type { ProviderPage, TimeWindow } from '../providers/ports/pages.ts';
import type { StatementPort } from '../providers/ports/statement.ts';
import { compareEntries } from './statement-differences.ts';
import { type StatementDay, saveStatementDay } from './statement-rows.ts';

/** Ten thousand entries of a day, of a hundred each. The rest of such a day is not read, and the day says so. */
const MOST_PAGES = 100;

/** Providers book a payment up to hours after it, so what is missing here is only reported once the day is over for so long. */
const NOTED_AFTER_MS = 3 * 60 * 60_000;

/**
 * Reads a day in São Paulo from the provider's books, compares it with the rows here, and stores it. Notes differences for a
 * person once the day is over, and closes the note if there are none. May be repeated: entries appear late.
 * @throws what the provider throws; nothing is stored then.
 */
export async function readStatementDay(
  em: Em,
  { id, storeId }: Pick<ProviderAccount, 'id' | 'storeId'>,
  statement: StatementPort,
  day: CivilDate,
  now: Date,
): Promise<StatementDay> {
  const window = { from: saoPauloMidnight(day), until: saoPauloMidnight(addDays(day, 1)) };
  const booked = await allOf((cursor) => statement.entries(window, cursor));
  const paidOut = await allOf((cursor) => statement.payouts(window, cursor));
  const { differences, foreignPayments } = await compareEntries(em, id, booked.items);
  const read: StatementDay = {
    provider: id,
    day,
    totals: statementTotalsOf(booked.items),
    entries: booked.items.length,
    foreignPayments,
    isComplete: booked.isComplete && paidOut.isComplete,
    differences,
    payouts: paidOut.items,
    readAt: now,
  };
  await saveStatementDay(em, read);
  await note(em, read, storeId, window, now);
  return read;
}

async function note(
  em: Em,
  { provider, day, differences }: StatementDay,
  storeId: ProviderAccount['storeId'],
  { until }: TimeWindow,
  now: Date,
): Promise<void> {
  const subject = { kind: 'BANK_DIFFERENCE', subjectId: `${provider}/${day}/statement`, now } as const;
  if (differences.length === 0) await resolveAttention(em, subject);
  else if (now.getTime() > until.getTime() + NOTED_AFTER_MS)
    await noteAttention(em, { ...subject, storeId, devMode: false, since: now });
}

/** Items that repeat, because something was booked between two pages, count once. */
async function allOf<Item extends { readonly id: string }>(
  pageAt: (cursor: string | null) => Promise<ProviderPage<Item>>,
): Promise<{ readonly items: readonly Item[]; readonly isComplete: boolean }> {
  const items = new Map<string, Item>();
  let unreadable = 0;
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page: ProviderPage<Item> = await pageAt(cursor);
    for (const item of page.items) items.set(item.id, item);
    unreadable += page.unreadableIds?.length ?? 0;
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return { items: [...items.values()], isComplete: cursor === null && unreadable === 0 };
}
