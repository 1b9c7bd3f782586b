import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Customer } from '../../src/database/entities/customer.ts';
import { CustomerEntity } from '../../src/database/entities/customer.ts';
import type { DeliveryToStart } from '../../src/database/entities/delivery.ts';
import { EventEntity } from '../../src/database/entities/event.ts';
import { type Subscription, SubscriptionEntity } from '../../src/database/entities/subscription.ts';
import { SubscriptionReminderEntity } from '../../src/database/entities/subscription-reminder.ts';
import { civilDate } from '../../src/domain/civil-date.ts';
import {
  DEFAULT_REMINDER_SETTINGS,
  type ReminderChannel,
  type SubscriptionReminderKind,
} from '../../src/domain/reminders.ts';
import type { EventData } from '../../src/events/events.ts';
import { reminderEvents } from '../../src/events/reminder.ts';
import { DROP_NEEDLESS_SUBSCRIPTION_REMINDERS } from '../../src/mail/queue/subscription-reminder-mails.ts';
import { writeReminders } from '../../src/reminders/reminder-round.ts';
import { recipientOf, unsubscribe } from '../../src/reminders/unsubscribe.ts';
import { saveReminderSettings } from '../../src/stores/reminder-settings.ts';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { insertBoleto } from '../support/rows/charges.ts';
import { insertCustomer } from '../support/rows/checkout-rows.ts';
import { insertRenewal, insertSubscribed } from '../support/rows/subscriber-rows.ts';
import { SILENT_LOG } from '../support/servers/silent-temporal.ts';

let shared: BareFixture;
let fixture: BareFixture;
let started: DeliveryToStart[];
beforeAll(async () => {
  shared = await createBareFixture();
});
beforeEach(async () => {
  fixture = await shared.withNewStore();
  started = [];
});
afterAll(() => shared.close());

const at = (text: string) => new Date(`${text}-03:00`);
/** Subscriptions begin at noon of this Wednesday, and are charged again on Saturday 2 January. */
const BEGIN = at('2026-12-02T13:00:00');

const owner = () => ({ storeId: fixture.storeId, devMode: true });

function want(
  kind: SubscriptionReminderKind,
  steps: readonly number[],
  channel: ReminderChannel = 'EMAIL',
  now = BEGIN,
) {
  const ofSubscriptions = { ...DEFAULT_REMINDER_SETTINGS.ofSubscriptions, [kind]: { channel, steps } };
  const settings = { ...DEFAULT_REMINDER_SETTINGS, ofSubscriptions };
  return fixture.database.em.fork().transactional((em) => saveReminderSettings(em, owner(), settings, now));
}

async function subscribe(
  changes: Partial<Subscription> = {},
  method: 'PIX' | 'CARD' = 'CARD',
  checkout: object = {},
) {
  const customer = await insertCustomer(fixture);
  const named = { customerId: customer.id, customerNamedBy: 'MERCHANT' as const };
  const rows = { checkout: { ...named, ...checkout }, subscription: { ...named, ...changes } };
  return { customer, ...(await insertSubscribed(fixture, method, rows)) };
}

const deps = () => ({
  database: fixture.database,
  sendsMail: true,
  publicUrl: 'https://recebe.test',
  startDelivery: async (delivery: DeliveryToStart) => void started.push(delivery),
  log: SILENT_LOG,
});
const write = (now: string) => writeReminders(deps(), { now: at(now), owner: owner() });
const rowsOf = async () =>
  (
    await fixture.database.em
      .fork()
      .find(SubscriptionReminderEntity, { storeId: fixture.storeId }, { orderBy: { days: 'asc' } })
  ).map(({ subscriptionId, days, status }) => [subscriptionId, days, status]);
const published = async () => {
  const found = { storeId: fixture.storeId, name: 'reminder.due' as const };
  const events = await fixture.database.em.fork().find(EventEntity, found);
  return events.map(({ data, customerId, subscriptionId }) => ({
    customerId,
    subscriptionId,
    data: JSON.parse(data ?? '') as EventData['reminder.due'],
  }));
};

