import { expect, it } from '@jest/globals';
import { cyclePeriod } from '../../src/domain/cycle.ts';
import type { StoreId } from '../../src/domain/ids.ts';
import { insertSubscription } from '../support/rows/subscribed-rows.ts';
import { createDeployment, type Deployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';
import { cutWaiting, hold, untilWaiting } from '../support/waiting/hold.ts';

const SUBSCRIPTIONS = 5;
/** Overdue monthly cycles, the second to the seventh. They are charged one right after the other. */
const CYCLES = 6;
const DUE = SUBSCRIPTIONS * CYCLES;

/** Temporal gives the tasks of a dead worker to another one after 10 seconds; then the cycles have to run. */
const RECOVERY_MS = 90_000;

/** Locks that block a worker that opens the third cycle, or stores the payment of the fifth, while held. */
const OPENING = 1;
const PAYING = 2;
const HELD_PLACES = `
  create function wait_for_the_test() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(tg_argv[0]::int); return new; end $$;
  create trigger opening before insert on installments
    for each row when (new.number = 3) execute function wait_for_the_test(${OPENING});
  create trigger paying before update on installments
    for each row when (new.number = 5 and new.status = 'PAID') execute function wait_for_the_test(${PAYING})`;

/** Counts of paid cycles and their rows. All counts are equal if each cycle was charged once. */
async function renewalsOf({ database }: Deployment) {
  const [row] = await database.em.fork().execute<object[]>(
    `select (select count(*)::int from installments where status = 'PAID') as installments,
       (select count(*)::int from charges where status = 'PAID') as charges,
       (select count(*)::int from payments where outcome = 'ACCEPTED') as payments,
       (select count(*)::int from events where name = 'subscription.renewed') as events`,
  );
  return row;
}

const renewed = (count: number) => ({
  installments: count,
  charges: count,
  payments: count,
  events: count,
});

/** How many card charges the sandbox has approved. */
async function approvalsOf({ database }: Deployment): Promise<number> {
  const [row] = await database.em
    .fork()
    .execute<{ count: number }[]>(`select count(*)::int as count from sandbox_charges where status = 'PAID'`);
  return row?.count ?? 0;
}

it('charges each cycle once although workers die in the middle of renewals', async () => {
  await using deployment = await createDeployment();
  const { database } = deployment;
  const startsAt = new Date(Date.now() - CYCLES * 31 * 24 * 60 * 60 * 1_000);
  const shop = { database, storeId: deployment.storeId as StoreId };
  for (let made = 0; made < SUBSCRIPTIONS; made += 1) {
    await insertSubscription(shop, {
      cardToken: 'sandbox_approved_00',
      anchorAt: startsAt,
      cycleStartsAt: startsAt,
      cycleEndsAt: cyclePeriod(startsAt, 'MONTHLY', 0).endsAt,
      createdAt: startsAt,
      workflowStartedAt: null,
    });
  }
  await database.em.fork().execute(HELD_PLACES);
  await using opening = await hold(database, `select pg_advisory_xact_lock(${OPENING})`);
  await using paying = await hold(database, `select pg_advisory_xact_lock(${PAYING})`);

  // Each subscription has one paid cycle, and the next one is inserted but not committed.
  const first = await deployment.startWorker();
  await untilWaiting(database, SUBSCRIPTIONS, RECOVERY_MS);
  await eventually(async () => expect(await renewalsOf(deployment)).toEqual(renewed(SUBSCRIPTIONS)));
  await first.kill();
  await opening.release();

  // Three cycles are paid and the card is charged for a fourth. Two of those payments are cut off before
  // the commit; the others are committed after their worker's death.
  const second = await deployment.startWorker();
  await untilWaiting(database, SUBSCRIPTIONS, RECOVERY_MS);
  await eventually(async () => expect(await renewalsOf(deployment)).toEqual(renewed(3 * SUBSCRIPTIONS)));
  await eventually(async () => expect(await approvalsOf(deployment)).toBe(4 * SUBSCRIPTIONS));
  await second.kill();
  await cutWaiting(database, 2);
  await paying.release();

  await deployment.startWorker();
  await eventually(async () => expect(await renewalsOf(deployment)).toEqual(renewed(DUE)), RECOVERY_MS);
  expect(await approvalsOf(deployment)).toBe(DUE);
}, 400_000);
