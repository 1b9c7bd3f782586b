import { IsolationLevel } from '@mikro-orm/core';
import type { StoreId } from '../../domain/ids.ts';
import type { LedgerAmounts } from '../../domain/ledger.ts';
import type { Em } from '../orm.ts';
import { BALANCED, BALANCES, HELD, MOVEMENTS, SCOPE, SET_ASIDE } from './ledger-checks.ts';

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
  | 'ENTRY';

/** Something in the books that is not as it must be. */
export interface Discrepancy {
  readonly storeId: StoreId;
  readonly devMode: boolean;
  readonly account: Account;
  /** What is in the books less what should be, in cents. */
  readonly differenceCents: number;
  /** Id of the charge, refund, dispute, payout or payment that it is about; null where it is about a store's sums. */
  readonly subjectId: string | null;
  readonly problem: string;
}

/** What a check of the whole ledger found. */
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

const CHECKS = [BALANCES, BALANCED, MOVEMENTS, HELD, SET_ASIDE];

const TOTALS = `${SCOPE}
  select count(*)::text as movements, count(distinct store_id)::text as stores,
    coalesce(sum(clearing_cents), 0)::text as clearing, coalesce(sum(pending_cents), 0)::text as pending,
    coalesce(sum(available_cents), 0)::text as available, coalesce(sum(blocked_cents), 0)::text as blocked,
    coalesce(sum(outgoing_cents), 0)::text as outgoing, coalesce(sum(platform_fees_cents), 0)::text as platform_fees,
    coalesce(sum(suspense_cents), 0)::text as suspense
  from movement`;

type Totals = Record<
  | 'movements'
  | 'stores'
  | 'clearing'
  | 'pending'
  | 'available'
  | 'blocked'
  | 'outgoing'
  | 'platform_fees'
  | 'suspense',
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
  return em.transactional(
    async (tx) => {
      const [totals] = await tx.execute<Totals[]>(TOTALS, { storeId });
      const discrepancies: Discrepancy[] = [];
      for (const check of CHECKS) {
        const rows = await tx.execute<Row[]>(`${check} order by store_id, subject_id limit ${LISTED}`, {
          storeId,
        });
        discrepancies.push(...rows.map(discrepancyOf));
      }
      return { ...totalsOf(totals), discrepancies };
    },
    { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
  );
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
    },
  };
}
