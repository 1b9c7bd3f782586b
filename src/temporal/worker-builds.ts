import { type Client, isGrpcServiceError } from '@temporalio/client';
import { QUEUE_NAMES, type QueueName, taskQueuesOf } from './task-queues.ts';

// Temporal calls a build a version of a worker deployment. The deployment has the name of the payments queue and
// contains all queues (docs/decisions/0018).

/** A worker polls at least once a minute; the server remembers pollers for five. */
const POLLED_WITHIN_MS = 2 * 60_000;

/** The server's number for the kind of task queue that holds workflow tasks. */
const WORKFLOW_TASKS = 1;

/** gRPC's code for something that the server does not know. */
const NOT_FOUND = 5;

/** The role of a build: `PAST` builds had the runs once, `NEW` ones never yet. */
export type BuildState = 'CURRENT' | 'RAMPING' | 'PAST' | 'NEW';

export interface WorkerBuild {
  readonly buildId: string;
  readonly state: BuildState;
  /** The percentage of runs while ramping: 0 to 100. */
  readonly percent: number | null;
  /** Open runs that were pinned to it: only its workers can end them. */
  readonly pinnedRuns: number;
  /** Open runs whose last task it handled. Their next task goes to the current build. */
  readonly otherRuns: number;
  /** Whether its workers are no longer needed. */
  readonly mayStop: boolean;
}

/** The builds that the server knows, newest first. @throws if it is unavailable. */
export async function listBuilds(client: Client, deploymentName: string): Promise<WorkerBuild[]> {
  const { routingConfig, versionSummaries } = (await deploymentOf(client, deploymentName)) ?? {};
  const current = routingConfig?.currentDeploymentVersion?.buildId;
  const ramping = routingConfig?.rampingDeploymentVersion?.buildId;
  const builds = (versionSummaries ?? []).map(async ({ deploymentVersion, firstActivationTime }) => {
    const buildId = deploymentVersion?.buildId ?? '';
    const idle = firstActivationTime ? 'PAST' : 'NEW';
    const state: BuildState = buildId === current ? 'CURRENT' : buildId === ramping ? 'RAMPING' : idle;
    const isLast = `TemporalWorkerDeploymentVersion = '${deploymentName}:${buildId}' AND ExecutionStatus = 'Running'`;
    const isPinned = `TemporalWorkflowVersioningBehavior = 'Pinned'`;
    const [pinned, all] = await Promise.all([
      client.workflow.count(`${isLast} AND ${isPinned}`),
      client.workflow.count(isLast),
    ]);
    return {
      buildId,
      state,
      percent: state === 'RAMPING' ? (routingConfig?.rampingVersionPercentage ?? 0) : null,
      pinnedRuns: pinned.count,
      otherRuns: all.count - pinned.count,
      mayStop: state === 'PAST' && pinned.count === 0,
    };
  });
  return Promise.all(builds);
}

/** Null if no worker of it was ever started. */
async function deploymentOf(client: Client, deploymentName: string) {
  const { namespace } = client.options;
  try {
    const known = await client.workflowService.describeWorkerDeployment({ namespace, deploymentName });
    return known.workerDeploymentInfo ?? null;
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return null;
    throw error;
  }
}

/**
 * Makes one build handle all runs and new ones; null for workers without a build id. Pinned runs stay where they
 * are.
 * @throws if a kind of work would have no workers, or the server refuses.
 */
export async function makeCurrent(
  client: Client,
  deploymentName: string,
  buildId: string | null,
): Promise<void> {
  await requireWorkers(client, deploymentName, buildId);
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: client.options.namespace,
    identity: client.options.identity,
    deploymentName,
    buildId: buildId ?? '',
  });
}

/**
 * Moves a percentage of all runs to one build. The run's id decides: a run stays there until the percentage
 * shrinks.
 * @param percent 0 to 100; 0 undoes it.
 * @throws like {@link makeCurrent}.
 */
export async function ramp(
  client: Client,
  deploymentName: string,
  buildId: string,
  percent: number,
): Promise<void> {
  if (percent > 0) await requireWorkers(client, deploymentName, buildId);
  await client.workflowService.setWorkerDeploymentRampingVersion({
    namespace: client.options.namespace,
    identity: client.options.identity,
    deploymentName,
    buildId: percent > 0 ? buildId : '',
    percentage: percent,
  });
}

/** The server accepts a build whose workers are gone or do only part of the work; runs would then wait for ever. */
async function requireWorkers(client: Client, deploymentName: string, buildId: string | null): Promise<void> {
  const queues = taskQueuesOf(deploymentName);
  const without: QueueName[] = [];
  for (const name of QUEUE_NAMES) if (!(await isPolled(client, queues[name], buildId))) without.push(name);
  if (without.length === 0) return;
  const which = buildId === null ? 'No worker without a build id' : `No worker of build ${buildId}`;
  throw new Error(`${which} does ${without.join(', ')} yet: start one, and ask again`);
}

async function isPolled(client: Client, taskQueue: string, buildId: string | null): Promise<boolean> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASKS,
  });
  const sinceSeconds = (Date.now() - POLLED_WITHIN_MS) / 1_000;
  return (pollers ?? []).some(
    ({ lastAccessTime, deploymentOptions }) =>
      Number(lastAccessTime?.seconds ?? 0) >= sinceSeconds &&
      (deploymentOptions?.buildId || null) === buildId,
  );
}
