import type { Client } from '@temporalio/client';
import type { Registry } from 'prom-client';
import { QUEUE_NAMES, type TaskQueues, taskQueueFor } from '../../temporal/task-queues.ts';
import { gauge } from './figures.ts';

/** Numbered as in the server's API. */
const TASK_KINDS = [
  { tasks: 'workflow', taskQueueType: 1 },
  { tasks: 'activity', taskQueueType: 2 },
] as const;

/** A server that does not answer must not delay the other metrics. */
const DEADLINE_MS = 3_000;

/**
 * The backlog of the task queues, as the server counts it.
 * @throws if Temporal is unreachable.
 */
export async function readTaskQueueFigures(
  registry: Registry,
  client: Client,
  queues: TaskQueues,
): Promise<void> {
  const kinds = QUEUE_NAMES.flatMap((queue) => TASK_KINDS.map((kind) => ({ queue, ...kind })));
  const answers = await client.withDeadline(Date.now() + DEADLINE_MS, () =>
    Promise.all(
      kinds.map(async ({ queue, tasks, taskQueueType }) => {
        const { stats } = await client.workflowService.describeTaskQueue({
          namespace: client.options.namespace,
          taskQueue: { name: taskQueueFor(queues, queue) },
          taskQueueType,
          reportStats: true,
        });
        return { labels: { queue, tasks }, stats };
      }),
    ),
  );
  gauge(
    registry,
    'task_queue_backlog',
    'Approximate number of tasks that wait for a worker.',
    answers.map(({ labels, stats }) => ({ labels, value: Number(stats?.approximateBacklogCount ?? 0) })),
  );
  gauge(
    registry,
    'task_queue_backlog_age_seconds',
    'Age of the oldest waiting task.',
    answers.map(({ labels, stats }) => ({ labels, value: secondsOf(stats?.approximateBacklogAge) })),
  );
}

function secondsOf(
  duration: { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined,
) {
  return Number(duration?.seconds ?? 0) + (duration?.nanos ?? 0) / 1e9;
}
