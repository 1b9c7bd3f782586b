import type { Client } from '@temporalio/client';
import type { Registry } from 'prom-client';
import { QUEUE_NAMES, type TaskQueues, taskQueueFor } from '../../temporal/task-queues.ts';
import { gauge } from './figures.ts';

/** As the server numbers them. */
const TASK_KINDS = [
  { tasks: 'workflow', taskQueueType: 1 },
  { tasks: 'activity', taskQueueType: 2 },
] as const;

/** A server that does not answer holds up nobody who asks for metrics. */
const DEADLINE_MS = 3_000;

/**
 * What waits in the task queues for workers, as the server counts it.
 * @throws where Temporal is away.
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
    'Tasks that wait for a worker, about.',
    answers.map(({ labels, stats }) => ({ labels, value: Number(stats?.approximateBacklogCount ?? 0) })),
  );
  gauge(
    registry,
    'task_queue_backlog_age_seconds',
    'How long the oldest of them has waited.',
    answers.map(({ labels, stats }) => ({ labels, value: secondsOf(stats?.approximateBacklogAge) })),
  );
}

function secondsOf(
  duration: { readonly seconds?: unknown; readonly nanos?: number | null } | null | undefined,
) {
  return Number(duration?.seconds ?? 0) + (duration?.nanos ?? 0) / 1e9;
}
