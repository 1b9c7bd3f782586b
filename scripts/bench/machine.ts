import { readFileSync, statfsSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Client } from '@temporalio/client';
import type { Database } from '../../src/database/orm.ts';

/** Linux' f_type of a file system in memory (linux/magic.h), where writes "to disk" cost nothing. */
const TMPFS = 0x01021994;

/** Facts about the machine that influence figures. */
export interface Machine {
  readonly date: string;
  readonly system: string;
  readonly processor: string;
  readonly memoryGiB: number;
  readonly node: string;
  readonly postgres: string;
  readonly temporalServer: string;
  readonly temporalSdk: string;
  readonly mikroOrm: string;
  /** One-minute load before the bench began: above 0.5, others were using the machine. */
  readonly loadBefore: number;
  /** True if the data is in memory, so that the figures exclude a disk. */
  readonly dataInMemory: boolean;
}

export async function machineFacts(
  database: Database,
  temporal: Client,
  folder: string,
  loadBefore: number,
): Promise<Machine> {
  const [row] = await database.em.fork().execute<{ server_version: string }[]>('show server_version');
  const { serverVersion } = await temporal.workflowService.getSystemInfo({});
  const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const cores = cpus();
  return {
    date: new Date().toISOString(),
    system: `${type()} ${release()}`,
    processor: `${cores.length} × ${cores[0]?.model ?? 'unknown'}`,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: row?.server_version ?? 'unknown',
    temporalServer: serverVersion ?? 'unknown',
    temporalSdk: dependencies['@temporalio/worker'],
    mikroOrm: dependencies['@mikro-orm/core'],
    loadBefore,
    dataInMemory: statfsSync(folder).type === TMPFS,
  };
}

/** The current load of other processes on this machine, if the system reports it. */
export function loadNow(): number {
  return loadavg()[0] ?? 0;
}
