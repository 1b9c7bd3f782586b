import type { Database } from '../../../src/database/orm.ts';

/**
 * How many rows of each table a deployment holds, by status: what shows at once that nothing is lost or
 * doubled.
 */
export interface Tallies {
  readonly charges: Readonly<Partial<Record<string, number>>>;
  readonly payments: Readonly<Partial<Record<string, number>>>;
  readonly events: number;
  readonly deliveries: Readonly<Partial<Record<string, number>>>;
}

export async function talliesOf(database: Database): Promise<Tallies> {
  const em = database.em.fork();
  const count = async (table: string, column: string) => {
    const rows = await em.execute<{ value: string; count: number }[]>(
      `select ${column} as value, count(*)::int as count from ${table} group by 1 order by 1`,
    );
    return Object.fromEntries(rows.map((row) => [row.value, row.count]));
  };
  const [events] = await em.execute<{ count: number }[]>('select count(*)::int as count from events');
  return {
    charges: await count('charges', 'status'),
    payments: await count('payments', 'outcome'),
    events: events?.count ?? 0,
    deliveries: await count('deliveries', 'status'),
  };
}

/** The tallies of `count` charges that were each paid once and notified once to one endpoint. */
export function allPaidOnce(count: number): Tallies {
  return {
    charges: { PAID: count },
    payments: { ACCEPTED: count },
    events: count,
    deliveries: { DELIVERED: count },
  };
}
