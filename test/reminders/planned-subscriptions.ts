import { hash } from 'node:crypto';
import { CycleEntity } from '../../src/database/entities/cycle.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import {
  addDays,
  type CivilDate,
  civilDate,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../../src/domain/civil-date.ts';
import type { ChargeId, CustomerId, CycleId, SubscriptionId } from '../../src/domain/ids.ts';
import { morningOf, nextSendingDay, type SubscriptionReminderKind } from '../../src/domain/reminders.ts';
import { mintId } from '../../src/ids.ts';
import { subscriptionReminderId } from '../../src/mail/subscription-reminder-mailer.ts';
import type { BareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertSubscribed } from '../support/rows/subscriber-rows.ts';

const HOUR_MS = 3_600_000;
const CYCLE_DAYS = 30;
const TRIAL_DAYS = 10;
/** An unpaid cycle ends its subscription after so many days. */
const DUNNING_DAYS = 9;

/** A number from 0 to below `limit` that is always the same for a text. */
export const chosen = (text: string, limit: number) =>
  Number.parseInt(hash('sha256', text).slice(0, 8), 16) % limit;

interface PlannedCycle {
  readonly number: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Null if it is never paid. */
  readonly paidAt: Date | null;
}

/** What happens to a subscription, decided before it begins. */
export interface PlannedSubscription {
  readonly id: SubscriptionId;
  readonly cycles: readonly PlannedCycle[];
  /** Of each cycle that is paid late. */
  readonly paidByChargeId: ChargeId;
  /** When its end is scheduled; null if nobody cancels it. */
  readonly cancelledAt: Date | null;
  readonly endsAt: Date;
  /** A card that expires within the time of the test; null for another one. */
  readonly expiryMonth: string | null;
  readonly cardReplacedAt: Date | null;
}

const daysLater = (at: Date, days: number) => new Date(at.getTime() + days * 24 * HOUR_MS);

/** A subscription from a random hour on, with trials, failed payments, scheduled ends and cards that expire. */
export async function planSubscription(
  fixture: BareFixture,
  customerId: CustomerId,
  index: number,
  { begin, days }: { readonly begin: CivilDate; readonly days: number },
): Promise<PlannedSubscription> {
  const pick = (what: string, limit: number) => chosen(`subscription ${what} ${index}`, limit);
  const beganAt = new Date(
    saoPauloMidnight(addDays(begin, 1 + pick('begin', 20))).getTime() + pick('hour', 24) * HOUR_MS + 60_000,
  );
  const last = saoPauloMidnight(addDays(begin, days));
  const isTrial = pick('trial', 4) === 0;
  const cancelsIn = pick('cancels', 6) === 0 ? pick('cancelled cycle', 4) : null;
  const cycles: PlannedCycle[] = [];
  let endsAt = last;
  let cancelledAt: Date | null = null;
  for (let number = isTrial ? 0 : 1, startsAt = beganAt; startsAt < last; number++) {
    const end = daysLater(startsAt, number === 0 ? TRIAL_DAYS : CYCLE_DAYS);
    const outcome = cycles.length === 0 ? 0 : pick(`outcome ${number}`, 6);
    const after = daysLater(startsAt, 1 + pick(`paid ${number}`, 8) + pick(`paid hour ${number}`, 24) / 24);
    const paidAt = outcome < 4 ? startsAt : outcome === 4 ? after : null;
    cycles.push({ number, startsAt, endsAt: end, paidAt });
    if (paidAt === null) {
      endsAt = daysLater(startsAt, DUNNING_DAYS);
      break;
    }
    if (outcome < 4 && cancelsIn !== null && cycles.length > cancelsIn) {
      cancelledAt = daysLater(startsAt, 1 + pick('cancelled day', CYCLE_DAYS - 2) / 2);
      endsAt = end;
      break;
    }
    startsAt = end;
  }
  const month =
    pick('month', 3) === 0 ? saoPauloDateOf(daysLater(beganAt, 40 + pick('expiry', days))).slice(0, 7) : null;
  const isReplaced = pick('replaced', 2) === 0;
  const replaced =
    month === null ? null : daysLater(saoPauloMidnight(civilDate(`${month}-01`)), pick('replaced day', 28));
  const [first] = cycles;
  if (first === undefined) throw new Error('a subscription begins before the end');
  const { subscription, first: paid } = await insertSubscribed(fixture, 'CARD', {
    checkout: { customerId, devMode: false, trialDays: isTrial ? TRIAL_DAYS : null },
    subscription: {
      ...{ customerId, customerNamedBy: 'MERCHANT', devMode: false, status: 'CANCELLED' },
      ...{ cardToken: 'old', cardExpiryMonth: month ?? '2049-12', anchorAt: first.startsAt },
      ...{ createdAt: first.startsAt, ...rowOf(first) },
    },
  });
  return {
    id: subscription.id,
    ...{ cycles, paidByChargeId: paid.id, cancelledAt, endsAt, expiryMonth: month },
    cardReplacedAt: isReplaced ? replaced : null,
  };
}

