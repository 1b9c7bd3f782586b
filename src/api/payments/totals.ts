import type { Em } from '../../database/orm.ts';
import { type Statement, statement } from '../../database/statement.ts';
import { cutSums, MOST_SUMMED } from '../frame/most-summed.ts';
import type { Caller } from '../keys/caller.ts';
import { inputsOf, matching, type PaymentFilter, type Source, sourceOf } from './places.ts';

/** Sums over the payments that match a filter, in cents. */
export interface PaymentTotals {
  readonly count: number;
  readonly paidCents: number;
  readonly refundedCents: number;
  /** Whether more payments match than were read. The sums are then those of a part. */
  readonly isCut: boolean;
}

/** The sums of the matching payments. @param most how many are read. */
export async function totalsOf(
  em: Em,
  { storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>,
  filter: PaymentFilter,
  most = MOST_SUMMED,
): Promise<PaymentTotals> {
  const read = { ...inputsOf(filter, { storeId, devMode }), at: 'infinity', id: '', take: most + 1 };
  const [found] = await sum(sourceOf(filter))(em, read);
  return cutSums(found, ['paidCents', 'refundedCents'], most);
}

type Sums = Readonly<Record<'count' | 'paidCents' | 'refundedCents', string>>;

const statements = new Map<Source, Statement<object, Sums>>();

/** What a payer has received back, as `refundedCentsOf`. */
const REFUNDED = `case charge.status when 'REFUNDED' then coalesce(charge.paid_amount_cents, 0) else charge.refunded_cents end`;
const AMOUNTS = `, coalesce(charge.paid_amount_cents, 0) as paid, ${REFUNDED} as refunded`;

/** The ranges are read one after the other until there are enough rows, so the cost does not grow with the store. */
function sum(source: Source): Statement<object, Sums> {
  const known = statements.get(source);
  if (known !== undefined) return known;
  const made = statement<object, Sums>(
    `sum up payments of a ${source}`,
    () => `
    select count(*) as count, coalesce(sum(paid), 0) as "paidCents", coalesce(sum(refunded), 0) as "refundedCents"
    from (${matching(source, 'older', AMOUNTS)} limit :take::bigint) found`,
  );
  statements.set(source, made);
  return made;
}
