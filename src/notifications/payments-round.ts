import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { notedUnfound } from '../charges/unfound-payments.ts';
import type { Database } from '../database/orm.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../domain/civil-date.ts';
import { LISTED_AFTER_REMOVAL_MS } from '../domain/reconciliation.ts';
import { cancelUnwantedDebits } from '../mandates/cancel-unwanted-debits.ts';
import { providerWithMandates } from '../mandates/compare-mandates.ts';
import { pagesOfPayments } from '../providers/pages-of-payments.ts';
import type { ProviderDispute } from '../providers/ports/disputes.ts';
import type { ListedTime } from '../providers/ports/listing.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import { hasPort, type PaymentProvider, type ProviderWith } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { Providers } from '../providers/providers.ts';
import {
  DAY_IS_CLOSED_AFTER_MS,
  DAY_MS,
  MINUTE_MS,
  OVERLAP_MS,
  RETURNED_WITHIN_DAYS,
} from './each-account.ts';
import type { Intake } from './intake.ts';
import { newsOfPayments, newsOfUndecidedDisputes } from './listed-disputes.ts';
import { paymentsWithUnbookedRefunds } from './listed-refunds.ts';
import { lookUpOne, lookUpUnfound } from './look-up-unfound.ts';
import { noteUnreadable } from './note-unreadable.ts';
import { NOTIFYING_TIMEOUT_MS, notifyAll } from './notify-all.ts';
import {
  type AccountListing,
  noteListed,
  noteLook,
  type UnwrittenPayment,
  unwrittenPayments,
} from './provider-listings.ts';
import { endOutage, noteOutage } from './provider-outages.ts';
import { readDueStatementDays } from './statement-round.ts';
import { takeBackUnstored } from './take-back-unstored.ts';
import { noteUnknownPayments } from './unknown-payments.ts';

/** The longest time between a debit's order and its due date (Bacen), and the day of the listing. */
const DEBITED_WITHIN_DAYS = 11;

/** Some banks do not list more days at once. */
const DAYS_AT_ONCE = 5;
/** A page of payments may be notified this many times; then the next round continues. */
const MOST_TRIES = 10;

/** Rounds are five minutes apart. A gap of three means an outage, possibly with a restored, older database. */
const AWAY_FOR_MS = 15 * MINUTE_MS;

export interface PaymentsRoundDeps {
  readonly client: Pick<Client, 'withDeadline'>;
  readonly database: Database;
  readonly providers: Providers;
  readonly intake: Pick<Intake, 'receivePayment' | 'receiveDispute'>;
  readonly log: Logger;
}

type ListedProvider = ProviderWith<'listing'>;
type ListedPayment = Pick<UnwrittenPayment, 'providerPaymentId' | 'reference'>;

/** One account in one round. */
export class PaymentsRound {
  readonly #deps: PaymentsRoundDeps;
  readonly #account: AccountListing;
  readonly #now: Date;
  readonly #isOver: () => void;
  taken = 0;
  disputed = 0;
  unknown = 0;
  takenBack = 0;

  constructor(deps: PaymentsRoundDeps, account: AccountListing, now: Date, isOver: () => void) {
    this.#deps = deps;
    this.#account = account;
    this.#now = now;
    this.#isOver = isOver;
  }