function rowOf({ number, startsAt, endsAt, paidAt }: PlannedCycle): Partial<Subscription> {
  const isPaid = paidAt !== null && paidAt <= startsAt;
  return {
    ...{ cycleNumber: number, cycleStartsAt: startsAt, cycleEndsAt: endsAt },
    ...{ failedAttempts: isPaid ? 0 : 1, attemptDueAt: isPaid ? null : startsAt },
  };
}

/** Changes the rows as the subscription's workflow does, for everything that happens after one instant and until another. */
export async function live(
  { database }: BareFixture,
  { id, cycles, paidByChargeId, cancelledAt, endsAt, cardReplacedAt }: PlannedSubscription,
  before: Date,
  now: Date,
): Promise<void> {
  const happens = (at: Date | null) => at !== null && at > before && at <= now;
  const em = database.em.fork();
  const update = (change: Partial<Subscription>) => em.nativeUpdate(SubscriptionEntity, { id }, change);
  for (const cycle of cycles) {
    const { number, startsAt, endsAt: end, paidAt } = cycle;
    const ofCycle = { subscriptionId: id, number };
    if (happens(startsAt)) {
      await update({ status: 'ACTIVE', ...rowOf(cycle) });
      if (paidAt === null || paidAt > startsAt) {
        const cents = { amountCents: 4_900, discountCents: 0, usageCents: 0, creditCents: 0 };
        const cycleId = mintId<CycleId>('cycle', startsAt);
        const open = { status: 'PENDING', part: null, paidByChargeId: null, createdAt: startsAt } as const;
        await em.insert(CycleEntity, { id: cycleId, ...ofCycle, ...cents, ...open, startsAt, endsAt: end });
      }
    }
    if (paidAt !== null && paidAt > startsAt && happens(paidAt)) {
      await em.nativeUpdate(CycleEntity, ofCycle, { status: 'PAID', paidByChargeId });
      await update({ attemptDueAt: null, failedAttempts: 0 });
    }
  }
  if (happens(cancelledAt)) await update({ cancelAt: endsAt });
  if (happens(cardReplacedAt)) await update({ cardToken: 'new', cardExpiryMonth: '2049-12' });
  if (happens(endsAt)) await update({ status: 'CANCELLED' });
}

/** A message that a payer should get on a day, if what it is about lasts. */
export interface ExpectedMessage {
  /** The id of a mail, or the key of an event. */
  readonly id: string;
  readonly kind: SubscriptionReminderKind;
  readonly day: CivilDate;
  /** From when to when it is true. */
  readonly from: Date;
  readonly until: Date;
}

const md5 = (text: string) => hash('md5', text).slice(0, 16);

/** The messages about a subscription by rules of its own: the plan alone, without a row. */
export function messagesOf(
  planned: PlannedSubscription,
  steps: Readonly<Record<SubscriptionReminderKind, readonly number[]>>,
): ExpectedMessage[] {
  const { id, cycles, cancelledAt, endsAt, expiryMonth, cardReplacedAt } = planned;
  const messages: ExpectedMessage[] = [];
  const add = (
    kind: SubscriptionReminderKind,
    about: { date: CivilDate; subject: string; began: Date; from: Date; until: Date },
  ) => {
    const { date, subject, began, from, until } = about;
    const days = steps[kind].map((step) => ({ step, day: nextSendingDay(addDays(date, step)) }));
    for (const { step, day } of days) {
      if (days.some((other) => other.step > step && other.day === day)) continue;
      if (began >= saoPauloMidnight(day)) continue;
      const key = { subscriptionId: id, kind, subject, days: step };
      messages.push({ id: subscriptionReminderId(key), kind, day, from, until });
    }
  };
  const earliest = (...dates: (Date | null)[]) =>
    new Date(Math.min(...dates.filter((date) => date !== null).map((date) => date.getTime())));
  for (const { number, startsAt, endsAt: end, paidAt } of cycles) {
    if (paidAt !== null) {
      const subject = `${number + 1}/${end.getTime()}`;
      const about = { date: saoPauloDateOf(end), subject, began: startsAt, from: paidAt };
      add(number === 0 ? 'TRIAL_END' : 'RENEWAL', { ...about, until: earliest(end, cancelledAt, endsAt) });
    }
    if (paidAt === null || paidAt > startsAt) {
      const about = {
        date: saoPauloDateOf(startsAt),
        subject: String(number),
        began: startsAt,
        from: startsAt,
      };
      add('PAST_DUE', { ...about, until: earliest(paidAt, endsAt) });
    }
  }
  if (expiryMonth !== null) {
    const [year = 0, month = 0] = expiryMonth.split('-').map(Number);
    const date = civilDate(new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10));
    const began = cycles[0]?.startsAt ?? endsAt;
    const lastInstant = saoPauloMidnight(addDays(date, 1));
    const until = earliest(cardReplacedAt, cancelledAt, endsAt, lastInstant);
    add('CARD_EXPIRY', { date, subject: `${expiryMonth}/${md5('old')}`, began, from: began, until });
  }
  return messages;
}

/** Whether a message must come: it is true from the morning of its day until that day's evening. */
export function mustCome({ day, from, until }: ExpectedMessage): boolean {
  const morning = morningOf(day).getTime();
  return from.getTime() <= morning && until.getTime() > morning + 11 * HOUR_MS;
}
