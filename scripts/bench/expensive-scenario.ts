import { type Bench, backlogOf, openStore } from './bench.ts';
import type { Figures } from './figures.ts';
import { type FloodRequest, type FloodTerms, startFlood, withKey } from './flood.ts';
import { percentile, until } from './load.ts';
import { createAndPay, newSeen, PARTS, ratio, type Seen } from './measured-store.ts';

/** What a store may send by default. */
const PER_SECOND = 100;
/** So many are sent before others are measured, so that the service knows what they take. */
const BEFORE = 40;
/** As many as a page of a list shows. */
const CUSTOMERS = 100;
const SUBSCRIPTIONS = 40;

/** Two states that make an allowed request expensive: large objects, and many cycles that a clock would open. */
const REQUESTS = {
  lists: { method: 'GET', path: '/v2/customers/list?limit=100', body: null },
  previews: {
    method: 'POST',
    path: '/v2/dev/clock/advance',
    body: JSON.stringify({ by: 'P11M', preview: true }),
  },
} as const satisfies Readonly<Record<string, FloodRequest>>;
type Kind = keyof typeof REQUESTS;
const KINDS = Object.keys(REQUESTS) as Kind[];

/**
 * How long creates and payments of one store take while another store sends as many expensive requests as its limit allows, compared
 * with the same requests to a server that does nothing: the sender needs a part of this machine too.
 */
export async function expensive(bench: Bench): Promise<Figures> {
  const key = await filledStore(bench);
  const alone = newSeen();
  const beside: Readonly<Record<Kind, Seen>> = { lists: newSeen(), previews: newSeen() };
  for (let part = 0; part < PARTS; part += 1) {
    await besideFlood(bench, { url: null, senders: [withKey(key)], request: REQUESTS.lists }, alone);
    for (const kind of KINDS) {
      const terms = { url: bench.endpoints.apiUrl, senders: [withKey(key)], request: REQUESTS[kind] };
      await besideFlood(bench, terms, beside[kind]);
      await until('the starts', async () => (await backlogOf(bench)) === 0);
    }
  }
  const { lists, previews } = beside;
  return {
    expensiveAloneCreateP50Ms: percentile(alone.createMs, 50),
    expensiveListsCreateP50ToAlone: ratio(lists.createMs, alone.createMs, 50),
    expensiveListsCreateP99ToAlone: ratio(lists.createMs, alone.createMs, 99),
    expensiveListsPayP50ToAlone: ratio(lists.payMs, alone.payMs, 50),
    expensiveListsPayP99ToAlone: ratio(lists.payMs, alone.payMs, 99),
    expensivePreviewsCreateP50ToAlone: ratio(previews.createMs, alone.createMs, 50),
    expensivePreviewsCreateP99ToAlone: ratio(previews.createMs, alone.createMs, 99),
    expensivePreviewsPayP50ToAlone: ratio(previews.payMs, alone.payMs, 50),
    expensivePreviewsPayP99ToAlone: ratio(previews.payMs, alone.payMs, 99),
  };
}

async function besideFlood(
  bench: Bench,
  terms: Pick<FloodTerms, 'url' | 'senders' | 'request'>,
  seen: Seen,
): Promise<void> {
  await using running = await startFlood({ ...terms, perSecond: PER_SECOND, before: BEFORE });
  await createAndPay(bench, seen);
  await running.stop();
}

/** A store other than the measured one. @returns its key. */
async function filledStore(bench: Bench): Promise<string> {
  const { api, key } = await openStore(bench);
  for (let made = 0; made < CUSTOMERS; made += 1) await api.createCustomer(`payer-${made}@example.com`);
  const plan = await api.createProduct('WEEKLY');
  for (let made = 0; made < SUBSCRIPTIONS; made += 1) await api.subscribePayer(plan);
  await api.close();
  return key;
}
