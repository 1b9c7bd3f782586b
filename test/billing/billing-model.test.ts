import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type BareFixture, createBareFixture } from '../support/fixtures/bare-fixture.ts';
import { publishedToNoOne } from '../support/fixtures/bare-money.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { type History, runHistory } from './histories.ts';

const HISTORIES = IS_THOROUGH ? 10_000 : 100;
/** Histories in which service and model once differed. */
const SEEDS_THAT_FAILED = [17, 40, 138, 155, 868, 7_412];
const SEEDS = [...SEEDS_THAT_FAILED, ...Array(HISTORIES).keys()];
const AT_ONCE = 4;
const TIMEOUT_MS = IS_THOROUGH ? 60 * 60_000 : 600_000;
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
const MODEL = new URL('billing_model.py', import.meta.url).pathname;

let fixture: BareFixture;
beforeAll(async () => {
  fixture = await createBareFixture();
});
afterAll(() => fixture.close());

/** Cycles after the first, and those whose invoice differs or, without usage in a cycle of usage, exists: its lines, its total, its status unless it is paid, which these histories write by themselves. */
const INVOICES = `
  select count(*)::int as count,
    (count(*) filter (where cycle.is_usage and cycle.amount_cents > 0))::int as "ofUsage",
    (count(*) filter (where exists (
      select from json_array_elements(invoice.lines) line where line->>'type' = 'add_on'
    )))::int as "withAddOns",
    (count(*) filter (where (invoice.id is null) <> (cycle.is_usage and cycle.usage_cents = 0)
    or invoice.amount_cents <> cycle.amount_cents
    or (cycle.status <> 'PAID' and invoice.status <> case cycle.status when 'FAILED' then 'VOID' else 'OPEN' end)
    or invoice.id is not null and cycle.amount_cents <> (
      select coalesce(sum((line->>'amountCents')::bigint), 0) from json_array_elements(invoice.lines) line
    )))::int as wrong
  from installments cycle left join invoices invoice on invoice.installment_id = cycle.id where cycle.number > 1`;

async function histories(): Promise<readonly (History & { readonly seed: number })[]> {
  const deps = fixture.deps(publishedToNoOne(() => fixture.newWorker({})));
  const waiting = SEEDS.values();
  const ended: (History & { readonly seed: number })[] = [];
  const live = async () => {
    for (const seed of waiting) ended.push({ seed, ...(await runHistory(fixture, deps, seed)) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, live));
  return ended;
}

/** What the model, which is written in another language, makes of the same histories. */
function modelled(ended: readonly History[]): Pick<History, 'charges' | 'credit' | 'final'>[] {
  const input = ended.map(({ start, acts }) => JSON.stringify({ start, acts })).join('\n');
  const { status, stdout, stderr } = spawnSync('python3', [MODEL], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const modelIt = HAS_PYTHON ? it : it.skip;

modelIt(
  `charges what its preview and an independent model say, in ${HISTORIES} random histories`,
  async () => {
    const ended = await histories();
    const expected = modelled(ended);
    for (const [nth, history] of ended.entries()) expect(history).toEqual({ ...history, ...expected[nth] });
    const charges = ended.flatMap((history) => history.charges);
    expect(charges.length).toBeGreaterThan(HISTORIES);
    const [invoices] = await fixture.database.em.fork().execute(INVOICES);
    expect(invoices).toMatchObject({ count: charges.length, wrong: 0 });
    expect(invoices?.ofUsage).toBeGreaterThan(HISTORIES / 50);
    expect(invoices?.withAddOns).toBeGreaterThan(HISTORIES / 2);
  },
  TIMEOUT_MS,
);
