import { expect, it } from '@jest/globals';
import type { ClockView } from '../../src/api/clock/schema.ts';
import { laterBy } from '../../src/domain/duration.ts';
import { type ApiClient, dataOf } from '../support/api/api-client.ts';
import { arrivedAt, clockOf } from '../support/fixtures/clock.ts';
import { buildProduct } from '../support/rows/catalog.ts';
import { createDeployment } from '../support/servers/deployment.ts';
import { eventually } from '../support/waiting/eventually.ts';

const SUBSCRIPTIONS = 4;
const MONTHS = 12;

async function subscribe(api: ApiClient): Promise<void> {
  const plan = await buildProduct(api, { cycle: 'MONTHLY', price: 5_000 });
  const items = [{ id: plan.id, quantity: 1 }];
  const checkout = dataOf<{ id: string }>(await api.post('/v2/subscriptions/create', { items }));
  dataOf(await api.post('/v2/checkouts/simulate-payment', { id: checkout.id }));
}

/** Oldest first, as the moments of one year are by their text. */
async function instantsOf(api: ApiClient, name: string): Promise<string[]> {
  const events = dataOf<{ createdAt: string }[]>(await api.get(`/v2/events/list?name=${name}&limit=100`));
  return events.map(({ createdAt }) => createdAt).sort(byText);
}

const byText = (one: string, other: string) => one.localeCompare(other);

it('records every renewal at its date if the worker dies while the clock advances', async () => {
  await using deployment = await createDeployment();
  const [{ api }, doomed] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
  for (let made = 0; made < SUBSCRIPTIONS; made += 1) await subscribe(api);
  const begun = await instantsOf(api, 'subscription.completed');

  const { target } = dataOf<ClockView>(await api.post('/v2/dev/clock/advance', { by: 'P1Y' }));
  await eventually(async () => expect((await clockOf(api)).steps).toBeGreaterThan(5));
  await doomed.kill();
  expect((await clockOf(api)).status).toBe('advancing');
  await deployment.startWorker();
  await arrivedAt(api, target ?? '');

  const renewed = begun.flatMap((instant) =>
    Array.from({ length: MONTHS }, (_, month) =>
      laterBy(new Date(instant), { months: month + 1, days: 0, milliseconds: 0 }).toISOString(),
    ),
  );
  expect(await instantsOf(api, 'subscription.renewed')).toEqual(renewed.sort(byText));
  expect(await instantsOf(api, 'subscription.payment_failed')).toEqual([]);
}, 200_000);
