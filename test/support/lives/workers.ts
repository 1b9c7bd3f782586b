import { setTimeout as delay } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';

/**
 * Of a worker that keeps no runs in mind: the time-skipping server does not take back what it has put aside for a worker
 * that has died. A second task would then drive out the run of the first in the middle of its local activities, so it
 * has one at a time; and as runs wait for each other, there are several such workers.
 */
const WITHOUT_CACHE = {
  maxCachedWorkflows: 0,
  maxConcurrentWorkflowTaskExecutions: 1,
  maxConcurrentWorkflowTaskPolls: 1,
};
const WORKERS_WITHOUT_CACHE = 4;

/** Real time. A worker that ends may still take a task, which would be answered in the middle of the time that passes. */
const LAST_TASK_MS = 200;

/** All workers of a world, which end and are replaced together. */
export interface Workers {
  /** Whether none of them has anything under way. */
  isAtRest(): boolean;
  /** There is none while this happens; those that there were end what they are doing by then, and others come. */
  without(during: () => Promise<void>): Promise<void>;
  end(): Promise<void>;
}

/** @param areMortal set where {@link Workers.without} is used. */
export async function beginWorkers(
  environment: TestWorkflowEnvironment,
  options: WorkerOptions,
  areMortal: boolean,
): Promise<Workers> {
  const connections = areMortal ? await connectEach(environment.address) : [environment.nativeConnection];
  const begin = () =>
    Promise.all(
      connections.map(async (connection) => {
        const worker = await Worker.create({ ...options, connection, ...(areMortal && WITHOUT_CACHE) });
        return { worker, ended: worker.run() };
      }),
    );
  let working = await begin();
  const endAll = async (meanwhile: () => Promise<void>) => {
    for (const { worker } of working) worker.shutdown();
    await meanwhile();
    await Promise.all(working.map(({ ended }) => ended));
  };
  return {
    isAtRest: () => working.every(({ worker }) => isAtRest(worker)),
    async without(during) {
      await endAll(async () => {
        await delay(LAST_TASK_MS);
        await during();
      });
      working = await begin();
    },
    async end() {
      await endAll(async () => undefined);
      if (areMortal) await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

function isAtRest(worker: Worker): boolean {
  const { numInFlightActivities, numInFlightWorkflowActivations } = worker.getStatus();
  return numInFlightActivities === 0 && numInFlightWorkflowActivations === 0;
}

/** On a connection a task queue may have one worker. */
function connectEach(address: string): Promise<NativeConnection[]> {
  const connect = () => NativeConnection.connect({ address });
  return Promise.all(Array.from({ length: WORKERS_WITHOUT_CACHE }, connect));
}
