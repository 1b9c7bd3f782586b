import { settlementWorkflowId } from '../../workflows/settlement.contract.ts';
import type { Em } from '../database/orm.ts';
import {
  addDays,
  type CivilDate,
  isCivilDate,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../domain/civil-date.ts';
import type { StoreId } from '../domain/ids.ts';
import { type Cursor, type OpenItem, PAGE_SIZE, type Page, type Sought } from './page.ts';

/**
 * Charges that will settle: paid, not yet available, and neither disputed nor being refunded
 * (activities/settlements).
 */
export const UNSETTLED = `settles_at is not null and settled_at is null and status = 'PAID' and refund_id is null`;

/**
 * Skips from one store's day to the next with the help of an index: one charge is read per day, however many
 * settle.
 */
export const DAYS = `
  with recursive day as (
    (select settles_at, store_id, dev_mode from charges
     where ${UNSETTLED} and settles_at <= cast(:before as timestamptz)
       and (settles_at, store_id, dev_mode) > (cast(:afterAt as timestamptz), :afterStore, :afterDev)
     order by settles_at, store_id, dev_mode limit 1)
    union all
    select next.* from day cross join lateral (
      select settles_at, store_id, dev_mode from charges
      where ${UNSETTLED} and settles_at <= cast(:before as timestamptz)
        and (settles_at, store_id, dev_mode) > (day.settles_at, day.store_id, day.dev_mode)
      order by settles_at, store_id, dev_mode limit 1
    ) next
  )
  select settles_at as "settlesAt", settles_at::text as "keyAt", store_id as "storeId", dev_mode as "devMode"
  from day limit :limit`;

interface Day {
  readonly settlesAt: string;
  readonly keyAt: string;
  readonly storeId: StoreId;
  readonly devMode: boolean;
}

/** A page of the stores' days on which paid money becomes or became available. */
export async function openSettlements(em: Em, { before }: Sought, after: Cursor): Promise<Page> {
  const [afterStore = '', environment = ''] = after.id.split('/');
  const days = await em.execute<Day[]>(DAYS, {
    before: before?.toISOString() ?? 'infinity',
    afterAt: after.at,
    afterStore,
    afterDev: environment === 'dev',
    limit: PAGE_SIZE,
  });
  const last = days.length < PAGE_SIZE ? undefined : days.at(-1);
  return {
    items: days.map(itemOf),
    next:
      last === undefined ? null : { at: last.keyAt, id: `${last.storeId}/${last.devMode ? 'dev' : 'prod'}` },
  };
}

/** The settlement of a store's day, if something still settles on it. */
async function openSettlementOf(
  em: Em,
  storeId: StoreId,
  devMode: boolean,
  day: CivilDate,
): Promise<OpenItem | null> {
  const [first] = await em.execute<Day[]>(
    `select settles_at as "settlesAt", settles_at::text as "keyAt", store_id as "storeId", dev_mode as "devMode"
     from charges
     where store_id = :storeId and dev_mode = :devMode and settles_at >= :from and settles_at < :until and ${UNSETTLED}
     order by settles_at limit 1`,
    { storeId, devMode, from: saoPauloMidnight(day), until: saoPauloMidnight(addDays(day, 1)) },
  );
  return first === undefined ? null : itemOf(first);
}

/** The settlement that this workflow makes, if something still settles on its day; none otherwise. */
export async function settlementOfRun(em: Em, workflowId: string): Promise<OpenItem[]> {
  const [, storeId = '', environment, day = ''] = workflowId.split('/');
  if (!isCivilDate(day)) return [];
  const open = await openSettlementOf(em, storeId as StoreId, environment === 'dev', day);
  return open === null ? [] : [open];
}

function itemOf({ settlesAt, storeId, devMode }: Day): OpenItem {
  const dueAt = new Date(settlesAt);
  const id = settlementWorkflowId(storeId, devMode, saoPauloDateOf(dueAt));
  return { kind: 'settlement', id, storeId, devMode, dueAt };
}