  /** Throws only if the round is over. */
  async run(): Promise<'UNLISTED' | 'DONE' | 'FAILED'> {
    const { database, providers, log } = this.#deps;
    const { id } = this.#account;
    let provider: PaymentProvider | null = null;
    try {
      const unlessSince = new Date(this.#now.getTime() - AWAY_FOR_MS);
      await noteLook(database, { id, now: this.#now, unlessSince });
      provider = await providers.issuerOf({ provider: id, devMode: false });
      const steps = hasPort(provider, 'listing') ? await this.#takeListed(provider) : [];
      await lookUpUnfound(this.#deps, provider, this.#now, this.#isOver);
      const { count, failure } = await takeBackUnstored(this.#deps, provider, this.#now, this.#isOver);
      this.takenBack = count;
      if (failure !== null) throw failure;
      if (provider.listing === undefined) return 'UNLISTED';
      await readDueStatementDays(this.#deps, this.#account, provider, this.#now, this.#isOver);
      await this.#resumeNotifications(provider);
      await endOutage(database, this.#account, this.#now);
      return steps.every((isDone) => isDone) ? 'DONE' : 'FAILED';
    } catch (error) {
      this.#isOver();
      log.warn({ accountId: id, err: error }, 'payments not listed');
      // Without a provider this process cannot use the account, which NO_PROVIDER reports.
      if (provider !== null && error instanceof ProviderError)
        await noteOutage(database, this.#account, error, this.#now, log);
      return 'FAILED';
    }
  }

  /** Runs after the listing, which has found the payments of missed notifications. */
  async #resumeNotifications({ notifications }: PaymentProvider): Promise<void> {
    const { log } = this.#deps;
    const { id: accountId } = this.#account;
    try {
      const hadStopped = await notifications?.resume?.();
      if (hadStopped === true) log.warn({ accountId }, 'notifications resumed after the provider stopped');
    } catch (error) {
      // The listing has found every payment, so the next round may try again.
      log.warn({ accountId, err: error }, 'notifications not resumed');
    }
  }

  /** @returns for each step whether it is complete. */
  async #takeListed(provider: ListedProvider): Promise<readonly boolean[]> {
    return [
      await this.#takeNew(provider),
      await this.#takeDay(provider),
      await this.#notifyDisputes(provider, await newsOfUndecidedDisputes(this.#deps.database, provider)),
    ];
  }

  /** Ingests new payments, at most a day at a time. One failing payment does not delay later ones. */
  async #takeNew(provider: ListedProvider): Promise<boolean> {
    const { id, createdAt, listedUntil } = this.#account;
    let isUnbroken = true;
    let from = new Date((listedUntil ?? createdAt).getTime() - OVERLAP_MS);
    while (from < this.#now) {
      const until = new Date(Math.min(from.getTime() + DAY_MS, this.#now.getTime()));
      isUnbroken = (await this.#take(provider, { from, until })) && isUnbroken;
      if (isUnbroken)
        await noteListed(this.#deps.database, { id, listedUntil: until, daysListedUntil: null });
      from = until;
    }
    return isUnbroken;
  }

  /**
   * Ingests the whole previous day once more: the bank may have listed payments late, and may have returned old
   * payments on that day.
   */
  async #takeDay(provider: ListedProvider): Promise<boolean> {
    const { id, createdAt, daysListedUntil } = this.#account;
    const today = saoPauloDateOf(new Date(this.#now.getTime() - DAY_IS_CLOSED_AFTER_MS));
    const until = saoPauloMidnight(today);
    if (createdAt >= until || (daysListedUntil !== null && daysListedUntil >= until)) return true;
    let isDone = await this.#take(provider, { from: saoPauloMidnight(addDays(today, -1)), until });
    for (let day = -RETURNED_WITHIN_DAYS; day < 0; day += DAYS_AT_ONCE) {
      const end = saoPauloMidnight(addDays(today, Math.min(day + DAYS_AT_ONCE, 0)));
      if (end <= createdAt) continue;
      const reversed = { from: saoPauloMidnight(addDays(today, day)), until: end, onlyReversed: true };
      isDone = (await this.#take(provider, reversed)) && isDone;
    }
    await this.#cancelUnwantedDebits(provider, today);
    if (isDone) await noteListed(this.#deps.database, { id, listedUntil: null, daysListedUntil: until });
    return isDone;
  }

  /** A bank that does not list debits must not hold back payments: the next day tries again. */
  async #cancelUnwantedDebits(provider: ListedProvider, today: CivilDate): Promise<void> {
    try {
      const debiting = await providerWithMandates(this.#deps.database.em.fork(), provider);
      if (debiting === null) return;
      for (let day = -DEBITED_WITHIN_DAYS; day < 0; day += DAYS_AT_ONCE) {
        const until = saoPauloMidnight(addDays(today, Math.min(day + DAYS_AT_ONCE, 0)));
        const time = { from: saoPauloMidnight(addDays(today, day)), until };
        await cancelUnwantedDebits(this.#deps, debiting, time, this.#now);
      }
    } catch (error) {
      this.#isOver();
      this.#deps.log.warn({ accountId: this.#account.id, err: error }, 'debits not compared with the bank');
    }
  }

  /** @returns whether everything was handled. */
  async #take(provider: ListedProvider, time: ListedTime): Promise<boolean> {
    let isDone = true;
    for await (const { items: page, unreadableIds = [] } of pagesOfPayments(provider.listing, time)) {
      this.#isOver();
      const unreadableRefunds = page.flatMap(({ providerPaymentId, unreadableRefundIds = [] }) =>
        unreadableRefundIds.map((id) => `${providerPaymentId}/${id}`),
      );
      const { id } = this.#account;
      await noteUnreadable(this.#deps, id, [...unreadableIds, ...unreadableRefunds], this.#now);
      if (page.length === 0) continue;
      const unwritten = await this.#unwritten(provider, page);
      const issued = unwritten.filter(({ isIssued }) => isIssued);
      const isWritten = await this.#notifyUntilWritten(provider, await this.#notUnfound(provider, issued));
      isDone = isWritten && isDone;
      const unknown = unwritten.filter(({ isIssued }) => !isIssued);
      if (unknown.length > 0)
        this.unknown += await noteUnknownPayments(this.#deps, this.#account.id, unknown, this.#now);
      const refunded = await paymentsWithUnbookedRefunds(this.#deps.database, provider, page);
      isDone = (await this.#notifyRefunds(provider, refunded)) && isDone;
      const news = await newsOfPayments(this.#deps.database, provider, page);
      isDone = (await this.#notifyDisputes(provider, news)) && isDone;
    }
    return isDone;
  }

  /**
   * Looks up payments with a note that the bank lists but does not find.
   * @returns the others. Only these hold back the account's position: rounds continue the look-ups from the notes.
   */
  async #notUnfound(
    provider: PaymentProvider,
    issued: readonly UnwrittenPayment[],
  ): Promise<readonly UnwrittenPayment[]> {
    if (issued.length === 0) return issued;
    const noted = await notedUnfound(this.#deps.database, keysOf(provider, issued));
    const ids = new Set(noted.map(({ providerPaymentId }) => providerPaymentId));
    for (const id of ids) {
      this.#isOver();
      await lookUpOne(this.#deps, provider, id, this.#now);
    }
    return issued.filter(({ providerPaymentId }) => !ids.has(providerPaymentId));
  }

  /**
   * Notifies the runs of payments, and repeats those without a row while others make progress: after an outage
   * there are more than workers can handle within one call. Only its row shows that a payment was processed, as the
   * provider may not have known it at its look-up.
   * @returns whether all have a row.
   */
  async #notifyUntilWritten(
    provider: PaymentProvider,
    issued: readonly UnwrittenPayment[],
  ): Promise<boolean> {
    let unwritten = issued;
    for (let tries = 0; unwritten.length > 0 && tries < MOST_TRIES; tries += 1) {
      if (tries > 0) this.#isOver();
      await this.#notify(provider, unwritten);
      const left = await this.#unwritten(provider, unwritten);
      const written = unwritten.length - left.length;
      this.taken += written;
      unwritten = left;
      if (written === 0) break;
    }
    return unwritten.length === 0;
  }

  #unwritten(provider: PaymentProvider, listed: readonly ListedPayment[]): Promise<UnwrittenPayment[]> {
    const removedAfter = new Date(this.#now.getTime() - LISTED_AFTER_REMOVAL_MS);
    return unwrittenPayments(this.#deps.database, { ...keysOf(provider, listed), removedAfter });
  }

  /** @returns whether the runs of all these charges were notified. */
  async #notifyRefunds(provider: PaymentProvider, refunded: readonly ProviderPayment[]): Promise<boolean> {
    if (refunded.length === 0) return true;
    return (await this.#notify(provider, refunded, { hasRefunds: true })) === refunded.length;
  }

  #notify(
    { name }: PaymentProvider,
    unnotified: readonly ListedPayment[],
    seen: { readonly hasRefunds?: true } = {},
  ): Promise<number> {
    const { client, intake, log } = this.#deps;
    const idOf = ({ providerPaymentId }: ListedPayment) => ({ accountId: name, providerPaymentId });
    const notify = ({ providerPaymentId, reference }: ListedPayment) =>
      intake.receivePayment({ provider: name, reference, providerPaymentId, ...seen }, null);
    return client.withDeadline(Date.now() + NOTIFYING_TIMEOUT_MS, () =>
      notifyAll(unnotified, { what: 'payment', idOf, notify }, log),
    );
  }

  /** @returns whether all were acknowledged. */
  async #notifyDisputes({ name }: PaymentProvider, news: readonly ProviderDispute[]): Promise<boolean> {
    const { client, intake, log } = this.#deps;
    const idOf = ({ providerDisputeId }: ProviderDispute) => ({ accountId: name, providerDisputeId });
    const notify = ({ providerDisputeId, reference }: ProviderDispute) =>
      intake.receiveDispute({ provider: name, reference, providerDisputeId }, null);
    const notifiedCount = await client.withDeadline(Date.now() + NOTIFYING_TIMEOUT_MS, () =>
      notifyAll(news, { what: 'dispute', idOf, notify }, log),
    );
    this.disputed += notifiedCount;
    return notifiedCount === news.length;
  }
}

/** The keys by which rows of listed payments are found. */
function keysOf({ name }: PaymentProvider, listed: readonly ListedPayment[]) {
  return {
    provider: name,
    providerPaymentIds: listed.map(({ providerPaymentId }) => providerPaymentId),
    references: listed.map(({ reference }) => reference),
  };
}
