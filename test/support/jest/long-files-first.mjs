import { createRequire } from 'node:module';
import { relative, sep } from 'node:path';

// It comes with jest, whose own sequencer it is, and whose version it has to be.
const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const { default: Sequencer } = createRequire(jest.resolve('@jest/core'))('@jest/test-sequencer');

/**
 * Test files that take tens of seconds, longest first. Jest would guess by file size, which says little.
 */
export const LONG_TESTS = [
  'test/faults/worker-killed.test.ts',
  'test/faults/worker-away.test.ts',
  'test/faults/worker-alive.test.ts',
  'test/workflows/repeated-after-restore.test.ts',
  'test/journey/hosted-checkout.test.ts',
  'test/journey/npm-start-killed.test.ts',
  'test/journey/several-workers.test.ts',
  'test/pages/checkout-accessibility.test.ts',
  'test/journey/worker-crash.test.ts',
  'test/journey/clock-crash.test.ts',
  'test/journey/npm-start.test.ts',
  'test/dashboard/views-browser.test.ts',
  'test/workflows/clock-scenarios.test.ts',
  'test/journey/subscription-crash.test.ts',
  'test/journey/temporal-outage.test.ts',
  'test/journey/npm-run-dev.test.ts',
  'test/workflows/outages/declined-cycle.test.ts',
  'test/model/money.test.ts',
  'test/cli/ledger.test.ts',
  'test/workflows/subscription-continued.test.ts',
  'test/api/refunds.test.ts',
  'test/api/clock.test.ts',
  'test/journey/queues.test.ts',
  'test/journey/checkout.test.ts',
  'test/workflows/checkout-races.test.ts',
  'test/journey/builds.test.ts',
  'test/replay/replay.test.ts',
  'test/workflows/expiry-race.test.ts',
  'test/workflows/subscription-races.test.ts',
  'test/workflows/rebuilt-workflows.test.ts',
  'test/workflows/reversal-races.test.ts',
  'test/journey/events.test.ts',
];

/**
 * Starts with the longest files, so that no worker still runs one when the others are done. Jest does this by itself once
 * it has recorded how long each file takes; on the first run of a machine it has no record.
 */
export default class LongFilesFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const index = LONG_TESTS.indexOf(relative(context.config.rootDir, path).split(sep).join('/'));
      return index === -1 ? LONG_TESTS.length : index;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