describe('reminders of the next charge', () => {
  it('writes each step once, on its morning', async () => {
    await want('RENEWAL', [-3, -1]);
    const { subscription } = await subscribe();
    expect(await write('2026-12-30T08:59:00')).toBe(0);
    expect(await write('2026-12-30T09:00:00')).toBe(1);
    expect(await write('2026-12-30T15:00:00')).toBe(0);
    // 1 January is a holiday, so the step moves to the day of the charge, before it.
    expect(await write('2027-01-01T12:00:00')).toBe(0);
    expect(await write('2027-01-02T09:00:00')).toBe(1);
    expect(await rowsOf()).toEqual([-3, -1].map((days) => [subscription.id, days, 'QUEUED']));
  });

  it.each([
    ['a trial', { cycleNumber: 0 }],
    ['one that ends', { cancelAt: at('2027-01-02T12:00:00') }],
    ['one that is paused', { pausedAt: BEGIN }],
    ['one that is charged now', { attemptDueAt: BEGIN }],
    ['a cancelled one', { status: 'CANCELLED' as const }],
  ])('writes none for %s', async (_what, changes) => {
    await want('RENEWAL', [-3]);
    await subscribe(changes);
    expect(await write('2026-12-30T09:00:00')).toBe(0);
  });

  it('writes none on the day on which the cycle began', async () => {
    await want('RENEWAL', [-30], 'EMAIL', at('2026-12-01T10:00:00'));
    await subscribe({ cycleEndsAt: at('2027-01-01T12:00:00') });
    expect(await write('2026-12-02T14:00:00')).toBe(0);
  });

  it('continues after a stop where it has stopped', async () => {
    await want('RENEWAL', [-3], 'WEBHOOK');
    // A batch has 50 events.
    for (let count = 0; count < 55; count += 1) await subscribe();
    let batches = 1;
    const isOver = () => {
      if (batches-- === 0) throw new Error('over');
    };
    const round = { now: at('2026-12-30T09:00:00'), owner: owner(), isOver };
    await expect(writeReminders(deps(), round)).rejects.toThrow('over');
    batches = 1;
    expect(await writeReminders(deps(), round)).toBe(5);
    expect(await rowsOf()).toHaveLength(55);
  });

  it('drops what was written about a date that has moved', async () => {
    await want('RENEWAL', [-3]);
    const { subscription } = await subscribe();
    await write('2026-12-30T09:00:00');
    const em = fixture.database.em.fork();
    await em.nativeUpdate(
      SubscriptionEntity,
      { id: subscription.id },
      { cycleEndsAt: at('2027-01-20T12:00:00') },
    );
    await DROP_NEEDLESS_SUBSCRIPTION_REMINDERS(fixture.database, { now: new Date(), ...owner() });
    expect(await rowsOf()).toEqual([[subscription.id, -3, 'DROPPED']]);
    // The new date has its own steps, since 17 January is a Sunday.
    expect(await write('2027-01-18T09:00:00')).toBe(1);
  });
});

it('reminds of the end of a trial, and not of a later charge', async () => {
  await want('TRIAL_END', [-3]);
  const trial = { cycleNumber: 0, trialDays: 14, trialEndsAt: at('2026-12-16T12:00:00') };
  const { subscription } = await subscribe({ ...trial, cycleEndsAt: trial.trialEndsAt });
  await subscribe({ cycleEndsAt: trial.trialEndsAt });
  // The thirteenth is a Sunday.
  expect(await write('2026-12-14T09:00:00')).toBe(1);
  expect(await rowsOf()).toEqual([[subscription.id, -3, 'QUEUED']]);
});

