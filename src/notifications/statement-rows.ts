import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CivilDate } from '../domain/civil-date.ts';
import type { ProviderAccountId } from '../domain/ids.ts';
import type { StatementTotals } from '../domain/statement-day.ts';
import type { ProviderPayout } from '../providers/ports/statement.ts';

/** An entry on which the provider's books and the ledger differ. */
export interface StatementDifference {
  /**
   * MISSING_HERE: a payment that Recebe requested and has no row of. OTHER_AMOUNT: of a payment, or of one of its installments.
   * OTHER_REFUNDS: of a payment.
   * OTHER_FEE: of a dispute.
   */
  readonly problem: 'MISSING_HERE' | 'OTHER_AMOUNT' | 'OTHER_REFUNDS' | 'OTHER_FEE';
  readonly entryId: string;
  readonly providerPaymentId: string;
  readonly providerCents: number;
  /** Null if it is missing here. */
  readonly hereCents: number | null;
}

/** A day of an account in its provider's books. */
export interface StatementDay {
  readonly provider: ProviderAccountId;
  readonly day: CivilDate;
  readonly totals: StatementTotals;
  readonly entries: number;
  /** Payments that other programs requested at the same account: they are in the sums, and not in the ledger. */
  readonly foreignPayments: number;
  /** False if entries could not be read, or were too many. */
  readonly isComplete: boolean;
  readonly differences: readonly StatementDifference[];
  readonly payouts: readonly ProviderPayout[];
  readonly readAt: Date;
}

const SAVE = statement<{
  provider: string;
  day: CivilDate;
  totals: string;
  entries: number;
  foreignPayments: number;
  isComplete: boolean;
  differences: string;
  payouts: string;
  readAt: Date;
}>(
  'save a day of a statement',
  () => `
  insert into provider_statement_days as stored
    (provider, day, totals, entries, foreign_payments, is_complete, differences, payouts, read_at)
  values (:provider, :day, :totals::text::json, :entries, :foreignPayments, :isComplete, :differences::text::json, :payouts::text::json, :readAt)
  on conflict (provider, day) do update set totals = excluded.totals, entries = excluded.entries,
    foreign_payments = excluded.foreign_payments, is_complete = excluded.is_complete,
    differences = excluded.differences, payouts = excluded.payouts, read_at = excluded.read_at
  where stored.read_at <= excluded.read_at`,
);

/** Replaces an earlier reading of the day, but not a later one. */
export async function saveStatementDay(em: Em, day: StatementDay): Promise<void> {
  await SAVE(em, {
    ...day,
    totals: JSON.stringify(day.totals),
    differences: JSON.stringify(day.differences),
    payouts: JSON.stringify(day.payouts),
  });
}

/** A stored day; JSON is read as text. */
type StoredDay = Pick<StatementDay, 'provider' | 'day' | 'entries' | 'foreignPayments' | 'isComplete'> & {
  readonly totals: string;
  readonly differences: string;
  readonly payouts: string;
  readonly readAt: string | Date;
};

const READ = statement<{ provider: string; from: CivilDate; to: CivilDate }, StoredDay>(
  'read days of a statement',
  () => `
  select provider, to_char(day, 'YYYY-MM-DD') as day, totals::text, entries, foreign_payments as "foreignPayments",
    is_complete as "isComplete", differences::text, payouts::text, read_at as "readAt"
  from provider_statement_days
  where provider = :provider and day between :from and :to
  order by provider_statement_days.day desc`,
);

/** The stored days of an account within a range of days, newest first. */
export async function statementDays(
  em: Em,
  range: { readonly provider: string; readonly from: CivilDate; readonly to: CivilDate },
): Promise<StatementDay[]> {
  return (await READ(em, range)).map((stored) => ({
    ...stored,
    // Days that an earlier release has read name no balance.
    totals: { balanceCents: null, ...JSON.parse(stored.totals) },
    differences: JSON.parse(stored.differences),
    payouts: JSON.parse(stored.payouts),
    readAt: new Date(stored.readAt),
  }));
}
