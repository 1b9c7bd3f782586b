import { createRequire } from 'node:module';
import { relative, sep } from 'node:path';

// It comes with jest, whose own sequencer it is, and whose version it has to be.
const jest = createRequire(createRequire(import.meta.url).resolve('jest'));
const { default: Sequencer } = createRequire(jest.resolve('@jest/core'))('@jest/test-sequencer');

/**
 * Files that take tens of seconds, longest first. Jest would guess by their size, which says little: the
 * longest is short.
 */
const LONG = [
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
 * Begins with what takes longest, so that no worker still has it to do when the others are done. Where jest
 * remembers how long each file took it does so by itself; a machine that runs the tests for the first time
 * remembers nothing.
 */
export default class LongFilesFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path, context }) => {
      const index = LONG.indexOf(relative(context.config.rootDir, path).split(sep).join('/'));
      return index === -1 ? LONG.length : index;
    };
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
