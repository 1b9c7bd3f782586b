import type { Customer } from '../database/entities/customer.ts';
import type { Em } from '../database/orm.ts';
import type { ImportJob, Planned } from './job.ts';
import type { SubscriptionRow } from './rows.ts';
import { partsOf } from './subscription-parts.ts';
import { rowsOf, writeRows } from './subscription-rows.ts';

/**
 * A running subscription. It continues here with its next charge: nothing of the past is charged, announced or published.
 * Its workflow starts like that of any other row whose start is not known yet.
 */
export async function prepareSubscription(
  _em: Em,
  job: ImportJob,
  foreignId: string,
  row: SubscriptionRow,
  now: Date,
): Promise<Planned> {
  const { parts, cardProblem } = await partsOf(job, row, now);
  const rows = rowsOf(job, foreignId, row, parts, now);
  const asks = row.method === 'CARD' && parts.card === null;
  return {
    rowId: rows.subscription.id,
    outcome: 'MADE',
    note: asks ? asksForCard(job, parts.customer, cardProblem) : null,
    uniqueBy: null,
    value: rows.subscription,
    write: (tx) => writeRows(tx, rows),
  };
}

function asksForCard({ publicUrl }: ImportJob, customer: Customer, problem: string | null): string {
  const link = `${publicUrl}/portal/${customer.id}`;
  const asks = `its payer must enter a card before the next charge, at ${link}`;
  return problem === null ? asks : `${problem}: ${asks}`;
}
