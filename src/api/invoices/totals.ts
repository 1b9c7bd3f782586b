import type { Em } from '../../database/orm.ts';
import { type Statement, statement } from '../../database/statement.ts';
import { parseInvoiceNumber } from '../../domain/invoice.ts';
import { MOST_SUMMED } from '../frame/most-summed.ts';
import type { Caller } from '../keys/caller.ts';
import type { ListInvoicesQuery } from './schema.ts';

/** Sums over the invoices that match a filter, in cents. */
export interface InvoiceTotals {
  readonly count: number;
  readonly paidCents: number;
  readonly openCents: number;
  /** Whether the filter has more invoices than were read. The sums are then those of a part. */
  readonly isCut: boolean;
}

/** Conditions with an index of their own. A subscription's invoices are found through its checkout. */
const CONDITIONS = {
  number: 'and number_year = :numberYear and number_in_year = :numberInYear',
  customerId: 'and customer_id = :customerId',
  checkoutId: 'and checkout_id = :checkoutId',
  subscriptionId: `and subscription_id = :subscriptionId and checkout_id in (
      select checkout_id from subscriptions where id = :subscriptionId and store_id = :storeId)`,
};
type Condition = keyof typeof CONDITIONS;

type Sums = Readonly<Record<'read' | 'count' | 'paidCents' | 'openCents', string>>;

const statements = new Map<string, Statement<object, Sums>>();

/**
 * A status has no index. It limits what is summed, not what is read, so that a rare one does not read the whole store.
 */
function sum(conditions: readonly Condition[]): Statement<object, Sums> {
  const name = ['sum up invoices', ...conditions].join(' ');
  const known = statements.get(name);
  if (known !== undefined) return known;
  const made = statement<object, Sums>(
    name,
    () => `
    select count(*) as read,
      count(*) filter (where status = any(:statuses::text[])) as count,
      coalesce(sum(amount_cents) filter (where status = 'PAID' and status = any(:statuses::text[])), 0) as "paidCents",
      coalesce(sum(amount_cents) filter (where status = 'OPEN' and status = any(:statuses::text[])), 0) as "openCents"
    from (
      select status, amount_cents from invoices
      where store_id = :storeId and dev_mode = :devMode and number_year is not null
        ${conditions.map((condition) => CONDITIONS[condition]).join(' ')}
        and created_at >= :createdFrom::timestamptz and created_at < :createdTo::timestamptz
      order by created_at desc limit :take::bigint
    ) found`,
  );
  statements.set(name, made);
  return made;
}

/** The sums of the caller's invoices. @param most how many are read. */
export async function invoiceTotals(
  em: Em,
  { storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>,
  query: ListInvoicesQuery,
  most = MOST_SUMMED,
): Promise<InvoiceTotals> {
  const { number, status, customerId, checkoutId, subscriptionId, createdFrom, createdTo } = query;
  const parsed = number === undefined ? null : parseInvoiceNumber(number);
  const conditions = (Object.keys(CONDITIONS) as Condition[]).filter((name) => query[name] !== undefined);
  const [found] = await sum(conditions)(em, {
    ...{ storeId, devMode, customerId, checkoutId, subscriptionId },
    statuses: status === undefined ? ['OPEN', 'PAID', 'VOID'] : [status],
    numberYear: parsed?.year ?? 0,
    numberInYear: parsed?.inYear ?? 0,
    createdFrom: createdFrom ?? '-infinity',
    createdTo: createdTo ?? 'infinity',
    take: most + 1,
  });
  const isCut = Number(found?.read ?? 0) > most;
  return {
    count: Number(found?.count ?? 0),
    paidCents: Number(found?.paidCents ?? 0),
    openCents: Number(found?.openCents ?? 0),
    isCut,
  };
}