it('reminds of an overdue cycle until it is paid', async () => {
  await want('PAST_DUE', [1, 4]);
  const overdue = { failedAttempts: 1, attemptDueAt: at('2026-12-04T12:00:00') };
  const { subscription } = await subscribe(overdue);
  await subscribe({ attemptDueAt: BEGIN });
  const { subscription: byPix } = await subscribe({ attemptDueAt: BEGIN }, 'PIX');
  expect(await write('2026-12-03T09:00:00')).toBe(2);
  const em = fixture.database.em.fork();
  await em.nativeUpdate(SubscriptionEntity, { id: subscription.id }, { attemptDueAt: null });
  expect(await write('2026-12-07T09:00:00')).toBe(1);
  await DROP_NEEDLESS_SUBSCRIPTION_REMINDERS(fixture.database, { now: new Date(), ...owner() });
  expect(await rowsOf()).toEqual(
    expect.arrayContaining([
      [subscription.id, 1, 'DROPPED'],
      [byPix.id, 1, 'DROPPED'],
      [byPix.id, 4, 'QUEUED'],
    ]),
  );
});

it('reminds of each card that expires, and again of another one', async () => {
  await want('CARD_EXPIRY', [-30, -7]);
  const { subscription } = await subscribe({ cardExpiryMonth: '2027-01' });
  await subscribe({ cardExpiryMonth: '2027-02' });
  expect(await write('2026-12-31T09:00:00')).toBe(0);
  // 30 days before 31 January is New Year's day.
  expect(await write('2027-01-02T09:00:00')).toBe(1);
  const em = fixture.database.em.fork();
  await em.nativeUpdate(SubscriptionEntity, { id: subscription.id }, { cardToken: 'another' });
  // The card of February comes on the 29th.
  expect(await write('2027-01-29T09:00:00')).toBe(2);
});

