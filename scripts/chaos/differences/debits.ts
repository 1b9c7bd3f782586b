import type { Database } from '../../../src/database/orm.ts';

/** The debits of Recebe and those of the sandbox bank. */
const DEBITS = `
  select debit.id, debit.status, debit.number, debit.subscription_id as "subscriptionId", charge.status as charge,
    (select count(*)::int from sandbox_debits ordered where ordered.reference = right(debit.id, 25)) as orders,
    (select count(*)::int from debits other where other.subscription_id = debit.subscription_id
      and other.number = debit.number) as "ofCycle"
  from debits debit left join charges charge on charge.id = debit.id`;

interface DebitRow {
  readonly id: string;
  readonly status: string;
  readonly number: number;
  readonly subscriptionId: string;
  readonly charge: string | null;
  readonly orders: number;
  readonly ofCycle: number;
}

/** Each debit must have been ordered once, be the only one of its cycle, and be paid, and the bank must have no others. */
export async function compareDebits(
  database: Database,
): Promise<{ readonly count: number; readonly differences: readonly string[] }> {
  const em = database.em.fork();
  const debits = await em.execute<DebitRow[]>(DEBITS);
  const unknown = await em.execute<{ reference: string }[]>(
    'select reference from sandbox_debits where not exists (select from debits where right(id, 25) = reference)',
  );
  const wrong = debits.filter(
    ({ status, charge, orders, ofCycle }) =>
      status !== 'PAID' || charge !== 'PAID' || orders !== 1 || ofCycle !== 1,
  );
  return {
    count: debits.length,
    differences: [
      ...wrong.map(
        ({ id, subscriptionId, number, status, charge, orders, ofCycle }) =>
          `debit ${id} of cycle ${number} of ${subscriptionId} is ${status}, its charge ${charge}, ordered ${orders} times, one of ${ofCycle}`,
      ),
      ...unknown.map(({ reference }) => `debit ${reference} is ordered at the bank, and nobody knows of it`),
    ],
  };
}
