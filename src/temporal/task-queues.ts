import { SUBSCRIPTION_WORKFLOW } from '../../workflows/subscription.contract.ts';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { WEBHOOK_RESEND_WORKFLOW } from '../../workflows/webhook-resend.contract.ts';

/**
 * Kinds of work with slots of their own, so that none can take those of another: money that moves now,
 * subscriptions that are billed, webhooks that are sent, and what dev environments do.
 */
export const QUEUE_NAMES = ['payments', 'billing', 'deliveries', 'dev'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Temporal's name of each kind's task queue; one name where a single worker does everything, as in tests. */
export type TaskQueues = string | Readonly<Record<QueueName, string>>;

/**
 * The task queues of an installation. That of payments has its name alone: it was once the only one, and runs
 * of those days are still in it.
 */
export function taskQueuesOf(name: string): Readonly<Record<QueueName, string>> {
  return {
    payments: name,
    billing: `${name}-billing`,
    deliveries: `${name}-deliveries`,
    dev: `${name}-dev`,
  };
}

/** The task queue of one kind of work. */
export function taskQueueFor(queues: TaskQueues, name: QueueName): string {
  return typeof queues === 'string' ? queues : queues[name];
}

const QUEUE_OF_TYPE: Readonly<Record<string, QueueName>> = {
  [SUBSCRIPTION_WORKFLOW]: 'billing',
  [WEBHOOK_DELIVERY_WORKFLOW]: 'deliveries',
  [WEBHOOK_RESEND_WORKFLOW]: 'deliveries',
};

/** What decides where a run is started. */
export interface Queued {
  readonly workflowType: string;
  readonly devMode: boolean;
}

/**
 * Where a run is started; nothing moves one that has been. Webhooks of dev environments go out as those of
 * production do: each endpoint has its share there already (activities/deliveries/endpoint-queues.ts).
 */
export function taskQueueOf(queues: TaskQueues, { workflowType, devMode }: Queued): string {
  const name = QUEUE_OF_TYPE[workflowType] ?? 'payments';
  return taskQueueFor(queues, devMode && name !== 'deliveries' ? 'dev' : name);
}
