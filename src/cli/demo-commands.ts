import type { Command } from 'commander';
import { StoreEntity } from '../database/entities/store.ts';
import type { Em } from '../database/orm.ts';
import { fillYear } from '../demo/fill-year.ts';
import type { StoreId } from '../domain/ids.ts';
import type { CliContext } from './context.ts';
import { findDemoStore } from './demo-store.ts';
import { UsageError } from './usage-error.ts';

interface Options {
  readonly store?: string;
}

/** `demo fill`. */
export function addDemoCommands(root: Command, { output, platformFees, withDatabase }: CliContext): void {
  root
    .command('demo')
    .description('Demo data')
    .command('fill')
    .description('Fills a store in dev mode with a year of demo data')
    .option('--store <id>', 'the store; default: the one created by npm start')
    .action(async ({ store }: Options) => {
      const startedMs = performance.now();
      const { customers, charges, subscriptions } = await withDatabase(async (em) => {
        const storeId = await storeToFill(em, store);
        const filled = await fillYear(em, { storeId, platformFees: platformFees(), now: new Date() });
        // Updates the statistics, so that Postgres plans queries for the new rows.
        await em.execute('vacuum analyze');
        return filled;
      });
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      output.answer(
        { charges, customers, subscriptions, seconds },
        `${charges} charges of ${customers} customers, and ${subscriptions} subscriptions, in ${seconds} s.`,
      );
    });
}

/** @throws UsageError if there is no such store. */
async function storeToFill(em: Em, id: string | undefined): Promise<StoreId> {
  const store =
    id === undefined ? await findDemoStore(em) : await em.findOne(StoreEntity, { id: id as StoreId });
  if (store === null)
    throw new UsageError(`there is no store ${id ?? 'that npm start has made; name one with --store'}`);
  return store.id;
}
