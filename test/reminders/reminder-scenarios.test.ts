import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { newCustomer } from '../../src/customers/record-customer.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { ReminderEntity } from '../../src/database/entities/reminder.ts';
import { SubscriptionReminderEntity } from '../../src/database/entities/subscription-reminder.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { addDays, type CivilDate, civilDate, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import type { ChargeId, SubscriptionId } from '../../src/domain/ids.ts';
import { lastDayToPay } from '../../src/domain/last-day-to-pay.ts';
import {
  DEFAULT_REMINDER_SETTINGS,
  isSendingTime,
  morningOf,
  nextSendingDay,
  type SubscriptionReminderKind,
} from '../../src/domain/reminders.ts';
import { ReminderMailer } from '../../src/mail/reminder-mailer.ts';
import {
  SubscriptionReminderMailer,
  subscriptionReminderId,
} from '../../src/mail/subscription-reminder-mailer.ts';
import { writeReminders } from '../../src/reminders/reminder-round.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { insertBoleto } from '../support/rows/charges.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';
import { chosen, live, messagesOf, mustCome, planSubscription } from './planned-subscriptions.ts';

const DAYS = IS_THOROUGH ? 365 : 45;
const BOLETOS = IS_THOROUGH ? 1_000 : 120;
const SUBSCRIPTIONS = IS_THOROUGH ? 250 : 40;
const BEGIN = civilDate('2026-11-01');
const HOUR_MS = 3_600_000;
/** Of each day; two of them are quiet. */
const HOURS = [7.5, 9, 9.2, 10, 12, 14, 16.5, 19.9, 20.5];
/** The pauses between attempts leave time for so many at {@link HOURS}. */
const ATTEMPTS_IN_DAY = 5;
/** Half of the reminders are mailed, half are published. */
const OF_SUBSCRIPTIONS = {
  RENEWAL: { channel: 'WEBHOOK', steps: [-7, -1] },
  TRIAL_END: { channel: 'EMAIL', steps: [-3, -1] },
  PAST_DUE: { channel: 'EMAIL', steps: [1, 4, 7] },
  CARD_EXPIRY: { channel: 'WEBHOOK', steps: [-30, -7, 0] },
} as const;
const SUBSCRIPTION_STEPS = Object.fromEntries(
  Object.entries(OF_SUBSCRIPTIONS).map(([kind, { steps }]) => [kind, steps]),
) as unknown as Readonly<Record<SubscriptionReminderKind, readonly number[]>>;
const DEPS = {
  sendsMail: true,
  publicUrl: 'https://recebe.test',
  startDelivery: async () => undefined,
  log: SILENT_LOG,
};
const STEPS = DEFAULT_REMINDER_SETTINGS.steps;

let fixture: BareFixture;
/** Connections of workers that are killed. */
let killed: Database;
beforeAll(async () => {
  fixture = await createBareFixture();
  killed = await openDatabase(fixture.url, 6);
});
afterAll(async () => {
  await killed.close(true);
  await fixture.close();
});

interface Planned {
  readonly id: ChargeId;
  readonly dueDate: CivilDate;
  readonly createdAt: Date;
  readonly lastDay: CivilDate;
  /** Null if it is never paid. */
  readonly paidAt: Date | null;
}

/** A boleto of a random day, which two payers of three pay some days before or after its due date. */
async function planned(index: number, customerId: string): Promise<Planned> {
  const pick = (what: string, limit: number) => chosen(`${what} ${index}`, limit);
  const dueDate = addDays(BEGIN, 8 + pick('due', DAYS - 20));
  const createdAt = new Date(saoPauloMidnight(addDays(dueDate, -pick('ahead', 8))).getTime() + 7 * HOUR_MS);
  const fine = pick('fine', 2) === 0 ? null : ({ type: 'FIXED', value: 500 } as const);
  const terms = { dueDate, interest: null, fine };
  const { id } = await insertBoleto({ ...fixture, now: async () => createdAt }, terms);
  const named = { customerId: customerId as never, customerNamedBy: 'MERCHANT', devMode: false } as const;
  await fixture.database.em.fork().nativeUpdate(ChargeEntity, { id }, named);
  const isPaid = pick('paid', 3) > 0;
  const paidAt = new Date(createdAt.getTime() + pick('when', 12 * 24) * HOUR_MS + HOUR_MS / 3);
  return {
    id,
    dueDate,
    createdAt,
    lastDay: lastDayToPay({ ...terms, method: 'BOLETO' }),
    paidAt: isPaid ? paidAt : null,
  };
}

