import { expect, it } from '@jest/globals';
import { billingPeriod } from '../../src/domain/billing-period.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { createDeployment, type Deployment } from '../support/deployment.ts';
import { eventually } from '../support/eventually.ts';
import { insertSubscription } from '../support/subscribed-rows.ts';

const SUBSCRIPTIONS = 5;
/** Monthly cycles that are overdue, and so charged one right after the other. */
const CYCLES = 6;
const DUE = SUBSCRIPTIONS * CYCLES;

/** Temporal gives the tasks of a dead worker to another one after 10 seconds; then the cycles have to run. */
const RECOVERY_MS = 90_000;

interface Renewals {
  readonly installments: number;
  readonly charges: number;
  readonly payments: number;
  readonly events: number;
}

/** Paid cycles and what belongs to them. */
async function renewalsOf({ database }: Deployment): Promise<Renewals> {
  const [row] = await database.em.fork().execute<Renewals[]>(
    `select (select count(*)::int from installments where status = 'PAID') as installments,
       (select count(*)::int from charges where installment_id is not null) as charges,
       (select count(*)::int from payments where outcome = 'ACCEPTED') as payments,
       (select count(*)::int from events where name = 'subscription.renewed') as events`,
  );
  if (row === undefined) throw new Error('a count has a row');
  return row;
}

it('a worker that is killed in the middle of renewals leaves each cycle charged once by the next worker', async () => {
  await using deployment = await createDeployment();
  const startsAt = new Date(Date.now() - CYCLES * 31 * 24 * 60 * 60 * 1_000);
  const shop = { database: deployment.database, storeId: deployment.storeId as StoreId };
  for (let made = 0; made < SUBSCRIPTIONS; made += 1) {
    await insertSubscription(shop, {
      cardToken: 'sandbox_approved_00',
      anchorAt: startsAt,
      cycleStartsAt: startsAt,
      cycleEndsAt: billingPeriod(startsAt, 'MONTHLY', 0).endsAt,
      createdAt: startsAt,
      workflowStartedAt: null,
    });
  }
  for (const enough of [3, DUE / 2]) {
    const worker = await deployment.startWorker();
    await eventually(
      async () => expect((await renewalsOf(deployment)).installments).toBeGreaterThanOrEqual(enough),
      RECOVERY_MS,
    );
    await worker.kill();
  }
  expect((await renewalsOf(deployment)).installments).toBeLessThan(DUE);
  await deployment.startWorker();
  const once = { installments: DUE, charges: DUE, payments: DUE, events: DUE };
  await eventually(async () => expect(await renewalsOf(deployment)).toEqual(once), RECOVERY_MS);
}, 240_000);
