import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { CHARGE_WORKFLOW } from '../../workflows/charge.contract.ts';
import { CHECKOUT_WORKFLOW } from '../../workflows/checkout.contract.ts';
import { PAYOUT_WORKFLOW } from '../../workflows/payout.contract.ts';
import type { Moment } from '../../workflows/store-clock.contract.ts';
import { SUBSCRIPTION_WORKFLOW } from '../../workflows/subscription.contract.ts';
import type { WorkOwner } from './clock-scheduler.ts';

/** Runs whose activities name their owner in `moment()`. Nobody waits for scheduled work. */
const TYPES: ReadonlySet<string> = new Set([
  CHARGE_WORKFLOW,
  CHECKOUT_WORKFLOW,
  PAYOUT_WORKFLOW,
  SUBSCRIPTION_WORKFLOW,
]);

/** Records whose work this worker does, so that clocks of dev environments yield to it. */
export function noteWork(note: (owner: WorkOwner) => void): ActivityInterceptorsFactory {
  return ({ info: { workflowType } }) => ({
    inbound: {
      execute(input, next) {
        if (TYPES.has(workflowType ?? '')) note(ownerOf(input.args[0]));
        return next(input);
      },
    },
  });
}

function ownerOf(argument: unknown): WorkOwner {
  return (argument as Partial<Moment> | undefined)?.devStoreId ?? 'production';
}
