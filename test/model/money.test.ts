import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MOVEMENT_KINDS } from '../../src/domain/ledger.ts';
import { type CheckedReport, verifySinceCheckpoint } from '../../src/ledger/ledger-checkpoint.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import { createMoneyApp, type MoneyApp } from '../support/api/money-app.ts';
import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';
import { untilScenarioFits } from './quiet-time.ts';
import { runScenarios } from './run-scenario.ts';
import { SEEDS_THAT_FAILED } from './seeds.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

/** Fixed seeds, so that a build fails only because of a change. The soak tries other seeds. */
const SEEDS = Array.from({ length: IS_THOROUGH ? 500 : 60 }, (_, index) => index + 1);
/** Few enough to run in some seconds with Temporal. */
const WHOLE_SEEDS = SEEDS.slice(0, SEEDS.length / 20);
/** One scenario waits for the database while another computes. */
const AT_A_TIME = 4;
/** Once in twenty scenarios, so that each kind of movement has been combined with the others. */
const OFTEN = SEEDS.length / 20;
const TIMEOUT_MS = 1_800_000;

describe(`${SEEDS.length} random scenarios of charges, refunds, disputes and payouts`, () => {
  let db: TestDatabase;
  let standIns: readonly StandIn[] = [];

  beforeAll(async () => {
    db = await createTestDatabase();
    standIns = await Promise.all(Array.from({ length: AT_A_TIME }, () => startStandIn(db.database)));
  });
  afterAll(async () => {
    await Promise.all(standIns.map((standIn) => standIn.close()));
    await db.drop();
  });

  let run: Promise<void> | undefined;
  /** Reports of `ledger verify` during the scenarios, each from the previous checkpoint. */
  const found: CheckedReport[] = [];
  /** Runs all scenarios once, in the first test that calls this. */
  const scenarios = () => {
    run ??= runAndVerify();
    return run;
  };

  async function runAndVerify(): Promise<void> {
    let areDone = false;
    const running = runScenarios([...SEEDS_THAT_FAILED, ...SEEDS], standIns, { canMoveTime: true });
    const verify = async () =>
      found.push(await verifySinceCheckpoint(db.database.em.fork(), new Date(), false));
    const verifying = (async () => {
      while (!areDone) await verify();
    })();
    await running.finally(() => {
      areDone = true;
    });
    await verifying;
    await verify();
  }

  it('matches the balances, statuses and events of the model after every step', scenarios, TIMEOUT_MS);

  it(
    'leaves a ledger without discrepancies',
    async () => {
      await scenarios();
      const { discrepancies } = await verifyLedger(db.database.em.fork());
      expect(discrepancies).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'keeps the ledger free of discrepancies at every checkpoint on the way',
    async () => {
      await scenarios();
      expect(found.flatMap(({ discrepancies }) => discrepancies)).toEqual([]);
      const { movements, sums } = await verifyLedger(db.database.em.fork());
      expect(found.at(-1)).toMatchObject({ movements, sums, since: expect.any(String) });
    },
    TIMEOUT_MS,
  );

  it(
    'produces every kind of ledger movement except those of real providers',
    async () => {
      await scenarios();
      const rows = await db.database.em
        .fork()
        .execute<{ kind: string; count: number }[]>(
          'select kind, count(*)::int as count from ledger_movements group by kind',
        );
      const often = rows.filter(({ count }) => count >= OFTEN).map(({ kind }) => kind);
      // See refused-returns.test.ts here, payouts-that-come-back, money-at-two-banks and dispute-responses in test/workflows.
      const onlyAtProviders = /^(DISPUTE_FEE.*|REFUND_FAILED|RETURN_.+|.+_REVIVED|PAYOUT_RETURNED|MOVED_.+)$/;
      expect(new Set(often)).toEqual(new Set(MOVEMENT_KINDS.filter((kind) => !onlyAtProviders.test(kind))));
    },
    TIMEOUT_MS,
  );
});

describe(`${WHOLE_SEEDS.length} random scenarios with Temporal`, () => {
  let app: MoneyApp;

  beforeAll(async () => {
    app = await createMoneyApp();
  });
  afterAll(() => app.close());

  it(
    'matches the model with real workflows',
    async () => {
      const newStore = async () => {
        await untilScenarioFits();
        return { ...(await app.anotherStore()), database: app.database, time: null };
      };
      const services = Array.from({ length: AT_A_TIME }, () => ({ newStore }));
      await runScenarios([...SEEDS_THAT_FAILED, ...WHOLE_SEEDS], services, { canMoveTime: false });
    },
    TIMEOUT_MS,
  );
});
