import { describe, expect, it } from '@jest/globals';
import { taskQueueOf, taskQueuesOf } from '../../src/temporal/task-queues.ts';

const queues = taskQueuesOf('recebe');
const queueOf = (workflowType: string, devMode: boolean) => taskQueueOf(queues, { workflowType, devMode });

describe('the task queue of a run', () => {
  it.each(['charge', 'checkout', 'subscription', 'payout', 'settlement', 'storeClock'])(
    'keeps a %s of a dev environment away from production',
    (workflowType) => {
      expect(queueOf(workflowType, true)).toBe('recebe-dev');
    },
  );

  it('keeps payments, billing and deliveries of production apart', () => {
    expect(queueOf('charge', false)).toBe('recebe');
    expect(queueOf('subscription', false)).toBe('recebe-billing');
    expect(queueOf('webhookDelivery', false)).toBe('recebe-deliveries');
  });

  it('sends webhooks of dev environments beside those of production', () => {
    expect(queueOf('webhookDelivery', true)).toBe('recebe-deliveries');
  });
});
