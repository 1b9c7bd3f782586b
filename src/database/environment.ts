import type { StoreClock } from '../domain/store-clock.ts';

/**
 * What every request needs to know of its environment: columns of the authentication statement, so that no further
 * query is needed.
 */
export interface EnvironmentRow {
  /** Whether an endpoint is subscribed to the event of new checkouts and charges; if not, creating one needs no further query. */
  readonly announcesSales: boolean;
  readonly aheadMs: number | null;
  readonly standsAt: Date | null;
}

/** The columns, where {@link environmentJoin} stands. @param storeId SQL, as is `devMode`. */
export function environmentColumns(storeId: string, devMode: string): string {
  return `clock.ahead_ms as "aheadMs", clock.stands_at as "standsAt",
    exists (
      select from webhooks w
      where w.store_id = ${storeId} and w.dev_mode = ${devMode} and not w.v2 and w.deleted_at is null
        and w.disabled_at is null and 'billing.created' = any (w.events)
    ) as "announcesSales"`;
}

/** @param storeId SQL, as is `devMode`. */
export function environmentJoin(storeId: string, devMode: string): string {
  return `left join store_clocks clock on ${devMode} and clock.store_id = ${storeId}`;
}

/** Null if the clock was never moved, and in production. */
export function clockOf({
  aheadMs,
  standsAt,
}: Pick<EnvironmentRow, 'aheadMs' | 'standsAt'>): StoreClock | null {
  return aheadMs === null ? null : { aheadMs, standsAt };
}
