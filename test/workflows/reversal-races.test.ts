import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '../../src/api/frame/errors.ts';
import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import { DisputeEntity } from '../../src/database/entities/dispute.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { RefundEntity } from '../../src/database/entities/refund.ts';
import { askForPayout, askForRefund } from '../support/api/store-request.ts';
import { mustPay } from '../support/fixtures/charges.ts';
import { dispute, requestRefund } from '../support/fixtures/money.ts';
import { createWorkflowFixture, type WorkflowFixture } from '../support/fixtures/workflow-fixture.ts';
import { roundsOf } from '../support/jest/thoroughness.ts';
import { heldBy, movementsOf, withNewStore } from '../support/rows/books.ts';
import { insertPix } from '../support/rows/charges.ts';
import { connectToRealServer } from '../support/servers/temporal-servers.ts';
import { type Hold, hold, holdRows, untilWaiting } from '../support/waiting/hold.ts';

/**
 * Each round has its own store with one payment of R$ 100.00. The first tests cover both orders of a race: both
 * sides wait for one lock and get it in the order of their arrival.
 */
const ROUNDS = roundsOf(100);

/** Rounds that run at the same time. They vary each other's timing, and two cores can still run them. */
const AT_ONCE = 10;

let fixture: WorkflowFixture;

beforeAll(async () => {
  const environment = await connectToRealServer();
  fixture = await createWorkflowFixture({ environment, taskQueue: 'reversal-races' });
});

afterAll(() => fixture.close());

interface Round {
  /** The fixture for the round's store. */
  readonly shop: WorkflowFixture;
  readonly charge: Charge;
}

async function newRound(): Promise<Round> {
  const shop = await withNewStore(fixture);
  return { shop, charge: await paidCharge(shop) };
}

