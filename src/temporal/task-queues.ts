import { DEBIT_WORKFLOW } from '../../workflows/debit.contract.ts';
import { SUBSCRIPTION_WORKFLOW } from '../../workflows/subscription.contract.ts';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { WEBHOOK_RESEND_WORKFLOW } from '../../workflows/webhook-resend.contract.ts';

/**
 * Kinds of work with separate slots, so that none can starve another: money that moves now, billing of
 * subscriptions, webhooks, and dev environments.
 */
export const QUEUE_NAMES = ['payments', 'billing', 'deliveries', 'dev'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** The task queue of each kind; a single name if one worker does everything, as in tests. */
export type TaskQueues = string | Readonly<Record<QueueName, string>>;

/**
 * The task queues of an installation. The queue of payments has the plain name: it was once the only queue, and old
 * runs are still in it.
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
  [DEBIT_WORKFLOW]: 'billing',
  [WEBHOOK_DELIVERY_WORKFLOW]: 'deliveries',
  [WEBHOOK_RESEND_WORKFLOW]: 'deliveries',
};

/** What decides the task queue of a run. */
export interface Queued {
  readonly workflowType: string;
  readonly devMode: boolean;
}

/**
 * The task queue of a new run; a run never changes its queue. Webhooks of dev environments share the queue of
 * production: each endpoint already has its own share there (src/webhooks/endpoint-queues.ts).
 */
export function taskQueueOf(queues: TaskQueues, { workflowType, devMode }: Queued): string {
  const name = QUEUE_OF_TYPE[workflowType] ?? 'payments';
  return taskQueueFor(queues, devMode && name !== 'deliveries' ? 'dev' : name);
}