/** What each boleto must have been sent by the independent rules, and what it may have been sent. */
function expectedOf({ id, dueDate, createdAt, lastDay, paidAt }: Planned) {
  const days = STEPS.map((step) => ({ step, day: nextSendingDay(addDays(dueDate, step)) })).filter(
    ({ step, day }) =>
      createdAt < saoPauloMidnight(day) &&
      day <= lastDay &&
      (paidAt === null || paidAt > morningOf(day)) &&
      !STEPS.some((other) => other > step && nextSendingDay(addDays(dueDate, other)) === day),
  );
  // The mail server refuses a message three times at most, so it is sent on its day unless the payer is faster.
  const must = days.filter(
    ({ day }) => paidAt === null || paidAt.getTime() > morningOf(day).getTime() + 11 * HOUR_MS,
  );
  const name = ({ step }: { step: number }) => `reminder.${id}.${step}`;
  return { may: days.map(name), must: must.map(name) };
}

/** The id that a published reminder would have as a mail. */
function idOf(key: string): string {
  const [, id, kind, ...rest] = key.split('/');
  const days = Number(rest.at(-1));
  const subject = rest.slice(0, -1).join('/');
  const subscriptionId = id as SubscriptionId;
  return subscriptionReminderId({ subscriptionId, kind: kind as SubscriptionReminderKind, subject, days });
}

