import { hash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { newCustomer } from '../../src/customers/record-customer.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import { ReminderEntity } from '../../src/database/entities/reminder.ts';
import { type Database, openDatabase } from '../../src/database/orm.ts';
import { saveReminderSettings } from '../../src/database/reminder-settings.ts';
import { addDays, type CivilDate, civilDate, saoPauloMidnight } from '../../src/domain/civil-date.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { lastDayToPay } from '../../src/domain/late-charges.ts';
import {
  DEFAULT_REMINDER_SETTINGS,
  isSendingTime,
  morningOf,
  nextSendingDay,
} from '../../src/domain/reminders.ts';
import { ReminderMailer } from '../../src/mail/reminder-mailer.ts';
import { writeReminders } from '../../src/reminders/write-reminders.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { insertBoleto } from '../support/rows/charges.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

const DAYS = IS_THOROUGH ? 365 : 45;
const BOLETOS = IS_THOROUGH ? 1_000 : 120;
const BEGIN = civilDate('2026-11-01');
const HOUR_MS = 3_600_000;
/** Of each day; two of them are quiet. */
const HOURS = [7.5, 9, 9.2, 10, 12, 14, 16.5, 19.9, 20.5];
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

/** A number from 0 to below `limit` that is always the same for a text. */
const chosen = (text: string, limit: number) => Number.parseInt(hash('sha256', text).slice(0, 8), 16) % limit;

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
    lastDay: lastDayToPay({ ...terms, amountCents: 1 }),
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
        const id = /^Message-ID: <([^@]+)@/m.exec(Buffer.concat(chunks).toString())?.[1] ?? '';
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
  const mailer = (on: Database) =>
    new ReminderMailer(on, 'https://recebe.test', { smtpUrl, from: 'lembretes@example.com' }, SILENT_LOG);
  const workers = [
    { on: killed, mailer: mailer(killed) },
    { on: killed, mailer: mailer(killed) },
  ];

  const owner = { storeId, devMode: false };
  const settings = { ...DEFAULT_REMINDER_SETTINGS, channel: 'EMAIL' } as const;
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
  // A boleto is there from its creation on.
  await database.em.fork().nativeUpdate(ChargeEntity, { storeId }, { status: 'CANCELLED' });

  let kills = 0;
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
      const work = async ({ on, mailer: own }: (typeof workers)[number]) => {
        await writeReminders({ database: on, sendsMail: true, log: SILENT_LOG }, { now, owner });
        while ((await own.sendDue(now)) > 0);
      };
      const kill = async () => {
        if (chosen(`kill ${day} ${hour}`, 3) > 0) return;
        for (let tried = 0; tried < 8; tried++) {
          kills += (await database.em.fork().execute<unknown[]>(KILL)).length;
          await delay(2);
        }
      };
      const ended = await Promise.allSettled([...workers.map(work), kill()]);
      const failed = ended.filter(({ status }) => status === 'rejected').length;
      // What a killed worker had begun to send ends at the same hour.
      if (failed > 0) await delay(100);
    }
  }
  await Promise.all(workers.map((worker) => worker.mailer.close()));
  await new Promise<void>((resolve) => server.close(() => resolve()));

  const ids = new Set(received.map(({ id }) => id));
  const expected = all.map(expectedOf);
  const may = new Set(expected.flatMap((each) => each.may));
  const missed = expected.flatMap(({ must }) => must.filter((id) => !ids.has(id)));
  expect(missed).toEqual([]);
  expect([...ids].filter((id) => !may.has(id))).toEqual([]);
  expect(received.filter(({ at }) => !isSendingTime(at))).toEqual([]);
  const paidAtOf = new Map(all.map(({ id, paidAt }) => [String(id), paidAt]));
  const late = received.filter(({ id, at }) => {
    const paidAt = paidAtOf.get(id.split('.')[1] ?? '');
    return paidAt && at >= paidAt;
  });
  expect(late).toEqual([]);
  const rows = await database.em.fork().find(ReminderEntity, { storeId });
  expect(rows.filter(({ status }) => status === 'QUEUED' || status === 'FAILED')).toEqual([]);
  const sent = rows.filter(({ status }) => status === 'SENT');
  expect(sent.filter(({ chargeId, days }) => !ids.has(`reminder.${chargeId}.${days}`))).toEqual([]);
  expect(lost).toBeGreaterThan(0);
  expect(kills).toBeGreaterThan(0);
}, 900_000);
