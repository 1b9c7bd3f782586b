import { beforeAll, describe, expect, it } from '@jest/globals';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { CHARGE_WORKFLOW } from '../../workflows/charge.contract.ts';
import { CHECKOUT_WORKFLOW } from '../../workflows/checkout.contract.ts';
import { DEBIT_WORKFLOW } from '../../workflows/debit.contract.ts';
import { PAYOUT_WORKFLOW } from '../../workflows/payout.contract.ts';
import { SETTLEMENT_WORKFLOW } from '../../workflows/settlement.contract.ts';
import { SUBSCRIPTION_WORKFLOW } from '../../workflows/subscription.contract.ts';
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../workflows/webhook-delivery.contract.ts';
import { bundleWorkflows } from '../support/fixtures/workflow-bundle.ts';
import { silenceTemporal } from '../support/servers/silent-temporal.ts';
import { keptHistories, readHistory } from './histories.ts';
import { SCENARIOS } from './scenarios.ts';

// A charge is open for up to a year, so a newer release finishes runs that an older one started. Each kept history
// is such a run. If it no longer replays, a deployment would break charges in flight. Change the workflow with
// `patched()` (CONTRIBUTING.md) in that case, and do not record the history again.

const NAMES = keptHistories();

/** Why the run of each name did not finish, or undefined if it did. */
type Failures = ReadonlyMap<string, Error | undefined>;

let current: Failures;
let changed: Failures;

/** Two bundles and all histories twice: minutes on a busy machine. */
const REPLAYED_WITHIN_MS = 600_000;

beforeAll(async () => {
  silenceTemporal();
  current = await replayAll(await bundleWorkflows());
  changed = await replayAll(await bundleWorkflows(new URL('changed-workflows.ts', import.meta.url)));
}, REPLAYED_WITHIN_MS);

/** Replays all kept histories on one worker, because each further worker would compile the workflows again. */
async function replayAll(workflowBundle: WorkflowBundleWithSourceMap): Promise<Failures> {
  const histories = NAMES.map((name) => ({ workflowId: name, history: readHistory(name) }));
  const failures = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
    failures.set(workflowId, error);
  return failures;
}

describe('the current workflows', () => {
  it.each(NAMES)('finishes a run that was recorded as %s', (name) => {
    expect([...current.keys()]).toContain(name);
    expect(current.get(name)).toBeUndefined();
  });

  it.each([
    CHARGE_WORKFLOW,
    CHECKOUT_WORKFLOW,
    PAYOUT_WORKFLOW,
    SETTLEMENT_WORKFLOW,
    SUBSCRIPTION_WORKFLOW,
    DEBIT_WORKFLOW,
    WEBHOOK_DELIVERY_WORKFLOW,
  ])('keeps at least three histories of %s', (type) => {
    const histories = NAMES.map(readHistory);
    const types = histories.map(
      ({ events }) => events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
    );
    expect(types.filter((each) => each === type).length).toBeGreaterThanOrEqual(3);
  });

  it('keeps one history of each scenario', () => {
    expect(new Set(NAMES)).toEqual(new Set(SCENARIOS.map(({ name }) => name)));
  });
});

it(
  'finishes runs that started without traces after traces are turned on',
  async () => {
    const interceptor = new URL('../../workflows/lib/trace-context.ts', import.meta.url);
    const traced = await bundleWorkflows(undefined, [interceptor]);
    expect([...(await replayAll(traced))]).toEqual(NAMES.map((name) => [name, undefined]));
  },
  REPLAYED_WITHIN_MS,
);

describe('carelessly changed workflows', () => {
  it.each(NAMES)('fails with a determinism violation for the run that was recorded as %s', (name) => {
    expect(changed.get(name)).toBeInstanceOf(DeterminismViolationError);
  });
});
