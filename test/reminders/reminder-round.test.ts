import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { DeliveryToStart } from '../../src/database/entities/delivery.ts';
import { ReminderEntity } from '../../src/database/entities/reminder.ts';
import { ReminderSettingsEntity } from '../../src/database/entities/reminder-settings.ts';
import { civilDate } from '../../src/domain/civil-date.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { DEFAULT_REMINDER_SETTINGS, type ReminderSettings } from '../../src/domain/reminders.ts';
import { writeReminders } from '../../src/reminders/reminder-round.ts';
import { deleteOldReminders } from '../../src/retention/delete-old-reminders.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertBoleto } from '../support/rows/charges.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

let shared: BareFixture;
let fixture: BareFixture;
let started: DeliveryToStart[] = [];
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  started = [];
});
afterAll(() => shared.close());

const at = (text: string) => new Date(`2026-${text}-03:00`);
/** A Monday. */
const BEGIN = at('10-05T10:00:00');

const owner = () => ({ storeId: fixture.storeId, devMode: true });
const want = (changes: Partial<ReminderSettings> = {}, now = BEGIN) =>
  fixture.database.em
    .fork()
    .transactional((em) =>
      saveReminderSettings(em, owner(), { ...DEFAULT_REMINDER_SETTINGS, channel: 'EMAIL', ...changes }, now),
    );
const boleto = async (due: string, now = BEGIN) => {
  const terms = { dueDate: civilDate(`2026-${due}`), interest: null, fine: null };
  return (await insertBoleto({ ...fixture, now: async () => now }, terms)).id;
};
const deps = (sendsMail = true) => ({
  database: fixture.database,
  sendsMail,
  publicUrl: 'https://recebe.test',
  startDelivery: async (delivery: DeliveryToStart) => void started.push(delivery),
  log: SILENT_LOG,
});
const write = (now: Date, sendsMail = true) => writeReminders(deps(sendsMail), { now, owner: owner() });
const written = async (storeId: StoreId = fixture.storeId) => {
  const order = { orderBy: { days: 'asc' } } as const;
  const rows = await fixture.database.em.fork().find(ReminderEntity, { storeId }, order);
  return rows.map(({ chargeId, days }) => [chargeId, days]);
};

it('writes each step once, from nine in the morning of its day', async () => {
  await want();
  const id = await boleto('10-15');
  // Monday the twelfth is a holiday.
  expect(await write(at('10-13T08:59:59'))).toBe(0);
  expect(await write(at('10-13T09:00:00'))).toBe(1);
  expect(await write(at('10-13T19:00:00'))).toBe(0);
  expect(await write(at('10-15T09:00:00'))).toBe(1);
  // The eighteenth is a Sunday.
  expect(await write(at('10-18T12:00:00'))).toBe(0);
  expect(await write(at('10-19T09:00:00'))).toBe(1);
  expect(await written()).toEqual([-3, 0, 3].map((days) => [id, days]));
});

it('writes only the newest step after an outage', async () => {
  await want();
  const id = await boleto('10-15');
  expect(await write(at('10-17T09:00:00'))).toBe(1);
  expect(await written()).toEqual([[id, 0]]);
});

it('writes each reminder once if several processes do so at once', async () => {
  await want();
  for (let count = 0; count < 20; count++) await boleto('10-15');
  const all = await Promise.all(Array.from({ length: 5 }, () => write(at('10-13T09:00:00'))));
  expect(all.reduce((sum, count) => sum + count)).toBe(20);
  expect(await written()).toHaveLength(20);
});

it('writes the rest after a process has stopped in the middle', async () => {
  await want();
  for (let count = 0; count < 3; count++) await boleto('10-15');
  await write(at('10-13T09:00:00'));
  const em = fixture.database.em.fork();
  await em.execute(
    'delete from reminders where ctid in (select ctid from reminders where store_id = :storeId limit 1)',
    {
      storeId: fixture.storeId,
    },
  );
  await em.nativeUpdate(ReminderSettingsEntity, owner(), { doneUntil: civilDate('2026-10-10') });
  expect(await write(at('10-13T09:30:00'))).toBe(1);
  expect(await written()).toHaveLength(3);
});