describe('reminders by webhook', () => {
  it('publishes each step once if several processes do so at once', async () => {
    await want('RENEWAL', [-3], 'WEBHOOK');
    const { subscription, customer } = await subscribe();
    for (let count = 0; count < 5; count++) await subscribe();
    await Promise.all(Array.from({ length: 4 }, () => write('2026-12-30T09:00:00')));
    const events = await published();
    expect(events).toHaveLength(6);
    expect((await rowsOf()).map(([, , status]) => status)).toEqual(Array(6).fill('SENT'));
    const mine = events.find(({ subscriptionId }) => subscriptionId === subscription.id);
    expect(mine?.customerId).toBe(customer.id);
    const { data } = mine ?? {};
    expect(data && reminderEvents['reminder.due'].data.parse(data)).toEqual(data);
    expect(data).toMatchObject({
      reminder: {
        ...{ kind: 'RENEWAL', step: -3, amount: 4_900, dueDate: '2027-01-02', language: 'pt', payUrl: null },
        portalUrl: `https://recebe.test/portal/${customer.id}`,
        unsubscribeUrl: expect.stringMatching(/^https:\/\/recebe\.test\/unsubscribe\/[\w-]{32}$/),
        card: { brand: 'visa', lastFour: '4242' },
        customerNamedBy: 'MERCHANT',
      },
      customer: { id: customer.id, email: 'ana@example.com' },
    });
  });

  it('links to the open PIX code of an overdue cycle', async () => {
    await want('PAST_DUE', [1], 'WEBHOOK', at('2026-12-05T10:00:00'));
    const startsAt = at('2027-01-04T12:00:00');
    const open = { cycleNumber: 2, cycleStartsAt: startsAt, attemptDueAt: startsAt };
    const made = await subscribe(open, 'PIX');
    const code = await insertRenewal(fixture, made, {}, { startsAt });
    expect(await write('2027-01-05T09:00:00')).toBe(1);
    const [event] = await published();
    expect(event?.data.reminder).toMatchObject({
      ...{ kind: 'PAST_DUE', step: 1, amount: 4_900, dueDate: '2027-01-04' },
      payUrl: `https://recebe.test/pay/${made.checkout.id}/${code.id}`,
    });
  });

  it('reminds of unpaid usage from the day on which it is charged', async () => {
    await want('PAST_DUE', [1], 'WEBHOOK', at('2027-01-05T10:00:00'));
    const usageStartsAt = at('2027-02-04T12:00:00');
    const period = { usageStartsAt, usageEndsAt: at('2027-03-04T12:00:00') };
    const made = await subscribe({ cycleNumber: 2, ...period, attemptDueAt: usageStartsAt }, 'PIX');
    const used = { startsAt: at('2027-01-04T12:00:00'), endsAt: usageStartsAt, isUsage: true };
    const code = await insertRenewal(fixture, made, { amountCents: 1_200 }, { ...used, amountCents: 1_200 });
    expect(await write('2027-02-05T09:00:00')).toBe(1);
    const [event] = await published();
    expect(event?.data.reminder).toMatchObject({
      ...{ kind: 'PAST_DUE', step: 1, amount: 1_200, dueDate: '2027-02-04' },
      payUrl: `https://recebe.test/pay/${made.checkout.id}/${code.id}`,
    });
  });

  const reject: [string, (customer: Customer) => Promise<unknown>][] = [
    [
      'a payer who wants none',
      async ({ id }) => {
        const { token } = await recipientOf(fixture.database.em.fork(), id, 'ana@example.com', BEGIN);
        await unsubscribe(fixture.database, token, BEGIN);
      },
    ],
    [
      'a deleted customer',
      ({ id }) => fixture.database.em.fork().nativeUpdate(CustomerEntity, { id }, { deletedAt: BEGIN }),
    ],
  ];
  it.each(reject)('publishes nothing about %s', async (_who, change) => {
    await want('RENEWAL', [-3], 'WEBHOOK');
    const { customer, subscription } = await subscribe();
    await change(customer);
    expect(await write('2026-12-30T09:00:00')).toBe(1);
    expect(await published()).toEqual([]);
    expect(await rowsOf()).toEqual([[subscription.id, -3, 'DROPPED']]);
  });

  it('publishes unpaid boletos, and nothing after the payment', async () => {
    const settings = { ...DEFAULT_REMINDER_SETTINGS, channel: 'WEBHOOK' } as const;
    await fixture.database.em
      .fork()
      .transactional((em) => saveReminderSettings(em, owner(), settings, BEGIN));
    const terms = { dueDate: civilDate('2026-12-15'), interest: null, fine: null };
    const { id } = await insertBoleto({ ...fixture, now: async () => BEGIN }, terms);
    expect(await write('2026-12-12T09:00:00')).toBe(1);
    expect((await published()).map(({ data }) => data.reminder)).toMatchObject([
      { kind: 'BOLETO', step: -3, paymentId: id, payUrl: `https://recebe.test/boleto/${id}` },
    ]);
    await fixture.database.em.fork().execute(`update charges set status = 'PAID' where id = :id`, { id });
    expect(await write('2026-12-15T09:00:00')).toBe(0);
  });

  it('waits for the morning after an outage that lasted into the night', async () => {
    const production = () => ({ storeId: fixture.storeId, devMode: false });
    const schedule = { channel: 'WEBHOOK', steps: [-3] } as const;
    const ofSubscriptions = { ...DEFAULT_REMINDER_SETTINGS.ofSubscriptions, RENEWAL: schedule };
    const settings = { ...DEFAULT_REMINDER_SETTINGS, ofSubscriptions };
    await fixture.database.em
      .fork()
      .transactional((em) => saveReminderSettings(em, production(), settings, BEGIN));
    await subscribe({ devMode: false });
    const round = (now: string) => writeReminders(deps(), { now: at(now), owner: production() });
    expect(await round('2026-12-30T21:00:00')).toBe(0);
    expect(await round('2026-12-31T07:59:00')).toBe(0);
    expect(await round('2026-12-31T08:00:00')).toBe(1);
  });
});
