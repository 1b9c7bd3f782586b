import { expect } from '@jest/globals';
import type { Database } from '../../../src/database/orm.ts';
import { eventually } from './eventually.ts';

/**
 * Locks that a test holds in a transaction of its own. The service blocks where it needs one of them.
 */
export interface Hold extends AsyncDisposable {
  /** Releases the locks, so that blocked transactions continue. */
  release(): Promise<void>;
}

/**
 * Takes the locks of the statement until they are released. This stops the service in the middle of an
 * operation.
 */
export async function hold(
  database: Database,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Hold> {
  // Not `transactional`: what is awaited inside would join the transaction.
  const holder = database.em.fork();
  await holder.begin();
  await holder.execute(statement, [...values]);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await holder.rollback();
  };
  return { release, [Symbol.asyncDispose]: release };
}

/**
 * {@link hold} of rows by their ids, against changes and locks. New rows may still refer to them.
 */
export function holdRows(database: Database, table: string, ids: readonly string[]): Promise<Hold> {
  return hold(database, `select 1 from ${table} where id = any (?) for no key update`, [
    `{${ids.join(',')}}`,
  ]);
}

const WAITING = "datname = current_database() and wait_event_type = 'Lock'";

/** Resolves once at least this many connections of the database wait for a lock. */
export async function untilWaiting(database: Database, count: number, timeoutMs?: number): Promise<void> {
  await eventually(async () => {
    const em = database.em.fork();
    const waiting = await em.execute<unknown[]>(`select 1 from pg_stat_activity where ${WAITING}`);
    expect(waiting.length).toBeGreaterThanOrEqual(count);
  }, timeoutMs);
}

/**
 * Ends connections that wait for a lock, with what they have not committed, as when their machine dies. A
 * statement whose process alone was killed is carried out, and committed where it is a transaction of its
 * own, once its lock is free.
 * @param limit how many; default: all of them.
 */
export async function cutWaiting(database: Database, limit: number | null = null): Promise<void> {
  await database.em
    .fork()
    .execute(
      `select pg_terminate_backend(pid) from (select pid from pg_stat_activity where ${WAITING} limit ?) as waiting`,
      [limit],
    );
}

/**
 * Ends the connections that wait to insert into a table, once there is one. Others may wait for the same lock, as a worker
 * that notes what it has started.
 */
export async function cutInsert(database: Database, table: string): Promise<void> {
  await eventually(async () => {
    const cut = await database.em
      .fork()
      .execute<unknown[]>(
        `select pg_terminate_backend(pid) from pg_stat_activity where ${WAITING} and query ~* ?`,
        [`^\\s*insert into "?${table}\\M`],
      );
    expect(cut).not.toEqual([]);
  });
}
