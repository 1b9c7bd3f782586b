import { beforeAll, describe, expect, it } from '@jest/globals';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { CHARGE_WORKFLOW } from '../../workflows/charge.contract.ts';
import { CHECKOUT_WORKFLOW } from '../../workflows/checkout.contract.ts';
import { PAYOUT_WORKFLOW } from '../../workflows/payout.contract.ts';
import { SETTLEMENT_WORKFLOW } from '../../workflows/settlement.contract.ts';
import { SUBSCRIPTION_WORKFLOW } from '../../workflows/subscription.contract.ts';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { bundleWorkflows } from '../support/lives/workflow-bundle.ts';
import { silenceTemporal } from '../support/servers/silent-temporal.ts';
import { keptHistories, readHistory } from './histories.ts';
import { SCENARIOS } from './scenarios.ts';

// A charge lives for up to a year, so runs that an older release began are finished by a newer one. Each kept
// history is such a run: where it no longer replays, deploying would break charges in flight. The workflow is
// then to be changed with `patched()` (docs of @temporalio/workflow); the history is not to be recorded
// again.

const NAMES = keptHistories();

let current: WorkflowBundleWithSourceMap;
let changed: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  silenceTemporal();
  current = await bundleWorkflows();
  changed = await bundleWorkflows(new URL('changed-workflows.ts', import.meta.url));
});

function replay(name: string, workflowBundle: WorkflowBundleWithSourceMap): Promise<void> {
  return Worker.runReplayHistory({ workflowBundle }, readHistory(name));
}

describe('the workflows of today', () => {
  it.each(NAMES)('finish a run that was recorded as %s', async (name) => {
    await replay(name, current);
  });

  it.each([
    CHARGE_WORKFLOW,
    CHECKOUT_WORKFLOW,
    PAYOUT_WORKFLOW,
    SETTLEMENT_WORKFLOW,
    SUBSCRIPTION_WORKFLOW,
    WEBHOOK_DELIVERY_WORKFLOW,
  ])('have at least three kept histories of %s', (type) => {
    const histories = NAMES.map(readHistory);
    const types = histories.map(
      ({ events }) => events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    expect(types.filter((each) => each === type).length).toBeGreaterThanOrEqual(3);
  });

  it('have a kept history of every scenario', () => {
    expect(new Set(NAMES)).toEqual(new Set(SCENARIOS.map(({ name }) => name)));
  });
});

it('with traces on, the workflows of today finish every run that was begun without', async () => {
  const interceptor = new URL('../../workflows/trace-context.ts', import.meta.url);
  const traced = await bundleWorkflows(undefined, [interceptor]);
  for (const name of NAMES) await replay(name, traced);
});

describe('workflows that were changed carelessly', () => {
  it.each(NAMES)('do not finish a run that was recorded as %s', async (name) => {
    await expect(replay(name, changed)).rejects.toThrow(DeterminismViolationError);
  });
});
