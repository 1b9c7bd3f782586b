import { setTimeout as sleep } from 'node:timers/promises';
import type { Em } from '../database/orm.ts';
import { firstIdAt } from '../ids.ts';
import { AMOUNT_COLUMN_NAMES, AMOUNT_COLUMNS } from './amount-columns.ts';
import { ACCOUNT_SUMS, BOOKS_SINCE, WHOLE_BOOKS } from './checked-books.ts';
import { ACCOUNTS_BEFORE_CHECKPOINT } from './clearing-checks.ts';
import { BEFORE_CHECKPOINT } from './ledger-checks.ts';
import { AT_ONE_INSTANT, discrepanciesOf, type LedgerReport, verifyBooks } from './verify-ledger.ts';

/** The result of a run of `ledger verify`. */
export interface CheckedReport extends LedgerReport {
  /** When its starting checkpoint was made (ISO 8601); null if everything was read. */
  readonly since: string | null;
}

/**
 * Rows changed this long before the checkpoint are checked again: their times come from the process that wrote
 * them, which may have begun earlier and have another clock.
 */
const MARGIN_MS = 24 * 60 * 60_000;

/**
 * Verifies the ledger like {@link verifyLedger}, but only what was added or changed since the last run without a
 * discrepancy. A run without one leaves a checkpoint: the number of the last movement, and the sums of all
 * movements up to it. Concurrent runs wait for each other.
 *
 * @param isFull reads everything, and compares the sums before the checkpoint with the stored ones.
 */
export async function verifySinceCheckpoint(em: Em, now: Date, isFull: boolean): Promise<CheckedReport> {
  const settled = await settledNumber(em);
  return em.transactional(async (tx) => {
    // The first statement, which takes no snapshot: later ones see what another run has written.
    await tx.execute('lock table ledger_checkpoints in share row exclusive mode');
    const last = await lastCheckpoint(tx);
    return last === null || isFull || !last.knowsAccounts
      ? verifyAll(tx, last, settled, now)
      : verifyMore(tx, last, settled, now);
  }, AT_ONE_INSTANT);
}

interface Checkpoint {
  /** Of the last movement before it. */
  readonly number: bigint;
  readonly at: Date;
  /** Whether it has sums per account. A checkpoint of the previous release has none. */
  readonly knowsAccounts: boolean;
}

async function verifyAll(
  tx: Em,
  last: Checkpoint | null,
  settled: bigint,
  now: Date,
): Promise<CheckedReport> {
  const report = await verifyBooks(tx, WHOLE_BOOKS, { storeId: null });
  const discrepancies = [...report.discrepancies];
  const after = `${last?.number}`;
  if (last !== null) discrepancies.push(...(await discrepanciesOf(tx, BEFORE_CHECKPOINT, { after })));
  if (last?.knowsAccounts)
    discrepancies.push(...(await discrepanciesOf(tx, ACCOUNTS_BEFORE_CHECKPOINT, { after })));
  if (discrepancies.length === 0) {
    const upTo = later(last, settled);
    await tx.execute(CHECKPOINT_OF_ALL, { upTo, now });
    await tx.execute(ACCOUNTS_OF_ALL, { upTo });
  }
  return { ...report, discrepancies, since: null };
}

async function verifyMore(tx: Em, last: Checkpoint, settled: bigint, now: Date): Promise<CheckedReport> {
  const since = new Date(last.at.getTime() - MARGIN_MS);
  const after = `${last.number}`;
  const books = { storeId: null, after, since, sincePaymentId: firstIdAt('payment', since) };
  const report = await verifyBooks(tx, BOOKS_SINCE, books);
  if (report.discrepancies.length === 0) {
    const upTo = later(last, settled);
    await tx.execute(CHECKPOINT_OF_MORE, { upTo, now, after });
    await tx.execute(ACCOUNTS_OF_MORE, { upTo, after });
  }
  return { ...report, since: last.at.toISOString() };
}

/** A checkpoint never moves back: another run may have been faster. */
function later(last: Checkpoint | null, settled: bigint): string {
  return `${last !== null && last.number > settled ? last.number : settled}`;
}

