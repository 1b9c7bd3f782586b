import { Migration } from '@mikro-orm/migrations';
import { CATALOG } from './baseline/catalog.ts';
import { CHARGES } from './baseline/charges.ts';
import { EVENTS } from './baseline/events.ts';
import { LEDGER } from './baseline/ledger.ts';
import { METADATA } from './baseline/metadata.ts';
import { MONEY_OUT } from './baseline/money-out.ts';
import { PEOPLE } from './baseline/people.ts';
import { RECURRING_REVENUE } from './baseline/recurring-revenue.ts';
import { SANDBOX } from './baseline/sandbox.ts';
import { STORES } from './baseline/stores.ts';
import { SUBSCRIPTIONS } from './baseline/subscriptions.ts';

/** How many migrations, 0001 to 0038, the baseline replaces. */
const REPLACED = 37;

/**
 * The tables as the migrations 0001 to 0038 left them. A database that has run those keeps its tables, and only gets this migration's
 * row. One transaction does either.
 */
export class Baseline extends Migration {
  override async up(): Promise<void> {
    const [done] = (await this.execute(
      `select count(*)::int as count from migrations where name < '0039'`,
    )) as { readonly count: number }[];
    const count = done?.count ?? 0;
    if (count === REPLACED) return;
    if (count > 0)
      throw new Error(
        `this database has run ${count} of the first ${REPLACED} migrations. Start it once with commit d26f640, which runs the others`,
      );
    for (const tables of IN_ORDER) this.addSql(tables);
  }
}

/** Later ones reference earlier ones. */
const IN_ORDER = [
  STORES,
  PEOPLE,
  CATALOG,
  CHARGES,
  MONEY_OUT,
  SUBSCRIPTIONS,
  RECURRING_REVENUE,
  EVENTS,
  LEDGER,
  METADATA,
  SANDBOX,
];
