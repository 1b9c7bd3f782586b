import { expect, it } from '@jest/globals';
import { migrate } from '../../src/database/migrate.ts';
import { EVENTS } from '../../src/events/events.ts';
import { createTestDatabase } from '../support/rows/database.ts';

const RELEASED_BEFORE = '0015-lists-of-any-size';

/** An event as the release before wrote it. */
const insertEvent = `
  insert into events (id, store_id, dev_mode, name, customer_id, key, data, created_at)
  values (:id, 'store', true, :name, null, :key, :data, now())`;

const { transparent } = EVENTS['transparent.completed'].example;
const { checkout, payment } = EVENTS['checkout.refunded'].example;
const { subscription, payment: lastPayment } = EVENTS['subscription.cancelled'].example;
const OF_BEFORE = [
  ['transparent.completed', transparent.id, null, null, null],
  ['transparent.refunded', 'tran_1', transparent.id, null, null],
  ['checkout.completed', payment.id, null, checkout.id, null],
  ['checkout.refunded', 'tran_2', payment.id, checkout.id, null],
  ['subscription.cancelled', subscription.id, lastPayment?.id, checkout.id, subscription.id],
  ['subscription.plan_changed', 'subu_1', null, null, subscription.id],
  ['payout.failed', 'tran_3', null, null, null],
] as const;

it("gives the previous release's events their subject, also those written later", async () => {
  const { url, database, drop } = await createTestDatabase(null);
  await using closing = new AsyncDisposableStack();
  closing.defer(drop);
  await database.migrator.up({ to: RELEASED_BEFORE });
  const em = database.em.fork();
  await em.execute(`insert into stores (id, name, city, created_at) values ('store', 'Loja', 'SP', now())`);
  const insertAll = async (prefix: string) => {
    for (const [index, [name, inKey]] of OF_BEFORE.entries()) {
      const data = JSON.stringify(EVENTS[name].example);
      const row = { id: `evnt_${prefix}${index}`, name, key: `${name}/${inKey}${prefix}`, data };
      await em.execute(insertEvent, row as never);
    }
  };
  await insertAll('');
  await migrate(url);
  const about = (where: string) =>
    em.execute<object[]>(
      `select subject_id, checkout_id, subscription_id from events where ${where} order by id`,
    );
  const expected = OF_BEFORE.map(([, , subject_id, checkout_id, subscription_id]) => ({
    subject_id,
    checkout_id,
    subscription_id,
  }));
  expect(await about('true')).toEqual(expected);

  await insertAll('late');
  const late = await about(`id like 'evnt_late%'`);
  // Their keys differ here, and so name something else than the payment.
  expect(late).toEqual(
    expected.map((row, index) => (index === 2 ? { ...row, subject_id: payment.id } : row)),
  );
});
