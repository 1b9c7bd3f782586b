import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { createTestStore } from '../support/api/app.ts';
import { type ImportFolder, importFolder, runImportCommand } from '../support/fixtures/import-files.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

let at: TestDatabase;
beforeAll(async () => {
  at = await createTestDatabase();
});
afterAll(() => at.drop());

const CUSTOMERS = IS_THOROUGH ? 200 : 20;
const ROWS = 3 + 3 * CUSTOMERS;
const PROGRAM = join(import.meta.dirname, '../support/fixtures/killed-import.ts');

function files(): ImportFolder {
  const numbers = Array.from({ length: CUSTOMERS }, (_, index) => String(index));
  const today = saoPauloDateOf(new Date());
  return importFolder({
    customers: numbers.map((id) => ({ id, name: `Cliente ${id}`, email: `c${id}@example.com` })),
    products: ['MONTHLY', 'ANNUALLY'].map((cycle) => ({ id: cycle, name: cycle, price: '10,00', cycle })),
    coupons: [{ id: 'K', code: 'K', percent: '10', duration: 'FOREVER' }],
    subscriptions: numbers.map((id) => ({
      ...{ id, customer: id, product: Number(id) % 2 === 0 ? 'MONTHLY' : 'ANNUALLY', method: 'PIX' },
      ...{ next_charge: addDays(today, 3 + Number(id)), coupon: Number(id) % 3 === 0 ? 'K' : '' },
    })),
    payments: numbers.map((id) => ({
      ...{ id, customer: id, subscription: id, amount: '10,00', method: 'PIX', paid_at: addDays(today, -27) },
    })),
  });
}

/** What a store has, with ids by what they stand for and without the time of the import. */
async function contentOf(storeId: StoreId): Promise<unknown> {
  const queries = [
    `select name, email, metadata::text from customers where store_id = :storeId order by email`,
    `select external_id, price_cents from products where store_id = :storeId order by 1`,
    `select code from coupons where store_id = :storeId`,
    `select subscription.external_id, subscription.cycle_ends_at, subscription.anchor_at, subscription.cycle_number, customer.email,
       subscription.discount::text, cycle.amount_cents, charge.payer_email, checkout.status
     from subscriptions subscription join customers customer on customer.id = subscription.customer_id
     join checkouts checkout on checkout.subscription_id = subscription.id
     join charges charge on charge.id = checkout.paid_by_charge_id
     join installments cycle on cycle.subscription_id = subscription.id and cycle.paid_by_charge_id = charge.id
     where subscription.store_id = :storeId order by 1`,
    `select payment.external_id, payment.paid_at, customer.email, subscription.external_id
     from outside_payments payment join customers customer on customer.id = payment.customer_id
     join subscriptions subscription on subscription.id = payment.subscription_id
     where payment.store_id = :storeId order by 1`,
    `select kind, count(*) from imported_rows where store_id = :storeId group by 1 order by 1`,
    ...['checkouts', 'charges', 'subscriptions'].map(
      (table) => `select count(*) from ${table} where store_id = :storeId`,
    ),
  ];
  const em = at.database.em.fork();
  return Promise.all(queries.map((query) => em.execute(query, { storeId })));
}

/** Imports until `rows` more rows are done, and is killed: right after the last one, or within the next transaction. */
async function killedAfter(
  rows: number,
  storeId: StoreId,
  folder: string,
  isWithin: boolean,
): Promise<boolean> {
  const args = [PROGRAM, at.url, storeId, folder, String(rows), String(isWithin)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (data) => (errors += String(data)));
  const [code, signal] = await once(child, 'exit');
  if (code === 0) return false;
  expect({ signal, errors: signal === 'SIGKILL' ? '' : errors }).toEqual({ signal: 'SIGKILL', errors: '' });
  return true;
}

it('ends the same when it is killed at every tenth row', async () => {
  using folder = files();
  const whole = await createTestStore(at.database);
  const { answer } = await runImportCommand({ url: at.url, storeId: whole.id }, `csv ${folder.path}`);
  expect(answer.refused).toEqual([]);
  const killed = await createTestStore(at.database);
  let kills = 0;
  while (await killedAfter(10, killed.id, folder.path, kills % 2 === 1)) kills += 1;
  expect(kills).toBeGreaterThanOrEqual(Math.floor(ROWS / 11));
  expect(await contentOf(killed.id)).toEqual(await contentOf(whole.id));
  const again = await runImportCommand({ url: at.url, storeId: killed.id }, `csv ${folder.path}`);
  expect(again.answer.counts.subscription).toMatchObject({ made: 0, unchanged: CUSTOMERS });
  expect(await contentOf(killed.id)).toEqual(await contentOf(whole.id));
}, 600_000);

it('imports each row once when two runs overlap', async () => {
  using folder = files();
  const { id: storeId } = await createTestStore(at.database);
  const runs = await Promise.all(
    [1, 2, 3].map(() => runImportCommand({ url: at.url, storeId }, `csv ${folder.path}`)),
  );
  for (const { ended } of runs) expect(ended).toMatchObject({ code: 0, errors: '' });
  const made = runs.map(({ answer }) => Number(answer.counts.subscription?.made));
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(CUSTOMERS);
  const whole = await createTestStore(at.database);
  await runImportCommand({ url: at.url, storeId: whole.id }, `csv ${folder.path}`);
  expect(await contentOf(storeId)).toEqual(await contentOf(whole.id));
});