/** It is the same of every store. */
async function lastCheckpoint(tx: Em): Promise<Checkpoint | null> {
  const [row] = await tx.execute<{ number: string; at: string | Date; knows_accounts: boolean }[]>(
    `select up_to_number::text as number, verified_at as at, not exists (
       select from ledger_checkpoints store left join clearing_checkpoints account using (store_id, dev_mode)
       where account.up_to_number is distinct from store.up_to_number
     ) as knows_accounts
     from ledger_checkpoints limit 1`,
  );
  if (row === undefined) return null;
  return { number: BigInt(row.number), at: new Date(row.at), knowsAccounts: row.knows_accounts };
}

const SUMMED = ['movements', ...AMOUNT_COLUMN_NAMES];
const COLUMNS = SUMMED.join(', ');

const SUMS_OF = (rows: string) => `
  insert into ledger_checkpoints (store_id, dev_mode, up_to_number, ${COLUMNS}, verified_at)
  select store_id, dev_mode, :upTo::bigint, ${SUMMED.map((column) => `sum(${column})`).join(', ')}, :now::timestamptz
  from (${rows}) each group by store_id, dev_mode
  on conflict (store_id, dev_mode) do update set up_to_number = excluded.up_to_number, verified_at = excluded.verified_at,
    ${SUMMED.map((column) => `${column} = excluded.${column}`).join(', ')}`;

const MOVEMENT = `select store_id, dev_mode, 1 as movements, ${AMOUNT_COLUMNS} from ledger_movements`;

/** Movements without a number are older than numbers are. */
const CHECKPOINT_OF_ALL = SUMS_OF(`${MOVEMENT} where number is null or number <= :upTo::bigint`);

const CHECKPOINT_OF_MORE = SUMS_OF(`
  select store_id, dev_mode, ${COLUMNS} from ledger_checkpoints
  union all ${MOVEMENT} where number > :after::bigint and number <= :upTo::bigint`);

const ACCOUNTS_UP_TO = (rows: string) => `
  insert into clearing_checkpoints (store_id, dev_mode, provider, up_to_number, clearing_cents, available_cents,
    sub_accounts_cents)
  select store_id, dev_mode, provider, :upTo::bigint, sum(clearing_cents), sum(available_cents), sum(sub_accounts_cents)
  from (${rows}) each group by store_id, dev_mode, provider
  on conflict (store_id, dev_mode, provider) do update set up_to_number = excluded.up_to_number,
    clearing_cents = excluded.clearing_cents, available_cents = excluded.available_cents,
    sub_accounts_cents = excluded.sub_accounts_cents`;

const MOVEMENTS_BY_ACCOUNT = `select store_id, dev_mode, provider, ${ACCOUNT_SUMS} from ledger_movements`;
const BY_ACCOUNT = 'group by store_id, dev_mode, provider';

const ACCOUNTS_OF_ALL = ACCOUNTS_UP_TO(
  `${MOVEMENTS_BY_ACCOUNT} where number is null or number <= :upTo::bigint ${BY_ACCOUNT}`,
);

const ACCOUNTS_OF_MORE = ACCOUNTS_UP_TO(`
  select store_id, dev_mode, provider, clearing_cents, available_cents, sub_accounts_cents from clearing_checkpoints
  union all ${MOVEMENTS_BY_ACCOUNT} where number > :after::bigint and number <= :upTo::bigint ${BY_ACCOUNT}`);

/** Every writer of movements holds this lock, from before its first number until the commit. */
const WRITERS = `
  select virtualtransaction as writer from pg_locks
  where locktype = 'relation' and relation = 'ledger_movements'::regclass and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`;

const LOOK_EVERY_MS = 50;

/**
 * The highest number up to which all movements are committed or rolled back. Numbers are assigned before the
 * commit, so the lower of two may be committed later. So this waits for the transactions that write movements at
 * this moment, while new ones continue, as Postgres does when it builds an index concurrently. They are the
 * service's own and take seconds at most.
 */
async function settledNumber(em: Em): Promise<bigint> {
  const [row] = await em.execute<{ number: string }[]>(
    `select case when is_called then last_value else 0 end::text as number from ledger_movements_number`,
  );
  let waited = await writersAmong(em, null);
  while (waited.length > 0) {
    await sleep(LOOK_EVERY_MS);
    waited = await writersAmong(em, waited);
  }
  return BigInt(row?.number ?? 0);
}

async function writersAmong(em: Em, known: readonly string[] | null): Promise<string[]> {
  const rows = await em.execute<{ writer: string }[]>(WRITERS);
  const writers = rows.map(({ writer }) => writer);
  return known === null ? writers : writers.filter((writer) => known.includes(writer));
}
