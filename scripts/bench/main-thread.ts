import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a thread that is at rest is watched. */
const REST_MS = 100;
/** Work that does not end by itself, such as a round that comes every minute, is not waited for. */
const LONGEST_WAIT_MS = 2_000;

/** The CPU time of a process' first thread, from the fields `utime` and `stime` of proc(5), in steps of 10 ms. Linux only. */
export function mainThreadMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Waits until the first thread has nothing left to do, so that work behind an answer counts for its own request. */
export async function mainThreadRest(pid: number): Promise<void> {
  const untilMs = performance.now() + LONGEST_WAIT_MS;
  let before: number;
  do {
    before = mainThreadMs(pid);
    await sleep(REST_MS);
  } while (mainThreadMs(pid) - before > REST_MS / 10 && performance.now() < untilMs);
}