it.each(['EMAIL', 'WEBHOOK'] as const)('continues after a stop where it has stopped: %s', async (channel) => {
  await want({ channel });
  // A batch has 500 mails, or 50 events.
  const count = channel === 'EMAIL' ? 510 : 60;
  for (let number = 0; number < count; number++) await boleto('10-15');
  const stopAfter = (batches: number) => {
    let left = batches;
    const isOver = () => {
      if (left-- === 0) throw new Error('over');
    };
    return writeReminders(deps(), { now: at('10-13T09:00:00'), owner: owner(), isOver });
  };
  await expect(stopAfter(1)).rejects.toThrow('over');
  expect((await written()).length).toBe(count - 10);
  expect(await stopAfter(1)).toBe(10);
  expect(await write(at('10-13T09:30:00'))).toBe(0);
  expect((await written()).length).toBe(count);
});

it('makes up for nothing that was open before the store wanted reminders', async () => {
  const id = await boleto('10-08');
  await want({}, at('10-08T09:30:00'));
  expect(await write(at('10-08T10:00:00'))).toBe(0);
  await want({ steps: [0, 1] }, at('10-08T11:00:00'));
  expect(await write(at('10-09T09:00:00'))).toBe(1);
  expect(await written()).toEqual([[id, 1]]);
});

it('leaves out a charge on the day on which it was created', async () => {
  await want();
  const id = await boleto('10-08', at('10-05T08:00:00'));
  await fixture.database.em
    .fork()
    .nativeUpdate(ReminderSettingsEntity, owner(), { doneUntil: civilDate('2026-10-03') });
  expect(await write(at('10-05T09:00:00'))).toBe(0);
  expect(await write(at('10-08T09:00:00'))).toBe(1);
  expect(await written()).toEqual([[id, 0]]);
});

it.each([
  ['has turned them off', { channel: 'NONE' as const }, true],
  ['has no mail server', {}, false],
])('writes nothing for a store that %s', async (_why, changes, sendsMail) => {
  await want(changes);
  await boleto('10-15');
  expect(await write(at('10-15T09:00:00'), sendsMail)).toBe(0);
  expect(await write(at('10-15T10:00:00'), true)).toBe(0);
});

it('follows a clock that was set back, and repeats nothing', async () => {
  await want();
  await boleto('10-15');
  expect(await write(at('10-15T09:00:00'))).toBe(1);
  expect(await write(at('10-06T09:00:00'))).toBe(0);
  expect(await write(at('10-15T09:00:00'))).toBe(0);
  const later = await boleto('10-20', at('10-06T10:00:00'));
  expect(await write(at('10-20T09:00:00'))).toBe(2);
  expect((await written()).filter(([id]) => id === later)).toEqual([[later, 0]]);
});

it('deletes old reminders that have ended, and never writes them again', async () => {
  await want();
  await boleto('10-15');
  await boleto('10-15');
  await write(at('10-15T09:00:00'));
  const em = fixture.database.em.fork();
  const [first] = await em.find(
    ReminderEntity,
    { storeId: fixture.storeId },
    { orderBy: { chargeId: 'asc' } },
  );
  const ended = { status: 'SENT', endedAt: at('10-15T09:01:00') } as const;
  await em.nativeUpdate(ReminderEntity, { ...(first && { chargeId: first.chargeId }) }, ended);
  await deleteOldReminders(fixture.database, at('10-16T00:00:00'));
  expect(await written()).toHaveLength(1);
  expect(await write(at('10-15T12:00:00'))).toBe(0);
  expect(await written()).toHaveLength(1);
});

it("writes one store's reminders although another store's fail", async () => {
  await want();
  const broken = fixture.storeId;
  await boleto('10-15');
  const em = fixture.database.em.fork();
  await em.execute(`update reminder_settings set steps = '["x"]' where store_id = :broken`, { broken });
  fixture = await shared.withNewStore();
  await want();
  const id = await boleto('10-15');
  // Its clock is that of the round.
  await em.execute(
    `insert into store_clocks (store_id, ahead_ms, moved_from, moved_at, steps, stands_at, target)
     select id, 0, :now, :now, 0, :now, :now from stores where id in (:broken, :other)`,
    { now: at('10-15T09:00:00'), broken, other: fixture.storeId },
  );
  await writeReminders(deps(), { now: at('10-15T09:00:00') });
  expect(await written()).toEqual([[id, 0]]);
  expect(await written(broken)).toEqual([]);
  await em.execute(`delete from reminder_settings where store_id = :broken`, { broken });
});