async function inRounds(play: (round: Round) => Promise<void>): Promise<void> {
  let next = 0;
  const runner = async () => {
    while (next++ < ROUNDS) await play(await newRound());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
}

/** Starts both works so that they wait for the same lock in this order, then releases it. */
async function inTurn<One, Other>(
  held: Hold,
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<[One, Other]> {
  await using _ = held;
  const one = first();
  await untilWaiting(fixture.database, 1);
  const other = second();
  await untilWaiting(fixture.database, 2);
  await held.release();
  return [await one, await other];
}

/** A paid Pix charge without a workflow run, because the races concern only what follows the payment. */
async function paidCharge(shop: WorkflowFixture): Promise<Charge> {
  const charge = await insertPix(shop);
  const { providerPaymentId } = await mustPay(shop, charge);
  await shop.activities.recordPayment({ chargeId: charge.id, providerPaymentId, nowMs: Date.now() });
  return charge;
}

/** Runs all works with random delays of up to 6 ms, so that their order varies. */
function atOnce<Result>(works: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  return Promise.all(works.map((work) => delay(Math.random() * 6).then(work)));
}

/** @returns the result of the work, or the code of its ApiError. */
async function answerOf(work: Promise<string>): Promise<string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** The stored outcome of a round, and the cents that the provider still holds of its payment. */
async function outcomeOf({ shop, charge }: Round) {
  const em = shop.database.em.fork();
  const { status } = await em.findOneOrFail(ChargeEntity, { id: charge.id });
  const [refunds, disputes, payouts] = await Promise.all([
    em.find(RefundEntity, { chargeId: charge.id }),
    em.find(DisputeEntity, { chargeId: charge.id }),
    em.find(PayoutEntity, { storeId: shop.storeId }),
  ]);
  return {
    status,
    refunds: refunds.map((refund) => refund.status),
    disputes: disputes.map((each) => each.status),
    payouts: payouts.length,
    movements: (await movementsOf(shop)).slice(1),
    held: await heldBy(shop),
    keptCents: shop.provider.keptCents(charge.providerReference),
  };
}

const NONE = { refunds: [], disputes: [], payouts: 0 };
const REFUNDED = {
  ...NONE,
  status: 'REFUNDED',
  refunds: ['COMPLETED'],
  movements: ['REFUND_RESERVED', 'REFUND_COMPLETED'],
  held: {},
  keptCents: 0,
};

const DISPUTED = {
  ...NONE,
  status: 'UNDER_DISPUTE',
  disputes: ['OPEN'],
  movements: ['DISPUTE_OPENED'],
  held: { clearingCents: 10_000, blockedCents: 10_000 },
  keptCents: 10_000,
};
const PAID_OUT = {
  ...NONE,
  status: 'PAID',
  refunds: ['FAILED'],
  payouts: 1,
  movements: ['PAYOUT_RESERVED'],
  held: { clearingCents: 10_000, outgoingCents: 9_920, platformFeesCents: 80 },
  keptCents: 10_000,
};

/** The activities that handle a refund and a dispute of the round's charge. */
async function reversalsOf({ shop, charge }: Round) {
  const { id: chargeId, providerReference: reference } = charge;
  const { id: refundId } = await requestRefund(shop, charge);
  const providerDisputeId = `dispute-of-${chargeId}`;
  shop.provider.setDispute({ providerDisputeId, reference, status: 'OPEN', reason: null });
  const nowMs = Date.now();
  return {
    refund: () => shop.activities.refundCharge({ chargeId, refundId, nowMs }),
    dispute: () => shop.activities.recordDispute({ chargeId, providerDisputeId, nowMs }),
  };
}

describe('a refund and a dispute that both wait for their charge', () => {
  it('makes the refund that came first and keeps the charge REFUNDED on a dispute', async () => {
    const round = await newRound();
    const work = await reversalsOf(round);
    const held = await holdRows(fixture.database, 'charges', [round.charge.id]);
    const disputed = () => work.dispute().catch((error: Error) => error.message);
    const [refunded, met] = await inTurn(held, work.refund, disputed);
    expect(refunded).toBe('REFUNDED');
    expect(['The charge is being refunded', 'REFUNDED']).toContain(met);
    expect(await work.dispute()).toBe('REFUNDED');
    expect(await outcomeOf(round)).toEqual(REFUNDED);
  });

  it('opens the dispute that came first and fails the refund', async () => {
    const round = await newRound();
    const work = await reversalsOf(round);
    const held = await holdRows(fixture.database, 'charges', [round.charge.id]);
    expect(await inTurn(held, work.dispute, work.refund)).toEqual(['UNDER_DISPUTE', 'UNDER_DISPUTE']);
    expect(await outcomeOf(round)).toEqual({ ...DISPUTED, refunds: ['FAILED'] });
  });
});

describe('a refund and a payout that both wait for the last cent', () => {
  const holdBalance = ({ shop }: Round) =>
    hold(fixture.database, 'select 1 from ledger_balances where store_id = ? for no key update', [
      shop.storeId,
    ]);
  const payoutOf = ({ shop }: Round) => answerOf(askForPayout(shop, 9_920).then(({ id }) => id));

  it('makes the refund that came first and refuses the payout', async () => {
    const round = await newRound();
    const { refund } = await reversalsOf(round);
    const ended = await inTurn(await holdBalance(round), refund, () => payoutOf(round));
    expect(ended).toEqual(['REFUNDED', 'INSUFFICIENT_FUNDS']);
    expect(await outcomeOf(round)).toEqual(REFUNDED);
  });

  it('makes the payout that came first and fails the refund', async () => {
    const round = await newRound();
    const { refund } = await reversalsOf(round);
    const ended = await inTurn(await holdBalance(round), () => payoutOf(round), refund);
    expect(ended).toEqual([expect.stringMatching(/^tran_/), 'PAID']);
    expect(await outcomeOf(round)).toEqual(PAID_OUT);
  });
});

describe(`in ${ROUNDS} rounds`, () => {
  it('makes one refund of ten simultaneous requests and returns its id to all', async () => {
    await inRounds(async (round) => {
      const { shop, charge } = round;
      const ask = () => askForRefund(shop, charge);
      const ids = new Set(await atOnce(Array.from({ length: 10 }, () => ask)));
      expect(ids.size).toBe(1);
      expect(await outcomeOf(round)).toEqual(REFUNDED);
      expect([await ask()]).toEqual([...ids]);
    });
  });

  it('carries out either the refund or the dispute of a charge', async () => {
    await inRounds(async (round) => {
      const { shop, charge } = round;
      const [refunded = '', status] = await atOnce<string | null>([
        () => answerOf(askForRefund(shop, charge)),
        () => dispute(shop, charge, 'OPEN'),
      ]);
      const { refunds, ...outcome } = await outcomeOf(round);
      if (status === 'REFUNDED') {
        expect(refunded).toMatch(/^tran_/);
        expect({ ...outcome, refunds }).toEqual(REFUNDED);
      } else {
        expect([status, refunded]).toEqual(['UNDER_DISPUTE', 'TRANSACTION_UNDER_DISPUTE']);
        // A refund that is requested before the dispute is recorded ends FAILED.
        expect({ ...outcome, refunds: refunds.filter((each) => each !== 'FAILED') }).toEqual(DISPUTED);
      }
    });
  });

  it('moves the money once if a dispute is reported as opened and lost at once', async () => {
    await inRounds(async (round) => {
      const { shop, charge } = round;
      const opened = () => dispute(shop, charge, 'OPEN');
      const lost = () => dispute(shop, charge, 'LOST');
      await atOnce([opened, opened, lost, lost]);
      expect(await lost()).toBe('REFUNDED');
      const { keptCents: _, ...outcome } = await outcomeOf(round);
      expect(outcome).toEqual({
        ...NONE,
        status: 'REFUNDED',
        disputes: ['LOST'],
        movements: ['DISPUTE_OPENED', 'DISPUTE_LOST'],
        held: {},
      });
    });
  });

  it('moves the money once if four workers record the same dispute at once', async () => {
    await inRounds(async (round) => {
      const { shop, charge } = round;
      const { id: chargeId, providerReference: reference } = charge;
      const providerDisputeId = `dispute-of-${chargeId}`;
      shop.provider.setDispute({ providerDisputeId, reference, status: 'LOST', reason: null });
      const record = () =>
        shop.activities.recordDispute({ chargeId, providerDisputeId, nowMs: Date.now() }) as Promise<string>;
      expect(await atOnce([record, record, record, record])).toEqual(Array(4).fill('REFUNDED'));
      expect((await outcomeOf(round)).movements).toEqual(['DISPUTE_OPENED', 'DISPUTE_LOST']);
    });
  });

  it('carries out either the refund or the payout of the last cent', async () => {
    // Payouts start at a random moment within the duration of the last refund, which runs in a workflow.
    let refundingMs = 50;
    await inRounds(async (round) => {
      const { shop, charge } = round;
      const refunding = async () => {
        const startedMs = performance.now();
        const answer = await answerOf(askForRefund(shop, charge));
        refundingMs = performance.now() - startedMs;
        return answer;
      };
      const [refunded, paidOut] = await Promise.all([
        refunding(),
        delay(Math.random() * refundingMs).then(() =>
          answerOf(askForPayout(shop, 9_920).then(({ id }) => id)),
        ),
      ]);
      const { refunds, ...outcome } = await outcomeOf(round);
      if (paidOut === 'INSUFFICIENT_FUNDS') {
        expect({ ...outcome, refunds }).toEqual(REFUNDED);
        return;
      }
      expect(refunded).toBe('INSUFFICIENT_FUNDS');
      expect({ ...outcome, refunds }).toEqual(PAID_OUT);
    });
  });

  it('makes a refund once if four workers make it at the same time', async () => {
    await inRounds(async (round) => {
      const { shop, charge } = round;
      const { id: refundId } = await requestRefund(shop, charge);
      const run = () =>
        shop.activities.refundCharge({ chargeId: charge.id, refundId, nowMs: Date.now() }) as Promise<string>;
      expect(await atOnce([run, run, run, run])).toEqual(Array(4).fill('REFUNDED'));
      expect(await outcomeOf(round)).toEqual(REFUNDED);
    });
  });
});
