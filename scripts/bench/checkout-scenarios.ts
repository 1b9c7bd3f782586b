import { checkoutWorkflowId } from '../../workflows/checkout.contract.ts';
import { CONNECTIONS } from './api.ts';
import { type Bench, backlogOf } from './bench.ts';
import { completions } from './ceilings.ts';
import type { Figures } from './figures.ts';
import { closedLoop, openLoop, percentile, until } from './load.ts';

/** The rate for which the target holds. */
const PAGES_PER_SECOND = 100;

/** Pages that are requested in turn, so that only the tables are cached. */
const PAGES = 50;

/** Checkouts created per second, and whole ones: created, paid by card, and their webhook received. */
export async function checkouts(bench: Bench): Promise<Figures> {
  const { api, sink, temporal, nothingQueue, durations } = bench;
  const productId = await api.createProduct();
  const created = await closedLoop(durations.sustainedMs, CONNECTIONS, async () => {
    await api.createCheckout(productId);
  });
  await until('the starts of checkouts', async () => (await backlogOf(bench)) === 0);
  const perSecond = await completions(temporal, nothingQueue, CONNECTIONS, durations.ceilingMs);
  let answered503 = 0;
  const paid: string[] = [];
  const load = await closedLoop(durations.chargesMs, CONNECTIONS, async () => {
    const checkoutId = await api.createCheckout(productId);
    const webhook = sink.next(checkoutId);
    if (!(await api.payByCard(checkoutId))) answered503 += 1;
    await webhook;
    paid.push(checkoutId);
  });
  await until('the starts of checkouts', async () => (await backlogOf(bench)) === 0);
  // The webhook may be there a moment before the checkout's own workflow has ended.
  const handles = paid
    .slice(-PAGES)
    .map((id) => temporal.workflow.getHandle(checkoutWorkflowId(id as never)));
  await Promise.all(handles.map((handle) => handle.result()));
  return {
    checkoutsPerSecond: created.perSecond,
    checkoutP99Ms: percentile(created.latenciesMs, 99),
    cardCompletionsPerSecond: perSecond,
    cardCheckoutsPerSecond: load.perSecond,
    cardCheckoutsToCompletions: load.perSecond / perSecond,
    cardCheckoutP50Ms: percentile(load.latenciesMs, 50),
    cardAnswered503: answered503,
  };
}

/** The latency of the hosted page at a steady hundred requests per second. */
export async function pages(bench: Bench): Promise<Figures> {
  const { api, durations } = bench;
  const productId = await api.createProduct();
  const ids: string[] = [];
  while (ids.length < PAGES) ids.push(await api.createCheckout(productId));
  await until('the starts of checkouts', async () => (await backlogOf(bench)) === 0);
  let next = 0;
  const { latenciesMs } = await openLoop(durations.halfRateMs, PAGES_PER_SECOND, async () => {
    next += 1;
    await api.openPage(ids[next % PAGES] ?? '');
  });
  return { pageP50Ms: percentile(latenciesMs, 50), pageP99Ms: percentile(latenciesMs, 99) };
}
