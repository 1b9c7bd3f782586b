import { expect, it } from '@jest/globals';
import type { AppDeps } from '../../src/api/frame/deps.ts';
import { DevWorkflows } from '../../src/api/limits/dev-workflows.ts';
import type { Charge } from '../../src/database/entities/charge.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** Payments that wait for their workflow until they are ended. */
function payments({ areOthersBusy = true } = {}) {
  const ends: (() => void)[] = [];
  const wait = () => new Promise<'PAID'>((resolve) => ends.push(() => resolve('PAID')));
  const workflows = new DevWorkflows({ othersThan: () => areOthersBusy });
  const given = { chargeUpdates: { authorize: wait }, sandboxPayments: { payCharge: wait } };
  const deps = workflows.within(given as unknown as Pick<AppDeps, 'chargeUpdates' | 'sandboxPayments'>);
  return { ends, workflows, deps };
}

const charge = (storeId: string, devMode = true) => ({ storeId, devMode }) as Charge;

it('runs two payments of a store at once beside others, by whatever way they come', async () => {
  const { ends, deps } = payments();
  const all = [
    deps.chargeUpdates.authorize(charge('store_a'), null),
    deps.sandboxPayments.payCharge(charge('store_a'), new Date(), null),
    deps.sandboxPayments.payCharge(charge('store_a'), new Date(), null),
    deps.chargeUpdates.authorize(charge('store_b'), null),
  ];
  await eventually(() => expect(ends).toHaveLength(3));
  ends.shift()?.();
  await eventually(() => expect(ends).toHaveLength(3));
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(Array(4).fill('PAID'));
});

it.each([
  ['in production', { areOthersBusy: true, devMode: false }],
  ['while nobody else is busy', { areOthersBusy: false, devMode: true }],
])('limits no payments %s', async (_, { areOthersBusy, devMode }) => {
  const { ends, deps } = payments({ areOthersBusy });
  const all = Array.from({ length: 10 }, () =>
    deps.chargeUpdates.authorize(charge('store_a', devMode), null),
  );
  await eventually(() => expect(ends).toHaveLength(10));
  for (const end of ends) end();
  await Promise.all(all);
});

it('takes one slot for a request and the payment within it', async () => {
  const { ends, workflows, deps } = payments();
  const owner = charge('store_a');
  const all = [1, 2].map(() =>
    workflows.run(owner, () => deps.sandboxPayments.payCharge(owner, new Date(), null)),
  );
  await eventually(() => expect(ends).toHaveLength(2));
  for (const end of ends) end();
  await Promise.all(all);
});
