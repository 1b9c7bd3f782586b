import { beforeAll, describe, expect, it } from '@jest/globals';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { CHARGE_WORKFLOW } from '../../workflows/charge.contract.ts';
import { CHECKOUT_WORKFLOW } from '../../workflows/checkout.contract.ts';
import { PAYOUT_WORKFLOW } from '../../workflows/payout.contract.ts';
import { SETTLEMENT_WORKFLOW } from '../../workflows/settlement.contract.ts';
import { SUBSCRIPTION_WORKFLOW } from '../../workflows/subscription.contract.ts';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { bundleWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { silenceTemporal } from '../support/servers/silent-temporal.ts';
import { keptHistories, readHistory } from './histories.ts';
import { SCENARIOS } from './scenarios.ts';

// A charge lives for up to a year, so runs that an older release began are finished by a newer one. Each kept
// history is such a run: where it no longer replays, deploying would break charges in flight. The workflow is
// then to be changed with `patched()` (CONTRIBUTING.md); the history is not to be recorded again.

const NAMES = keptHistories();

/** Why a run of this name was not finished; undefined for one that was. */
type Failures = ReadonlyMap<string, Error | undefined>;

let current: Failures;
let changed: Failures;

beforeAll(async () => {
  silenceTemporal();
  current = await replayAll(await bundleWorkflows());
  changed = await replayAll(await bundleWorkflows(new URL('changed-workflows.ts', import.meta.url)));
});

/** Replays every kept history, one after the other, on one worker: each of its own would compile the workflows again. */
async function replayAll(workflowBundle: WorkflowBundleWithSourceMap): Promise<Failures> {
  const histories = NAMES.map((name) => ({ workflowId: name, history: readHistory(name) }));
  const failures = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
    failures.set(workflowId, error);
  return failures;
}

describe('the workflows of today', () => {
  it.each(NAMES)('finish a run that was recorded as %s', (name) => {
    expect([...current.keys()]).toContain(name);
    expect(current.get(name)).toBeUndefined();
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
  const interceptor = new URL('../../workflows/lib/trace-context.ts', import.meta.url);
  const traced = await bundleWorkflows(undefined, [interceptor]);
  expect([...(await replayAll(traced))]).toEqual(NAMES.map((name) => [name, undefined]));
});

describe('workflows that were changed carelessly', () => {
  it.each(NAMES)('do not finish a run that was recorded as %s', (name) => {
    expect(changed.get(name)).toBeInstanceOf(DeterminismViolationError);
  });
});