it('sends each message once, by day, and none after the payment', async () => {
  const { storeId, database } = fixture;
  let now = new Date(saoPauloMidnight(BEGIN).getTime() + 10 * HOUR_MS);
  const received: { readonly id: string; readonly at: Date }[] = [];
  const attempts = new Map<string, number>();
  let lost = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const id = /^Message-ID:\s+<([^@]+)@/m.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
        const count = (attempts.get(id) ?? 0) + 1;
        attempts.set(id, count);
        const failures = chosen(id, 4);
        if (count <= failures && chosen(`${id} ${count}`, 2) === 0)
          return callback(Object.assign(new Error('busy'), { responseCode: 451 }));
        received.push({ id, at: now });
        if (count > failures) return callback();
        // The message has arrived, but its sender never learns that.
        lost += 1;
        callback(Object.assign(new Error('lost'), { responseCode: 421 }));
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const workers = [1, 2].map(() => ({
    on: killed,
    mailers: [ReminderMailer, SubscriptionReminderMailer].map(
      (Kind) =>
        new Kind(killed, 'https://recebe.test', { smtpUrl, from: 'lembretes@example.com' }, SILENT_LOG),
    ),
  }));

  const owner = { storeId, devMode: false };
  const settings = {
    ...DEFAULT_REMINDER_SETTINGS,
    channel: 'EMAIL',
    ofSubscriptions: OF_SUBSCRIPTIONS,
  } as const;
  await database.em.fork().transactional((em) => saveReminderSettings(em, owner, settings, now));
  const customer = newCustomer(
    owner,
    { name: 'Ana', taxId: null, email: 'ana@example.com', cellphone: null },
    false,
    now,
  );
  await database.em.fork().insert(CustomerEntity, customer);
  const all: Planned[] = [];
  for (let index = 0; index < BOLETOS; index++) all.push(await planned(index, customer.id));
  const subscriptions = [];
  for (let index = 0; index < SUBSCRIPTIONS; index++)
    subscriptions.push(await planSubscription(fixture, customer.id, index, { begin: BEGIN, days: DAYS }));
  // A boleto is there from its creation on.
  await database.em.fork().nativeUpdate(ChargeEntity, { storeId }, { status: 'CANCELLED' });

  let kills = 0;
  let killedOn = -1;
  const setStatus = (some: readonly Planned[], status: 'PENDING' | 'PAID') =>
    database.em.fork().nativeUpdate(ChargeEntity, { id: { $in: some.map(({ id }) => id) } }, { status });
  const KILL = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 1`;
  for (let day = 0; day < DAYS + 10; day++) {
    for (const hour of HOURS) {
      const before = now;
      now = new Date(saoPauloMidnight(addDays(BEGIN, day)).getTime() + hour * HOUR_MS);
      const happened = (at: Date | null) => at !== null && at > before && at <= now;
      const created = all.filter(({ createdAt }) => happened(createdAt));
      if (created.length > 0) await setStatus(created, 'PENDING');
      const paid = all.filter(({ paidAt }) => happened(paidAt));
      if (paid.length > 0) await setStatus(paid, 'PAID');
      for (const planned of subscriptions) await live(fixture, planned, before, now);
      const work = async ({ on, mailers }: (typeof workers)[number]) => {
        await writeReminders({ ...DEPS, database: on }, { now, owner });
        for (const mailer of mailers) while ((await mailer.sendDue(now)) > 0);
      };
      const kill = async () => {
        // One kill a day is enough: more of them would use up, on a slow machine, the attempts of many messages.
        if (killedOn === day || chosen(`kill ${day} ${hour}`, 3) > 0) return;
        for (let tried = 0; tried < 8; tried++) {
          const { length } = await database.em.fork().execute<unknown[]>(KILL);
          kills += length;
          if (length > 0) {
            killedOn = day;
            return;
          }
          await delay(2);
        }
      };
      const ended = await Promise.allSettled([...workers.map(work), kill()]);
      const failed = ended.filter(({ status }) => status === 'rejected').length;
      // What a killed worker had begun to send ends at the same hour, and another worker continues.
      if (failed > 0) {
        await delay(100);
        for (const worker of workers.slice(0, 1)) await work(worker);
      }
    }
  }
  await Promise.all(workers.flatMap(({ mailers }) => mailers.map((mailer) => mailer.close())));
  await new Promise<void>((resolve) => server.close(() => resolve()));

  const events = await database.em.fork().find(EventEntity, { storeId, name: 'reminder.due' });
  const published = events.map(({ key, createdAt }) => ({ id: idOf(key), at: createdAt }));
  expect(new Set(published.map(({ id }) => id)).size).toBe(published.length);
  received.push(...published);

  const ids = new Set(received.map(({ id }) => id));
  const expected = all.map(expectedOf);
  const messages = subscriptions.flatMap((planned) => messagesOf(planned, SUBSCRIPTION_STEPS));
  const may = new Set([...expected.flatMap((each) => each.may), ...messages.map(({ id }) => id)]);
  const isOver = ({ day }: { day: CivilDate }) => day < addDays(BEGIN, DAYS + 10);
  const must = messages.filter((message) => mustCome(message) && isOver(message)).map(({ id }) => id);
  const others = await database.em.fork().find(SubscriptionReminderEntity, { storeId });
  const rows = await database.em.fork().find(ReminderEntity, { storeId });
  // Refusals and kills have used up the attempts of a whole day, and on the next day it was too late.
  const triedAllDay = new Set([
    ...rows
      .filter(({ attempts: tried }) => tried >= ATTEMPTS_IN_DAY)
      .map(({ chargeId, days }) => `reminder.${chargeId}.${days}`),
    ...others.filter(({ attempts: tried }) => tried >= ATTEMPTS_IN_DAY).map(subscriptionReminderId),
  ]);
  expect(triedAllDay.size).toBeLessThan(may.size / 50);
  const missed = [...expected.flatMap((each) => each.must), ...must].filter(
    (id) => !ids.has(id) && !triedAllDay.has(id),
  );
  expect(missed).toEqual([]);
  expect([...ids].filter((id) => !may.has(id))).toEqual([]);
  expect(received.filter(({ at }) => !isSendingTime(at))).toEqual([]);
  // Each message about a subscription was true when it came: nothing was paid, cancelled or replaced.
  const byId = new Map(messages.map((message) => [message.id, message]));
  const untrue = received.filter(({ id, at }) => {
    const message = byId.get(id);
    return message !== undefined && (at < message.from || at >= message.until);
  });
  expect(untrue).toEqual([]);
  const kinds = new Map<string, number>();
  for (const { id, kind } of messages) if (ids.has(id)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  expect([...kinds.keys()].toSorted()).toEqual(['CARD_EXPIRY', 'PAST_DUE', 'RENEWAL', 'TRIAL_END']);
  const paidAtOf = new Map(all.map(({ id, paidAt }) => [String(id), paidAt]));
  const late = received.filter(({ id, at }) => {
    const paidAt = paidAtOf.get(id.split('.')[1] ?? '');
    return paidAt && at >= paidAt;
  });
  expect(late).toEqual([]);
  expect(rows.filter(({ status }) => status === 'QUEUED' || status === 'FAILED')).toEqual([]);
  const sent = rows.filter(({ status }) => status === 'SENT');
  expect(sent.filter(({ chargeId, days }) => !ids.has(`reminder.${chargeId}.${days}`))).toEqual([]);
  expect(others.filter(({ status }) => status === 'QUEUED' || status === 'FAILED')).toEqual([]);
  const unnotified = others.filter((row) => row.status === 'SENT' && !ids.has(subscriptionReminderId(row)));
  expect(unnotified).toEqual([]);
  if (IS_THOROUGH)
    process.stderr.write(
      `${JSON.stringify({ kills, lost, mails: received.length, messages: ids.size, triedAllDay: triedAllDay.size, must: must.length, ...Object.fromEntries(kinds) })}\n`,
    );
  expect(lost).toBeGreaterThan(0);
  expect(kills).toBeGreaterThan(0);
}, 1_800_000);
