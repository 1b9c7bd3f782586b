import { expect } from '@jest/globals';
import type { Database } from '../../../src/database/orm.ts';
import { eventually } from './eventually.ts';

/**
 * Locks that a test holds in a transaction of its own. Whoever of the service needs one of them stops there,
 * and goes no further.
 */
export interface Hold extends AsyncDisposable {
  /** Lets everybody go on. */
  release(): Promise<void>;
}

/**
 * Takes locks, as the statement does, until they are released. What must happen in the middle of something is
 * so held there.
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
 * {@link hold} of rows by their ids, against whoever changes or locks them; new rows may still refer to them.
 */
export function holdRows(database: Database, table: string, ids: readonly string[]): Promise<Hold> {
  return hold(database, `select 1 from ${table} where id = any (?) for no key update`, [
    `{${ids.join(',')}}`,
  ]);
}

const WAITING = "datname = current_database() and wait_event_type = 'Lock'";

/** Resolves once so many connections of this database, or more, wait for a lock. */
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
