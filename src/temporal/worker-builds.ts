import { type Client, isGrpcServiceError } from '@temporalio/client';
import { QUEUE_NAMES, type QueueName, taskQueuesOf } from './task-queues.ts';

// Temporal calls a build a version of a worker deployment. The deployment has the name of payments' task queue, and
// all three queues are of it (docs/decisions/0033).

/** A worker asks for tasks once a minute, or more often; the server remembers who asked for five. */
const POLLED_WITHIN_MS = 2 * 60_000;

/** Its number for the kind of task queue that workflow tasks wait in. */
const WORKFLOW_TASKS = 1;

/** gRPC's code of what the server does not know. */
const NOT_FOUND = 5;

/** What becomes of the tasks of runs: `PAST` builds had them once, `NEW` ones never yet. */
export type BuildState = 'CURRENT' | 'RAMPING' | 'PAST' | 'NEW';

export interface WorkerBuild {
  readonly buildId: string;
  readonly state: BuildState;
  /** The share of runs, where it is ramping: 0 to 100. */
  readonly percent: number | null;
  /** Open runs that somebody has pinned to it: only its workers can end them. */
  readonly pinnedRuns: number;
  /** Open runs whose last task was done by it. Their next one goes to the current build. */
  readonly otherRuns: number;
  /** Whether nothing needs its workers any more. */
  readonly mayStop: boolean;
}

/** The builds that the server knows, newest first. @throws where it is out of reach. */
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

/** Null where no worker of it has been started. */
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
 * Has all runs go on with one build, and new ones begin with it; null for workers that have no build id. Runs that
 * are pinned stay where they are.
 * @throws where a kind of work would be left without workers, or the server refuses.
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
 * Has a part of all runs go on with one build. Which ones, their ids decide: a run stays there while the part does
 * not get smaller.
 * @param percent 0 to 100; 0 takes it back.
 * @throws as {@link makeCurrent}.
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

/** The server takes a build whose workers are gone, or do only some of the work; runs would wait for ever. */
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
