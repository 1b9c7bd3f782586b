import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Database } from '../../src/database/orm.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { closedLoop } from './load.ts';

/** Concurrent inserts: more than the pool has connections, so that no connection is idle. */
const INSERTS_IN_FLIGHT = 64;

/** Rows like `charge` with new ids. They count as started, so that the sweeper ignores them. */
function copyOf(charge: Charge): Charge {
  const now = new Date();
  const id = mintId<ChargeId>('pixCharge', now);
  return {
    ...charge,
    id,
    providerReference: id.slice(-25),
    createdAt: now,
    updatedAt: now,
    workflowStartedAt: now,
  };
}

/** Charges inserted per second by MikroORM, one statement each, through a pool like the service's. */
export async function ormInserts(database: Database, charge: Charge, durationMs: number): Promise<number> {
  const load = await closedLoop(durationMs, INSERTS_IN_FLIGHT, async () => {
    await database.em.fork().insert(ChargeEntity, copyOf(charge));
  });
  return load.perSecond;
}

/** The part of `pg`'s pool that is used here. */
interface Queries {
  query(query: { name: string; text: string; values: unknown[] }): Promise<unknown>;
}

/** The same by the driver alone, with a statement that each connection prepares once. */
export async function pgInserts(database: Database, charge: Charge, durationMs: number): Promise<number> {
  const pool: Queries = await database.driver.getConnection().getNativeClient();
  const columns = Object.values(database.getMetadata().get(ChargeEntity).properties).map((property) => ({
    name: property.name as keyof Charge,
    column: property.fieldNames[0],
  }));
  const names = columns.map(({ column }) => column).join(', ');
  const text = `insert into charges (${names}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`;
  const load = await closedLoop(durationMs, INSERTS_IN_FLIGHT, async () => {
    const row = copyOf(charge);
    await pool.query({ name: 'bench-insert', text, values: columns.map(({ name }) => row[name]) });
  });
  return load.perSecond;
}

/** Do-nothing workflows started per second on a task queue without a worker. */
export async function rawStarts(temporal: Client, inFlight: number, durationMs: number): Promise<number> {
  const taskQueue = `bench-nobody-${randomUUID()}`;
  const load = await closedLoop(durationMs, inFlight, async () => {
    await temporal.workflow.start('nothing', { taskQueue, workflowId: `nothing/${randomUUID()}` });
  });
  return load.perSecond;
}

/** Do-nothing workflows run to completion per second, by a worker in another process. */
export async function completions(
  temporal: Client,
  taskQueue: string,
  inFlight: number,
  durationMs: number,
): Promise<number> {
  const load = await closedLoop(durationMs, inFlight, async () => {
    await temporal.workflow.execute('nothing', { taskQueue, workflowId: `nothing/${randomUUID()}` });
  });
  return load.perSecond;
}
