import { IsolationLevel } from '@mikro-orm/core';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import type { LedgerAmounts } from '../domain/ledger.ts';
import { WHOLE_BOOKS } from './checked-books.ts';
import { ATTRIBUTED, BALANCES_OF_ACCOUNTS, SUM_OF_ACCOUNTS } from './clearing-checks.ts';
import {
  BALANCED,
  BALANCES,
  HELD,
  MOVEMENTS,
  RECEIVABLES,
  REVERSED,
  SET_ASIDE,
  STATEMENT,
  TOTALS,
} from './ledger-checks.ts';
import {
  BALANCES_OF_SUB_ACCOUNTS,
  ENTRIES_OF_SUB_ACCOUNTS,
  SPLITS,
  WITHDRAWALS,
} from './sub-account-checks.ts';

/**
 * The accounts that discrepancies are named by; see {@link LedgerAmounts}. ENTRY stands for a movement as a
 * whole.
 */
type Account =
  | 'CLEARING'
  | 'PENDING'
  | 'AVAILABLE'
  | 'BLOCKED'
  | 'OUTGOING'
  | 'PLATFORM_FEES'
  | 'SUSPENSE'
  | 'SUB_ACCOUNTS'
  | 'ENTRY';

/** Something in the books that is not as it must be. */
export interface Discrepancy {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly account: Account;
  /** What is in the books less what should be, in cents. */
  readonly differenceCents: number;
  /** Id of the charge, refund, dispute, payout, payment or provider account that it is about; null for a store's sums. */
  readonly subjectId: string | null;
  readonly problem: string;
}

/** What a check of the ledger found. */
export interface LedgerReport {
  readonly movements: number;
  readonly stores: number;
  /** Over all stores and both environments. */
  readonly sums: LedgerAmounts;
  /** Empty where every cent is where it belongs; at most {@link LISTED} of each problem. */
  readonly discrepancies: readonly Discrepancy[];
}

/** A fault that repeats itself is understood from its first cases, and memory stays bounded. */
const LISTED = 100;

const CHECKS = [
  BALANCES,
  BALANCED,
  MOVEMENTS,
  HELD,
  REVERSED,
  RECEIVABLES,
  SET_ASIDE,
  STATEMENT,
  BALANCES_OF_ACCOUNTS,
  SUM_OF_ACCOUNTS,
  ATTRIBUTED,
  ENTRIES_OF_SUB_ACCOUNTS,
  BALANCES_OF_SUB_ACCOUNTS,
  SPLITS,
  WITHDRAWALS,
];

type Totals = Record<
  | 'movements'
  | 'stores'
  | 'clearing'
  | 'pending'
  | 'available'
  | 'blocked'
  | 'outgoing'
  | 'platform_fees'
  | 'suspense'
  | 'sub_accounts',
  string
>;

interface Row {
  readonly store_id: StoreId;
  readonly dev_mode: boolean;
  readonly account: Account;
  readonly difference_cents: string;
  readonly subject_id: string | null;
  readonly problem: string;
}

/**
 * Recomputes the ledger from its movements, and from the rows of what they are about, as they all were at one
 * instant.
 * @param storeId looks at this store only.
 */
export function verifyLedger(em: Em, storeId: StoreId | null = null): Promise<LedgerReport> {
  return em.transactional((tx) => verifyBooks(tx, WHOLE_BOOKS, { storeId }), {
    ...AT_ONE_INSTANT,
    readOnly: true,
  });
}

/** All statements of the transaction see the rows as they were at its first look. */
export const AT_ONE_INSTANT = { isolationLevel: IsolationLevel.REPEATABLE_READ };

/** Makes every check of these books. @param values of their parameters. */
export async function verifyBooks(tx: Em, books: string, values: object): Promise<LedgerReport> {
  const [totals] = await tx.execute<Totals[]>(`${books} ${TOTALS}`, values as never);
  const discrepancies: Discrepancy[] = [];
  for (const check of CHECKS) discrepancies.push(...(await discrepanciesOf(tx, `${books}${check}`, values)));
  return { ...totalsOf(totals), discrepancies };
}

/** What one check finds. */
export async function discrepanciesOf(tx: Em, check: string, values: object): Promise<Discrepancy[]> {
  const found = `${check} order by store_id, subject_id limit ${LISTED}`;
  const rows = await tx.execute<Row[]>(found, values as never);
  return rows.map(discrepancyOf);
}

function discrepancyOf(row: Row): Discrepancy {
  const { store_id: storeId, dev_mode: devMode, account, subject_id: subjectId, problem } = row;
  return { storeId, devMode, account, differenceCents: Number(row.difference_cents), subjectId, problem };
}

function totalsOf(totals: Totals | undefined) {
  const sum = (name: keyof Totals) => Number(totals?.[name] ?? 0);
  return {
    movements: sum('movements'),
    stores: sum('stores'),
    sums: {
      clearingCents: sum('clearing'),
      pendingCents: sum('pending'),
      availableCents: sum('available'),
      blockedCents: sum('blocked'),
      outgoingCents: sum('outgoing'),
      platformFeesCents: sum('platform_fees'),
      suspenseCents: sum('suspense'),
      subAccountsCents: sum('sub_accounts'),
    },
  };
}
