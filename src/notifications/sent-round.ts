import type { Logger } from 'pino';
import { resolveAttention } from '../database/attention.ts';
import type { Database } from '../database/orm.ts';
import { addDays, saoPauloDateOf, saoPauloMidnight } from '../domain/civil-date.ts';
import { type ListedPayouts, listedPayoutsOf, pagesOfTransfers } from '../providers/pages-of-transfers.ts';
import type { TimeWindow } from '../providers/ports/pages.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { Providers } from '../providers/providers.ts';
import { DAY_IS_CLOSED_AFTER_MS, DAY_MS, HOUR_MS, OVERLAP_MS, RETURNED_WITHIN_DAYS } from './each-account.ts';
import { noteUnlisted } from './note-unlisted.ts';
import { noteUnreadable } from './note-unreadable.ts';
import type { AccountListing } from './provider-listings.ts';
import { noteSentListed, type SentListing, sentListingOf } from './sent-listings.ts';
import { takeTransfers } from './take-transfers.ts';

/** Most returns come soon: transfers of this time are listed again each hour. */
const RECENT_MS = 2 * DAY_MS;

export interface SentRoundDeps {
  readonly database: Database;
  readonly providers: Providers;
  readonly log: Logger;
  /** The URL at which payers reach this service, without a trailing slash. */
  readonly publicUrl: string;
}

/** One account in one round. */
export class SentRound {
  readonly #deps: SentRoundDeps;
  readonly #account: AccountListing;
  readonly #now: Date;
  readonly #isOver: () => void;
  returned = 0;
  revived = 0;
  unknown = 0;

  constructor(deps: SentRoundDeps, account: AccountListing, now: Date, isOver: () => void) {
    this.#deps = deps;
    this.#account = account;
    this.#now = now;
    this.#isOver = isOver;
  }

  /** Throws only if the round is over. @returns whether everything was handled. */
  async run(): Promise<boolean> {
    const { database, providers, log } = this.#deps;
    const { id } = this.#account;
    const subject = { kind: 'SENT_NOT_LISTED', subjectId: id, now: this.#now } as const;
    let listing: SentListing | null = null;
    try {
      const provider = await providers.issuerOf({ provider: id, devMode: false });
      const payouts = listedPayoutsOf(provider);
      if (payouts === null) return true;
      listing = await sentListingOf(database, id);
      await this.#takeRecent(payouts, listing);
      await this.#takeNew(payouts, listing);
      await this.#takeDays(payouts, listing);
      await resolveAttention(database, subject);
      return true;
    } catch (error) {
      this.#isOver();
      log.warn({ accountId: id, err: error }, 'sent Pix not listed');
      if (listing !== null && error instanceof ProviderError)
        await noteUnlisted(this.#deps, this.#account, listing, error, this.#now);
      return false;
    }
  }

  /**
   * Returns of the last days, once an hour. It comes before the cursor moves, since the cursor shows whether it was
   * done.
   */
  async #takeRecent(payouts: ListedPayouts, { sentListedUntil }: SentListing): Promise<void> {
    const hourOf = (at: Date) => Math.floor(at.getTime() / HOUR_MS);
    if (sentListedUntil !== null && hourOf(sentListedUntil) === hourOf(this.#now)) return;
    const from = this.#notBefore(this.#now.getTime() - RECENT_MS);
    await this.#take(payouts, { from, until: this.#now }, { notesUnknown: false });
  }

  /** New transfers, at most a day at a time. An account that was never listed begins a day ago. */
  async #takeNew(payouts: ListedPayouts, { sentListedUntil }: SentListing): Promise<void> {
    const since = sentListedUntil ?? this.#notBefore(this.#now.getTime() - DAY_MS);
    let from = new Date(since.getTime() - OVERLAP_MS);
    while (from < this.#now) {
      const until = new Date(Math.min(from.getTime() + DAY_MS, this.#now.getTime()));
      await this.#take(payouts, { from, until }, { notesUnknown: true });
      await noteSentListed(this.#deps.database, {
        id: this.#account.id,
        sentListedUntil: until,
        sentDaysListedUntil: null,
      });
      from = until;
    }
  }

  /** Once a day: the whole previous day, and the returns of every transfer that can still come back. */
  async #takeDays(payouts: ListedPayouts, { sentDaysListedUntil }: SentListing): Promise<void> {
    const today = saoPauloDateOf(new Date(this.#now.getTime() - DAY_IS_CLOSED_AFTER_MS));
    const until = saoPauloMidnight(today);
    if (this.#account.createdAt >= until) return;
    if (sentDaysListedUntil !== null && sentDaysListedUntil >= until) return;
    const dayBefore = saoPauloMidnight(addDays(today, -1));
    await this.#take(payouts, { from: dayBefore, until }, { notesUnknown: true });
    const from = this.#notBefore(saoPauloMidnight(addDays(today, -RETURNED_WITHIN_DAYS)).getTime());
    if (from < dayBefore) await this.#take(payouts, { from, until: dayBefore }, { notesUnknown: false });
    await noteSentListed(this.#deps.database, {
      id: this.#account.id,
      sentListedUntil: null,
      sentDaysListedUntil: until,
    });
  }

  #notBefore(atMs: number): Date {
    return new Date(Math.max(atMs, this.#account.createdAt.getTime() - OVERLAP_MS));
  }

  async #take(
    payouts: ListedPayouts,
    time: TimeWindow,
    { notesUnknown }: { readonly notesUnknown: boolean },
  ): Promise<void> {
    for await (const { items, unreadableIds = [] } of pagesOfTransfers(payouts, time)) {
      this.#isOver();
      const unreadableReturns = items.flatMap(({ endToEndIdentifier, unreadableReturnIds = [] }) =>
        unreadableReturnIds.map((id) => `${endToEndIdentifier}/${id}`),
      );
      const { id: accountId, storeId, createdAt } = this.#account;
      await noteUnreadable(this.#deps, accountId, [...unreadableIds, ...unreadableReturns], this.#now);
      const unknownSince = notesUnknown ? createdAt : null;
      const step = { ...this.#deps, accountId, storeId, now: this.#now, unknownSince };
      const taken = await takeTransfers(step, items);
      this.returned += taken.returned;
      this.revived += taken.revived;
      this.unknown += taken.unknown;
    }
  }
}
