import { expect, it } from '@jest/globals';
import type { ClockView } from '../../src/api/clock/schema.ts';
import type { Database } from '../../src/database/orm.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { arrivedAt, clockOf } from '../support/fixtures/clock.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';

const KILLS = Number(process.env.WORKER_KILLS ?? (process.env.THOROUGH === 'true' ? 200 : roundsOf(10)));
const SUBSCRIPTIONS = 5;
/** How far the clock is moved at a time. */
const WEEKS = 4;

async function subscribe(api: ApiClient): Promise<string> {
  const plan = await buildProduct(api, { cycle: 'WEEKLY', price: 4_900 });
  const order = { items: [{ id: plan.id, quantity: 1 }], methods: ['PIX'], pixAutomatic: 'fixed' };
  const checkout = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', order));
  const payment = { id: checkout.id, payer: { name: 'Ana Souza', taxId: '52998224725' } };
  const paid = dataOf<{ subscriptionId: string }>(await api.post('/v2/checkouts/simulate-payment', payment));
  return paid.subscriptionId;
}

/** Cycles with their debits at the sandbox bank and their payments: both are one, whatever dies. */
async function cyclesOf(database: Database, subscriptionId: string) {
  return database.em.fork().execute<{ number: number; orders: number; debits: number; payments: number }[]>(
    `select cycle.number,
       (select count(*)::int from debits debit join sandbox_debits ordered on ordered.reference = right(debit.id, 25)
        where debit.subscription_id = cycle.subscription_id and debit.number = cycle.number) as orders,
       (select count(*)::int from debits debit
        where debit.subscription_id = cycle.subscription_id and debit.number = cycle.number) as debits,
       (select count(*)::int from charges charge where charge.installment_id = cycle.id and charge.status = 'PAID') as payments
     from installments cycle where cycle.subscription_id = ? and cycle.number > 1 order by cycle.number`,
    [subscriptionId],
  );
}

it(
  `orders and pays one debit per cycle although ${KILLS} workers are killed`,
  async () => {
    await using deployment = await createDeployment();
    const [{ api }, first] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    const ids: string[] = [];
    for (let made = 0; made < SUBSCRIPTIONS; made += 1) ids.push(await subscribe(api));

    let worker = first;
    let weeks = 0;
    let target = '';
    const hurry = async () => {
      if ((await clockOf(api)).status !== 'ready') return;
      weeks += WEEKS;
      // A day after the last due date no other debit is ordered yet.
      const by = `P${7 * WEEKS + (weeks === WEEKS ? 1 : 0)}D`;
      target = dataOf<ClockView>(await api.post('/v2/dev/clock/advance', { by })).target ?? '';
    };
    for (let killed = 0; killed < KILLS; killed += 1) {
      await hurry();
      const { steps } = await clockOf(api);
      const next = await deployment.startWorker();
      // Work advances between two kills, unless it has ended.
      await eventually(async () => {
        const now = await clockOf(api);
        if (now.status === 'advancing') expect(now.steps).not.toBe(steps);
      });
      await worker.kill();
      worker = next;
    }
    await arrivedAt(api, target);
    const expected = Array.from({ length: weeks }, (_, week) => ({
      number: week + 2,
      orders: 1,
      debits: 1,
      payments: 1,
    }));
    for (const id of ids) expect(await cyclesOf(deployment.database, id)).toEqual(expected);
    process.stderr.write(`${KILLS} kills, ${weeks * SUBSCRIPTIONS} debited cycles\n`);
  },
  Math.max(10, KILLS) * 60_000,
);
