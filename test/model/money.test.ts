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

/**
 * Other seeds every day would make a red build that nobody's change has caused: that is for the soak.
 */
const SEEDS = Array.from({ length: IS_THOROUGH ? 500 : 60 }, (_, index) => index + 1);
/** As many again as the whole thing, Temporal included, gets through in some seconds. */
const WHOLE_SEEDS = SEEDS.slice(0, SEEDS.length / 20);
/** One story waits for the database while another computes. */
const AT_A_TIME = 4;
/** Once in twenty stories: enough for each reason to have met the others. */
const OFTEN = SEEDS.length / 20;
const TIMEOUT_MS = 1_800_000;

describe(`${SEEDS.length} random stories of charges, refunds, disputes and payouts`, () => {
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

  let told: Promise<void> | undefined;
  /** What `ledger verify` found while they were told, each time going on from its last checkpoint. */
  const found: CheckedReport[] = [];
  /** All stories, told once: by whichever test comes first. */
  const scenarios = () => {
    told ??= notifyAndVerify();
    return told;
  };

  async function notifyAndVerify(): Promise<void> {
    let areNotified = false;
    const telling = runScenarios([...SEEDS_THAT_FAILED, ...SEEDS], standIns, { canMoveTime: true });
    const verify = async () =>
      found.push(await verifySinceCheckpoint(db.database.em.fork(), new Date(), false));
    const verifying = (async () => {
      while (!areNotified) await verify();
    })();
    await telling.finally(() => {
      areNotified = true;
    });
    await verifying;
    await verify();
  }

  it('end as the model says: balances, statuses and events agree after every step', scenarios, TIMEOUT_MS);

  it(
    'leave books in which every cent is where it belongs',
    async () => {
      await scenarios();
      const { discrepancies } = await verifyLedger(db.database.em.fork());
      expect(discrepancies).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'leave such books at every moment in which they are verified, from checkpoint to checkpoint',
    async () => {
      await scenarios();
      expect(found.flatMap(({ discrepancies }) => discrepancies)).toEqual([]);
      const { movements, sums } = await verifyLedger(db.database.em.fork());
      expect(found.at(-1)).toMatchObject({ movements, sums, since: expect.any(String) });
    },
    TIMEOUT_MS,
  );

  it(
    'move money for every reason but those that only banks of production have',
    async () => {
      await scenarios();
      const rows = await db.database.em
        .fork()
        .execute<{ kind: string; count: number }[]>(
          'select kind, count(*)::int as count from ledger_movements group by kind',
        );
      const often = rows.filter(({ count }) => count >= OFTEN).map(({ kind }) => kind);
      // See refused-returns.test.ts here, payouts-that-come-back and money-at-two-banks in test/workflows.
      const onlyAtBanks = /^(REFUND_FAILED|RETURN_.+|.+_REVIVED|PAYOUT_RETURNED|MOVED_.+)$/;
      expect(new Set(often)).toEqual(new Set(MOVEMENT_KINDS.filter((kind) => !onlyAtBanks.test(kind))));
    },
    TIMEOUT_MS,
  );
});

describe(`${WHOLE_SEEDS.length} random stories, Temporal included`, () => {
  let app: MoneyApp;

  beforeAll(async () => {
    app = await createMoneyApp();
  });
  afterAll(() => app.close());

  it(
    'end as the model says',
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
