import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { openAttention } from '../../src/database/attention.ts';
import { ChargeEntity } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import { DeliveryEntity } from '../../src/database/entities/delivery.ts';
import { PaymentEntity } from '../../src/database/entities/payment.ts';
import { PayoutEntity } from '../../src/database/entities/payout.ts';
import { RefundEntity } from '../../src/database/entities/refund.ts';
import type { AuditKind, AuditReport } from '../../src/domain/audit.ts';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { audit } from '../../src/recovery/audit.ts';
import { chargeStart } from '../../src/temporal/charge.ts';
import { startUnlessRunning } from '../../src/temporal/workflow-start.ts';
import { settlementWorkflowId } from '../../workflows/settlement.contract.ts';
import { askForPayout } from '../support/api/store-request.ts';
import { auditDeps, auditNow } from '../support/fixtures/audits.ts';
import { chargeUpdates, mustPay, notify } from '../support/fixtures/charges.ts';
import { beginPayment, chargeWorkflowOf, openCheckout } from '../support/fixtures/checkouts.ts';
import { paidPix, requestRefund } from '../support/fixtures/money.ts';
import { createSubscribedFixture, type SubscribedFixture } from '../support/fixtures/subscribed-fixture.ts';
import {
  cyclesOf,
  insertSubscription,
  outcomesOf,
  sleepUntil,
  startSubscription,
  subscriptionOf,
  workflowOf,
} from '../support/fixtures/subscriptions.ts';
import { terminateAtRest } from '../support/fixtures/terminate-at-rest.ts';
import { withNewStore } from '../support/rows/books.ts';
import { insertDelivery, insertWebhook } from '../support/rows/build.ts';
import { insertPix } from '../support/rows/charges.ts';
import { eventually } from '../support/waiting/eventually.ts';

const MINUTE_MS = 60_000;

let shared: SubscribedFixture;
let fixture: SubscribedFixture;

beforeAll(async () => {
  shared = await createSubscribedFixture();
});

beforeEach(async () => {
  fixture = { ...shared, ...(await withNewStore(shared)) };
});

afterAll(() => shared.close());

/** A row whose workflow was started according to Postgres, but is unknown to Temporal. */
interface Lost {
  readonly kind: AuditKind;
  readonly id: string;
  /** When it becomes due. */
  readonly dueAt: Date;
  /** Throws until it has ended. */
  readonly ended: () => Promise<void>;
}

const LOST = {
  async 'a charge'() {
    const { id, closesAt } = await insertPix(fixture);
    return {
      kind: 'charge',
      id,
      dueAt: closesAt,
      ended: () => reads(ChargeEntity, id, { status: 'EXPIRED' }),
    };
  },
  async 'a checkout'() {
    const { id, expiresAt } = await openCheckout(fixture);
    return {
      kind: 'checkout',
      id,
      dueAt: expiresAt ?? new Date(),
      ended: () => reads(CheckoutEntity, id, { status: 'EXPIRED' }),
    };
  },
  // Must come before any other card charge, because it declines the next card.
  async 'a subscription that waits to try its cycle again'() {
    const subscription = await insertSubscription(fixture, await fixture.now());
    await startSubscription(fixture, subscription);
    fixture.provider.declineNext('insufficient_funds');
    await sleepUntil(fixture, new Date(subscription.cycleEndsAt.getTime() + MINUTE_MS));
    const { attemptDueAt } = await eventually(async () => {
      const failed = await subscriptionOf(fixture, { id: subscription.id });
      expect(failed.failedAttempts).toBe(1);
      return failed;
    });
    await terminateAtRest(workflowOf(fixture, subscription));
    const ended = async () => {
      expect(await outcomesOf(fixture, subscription)).toEqual(['PAID', 'FAILED', 'PAID']);
      expect(await cyclesOf(fixture, subscription)).toHaveLength(2);
    };
    return { kind: 'subscription', id: subscription.id, dueAt: attemptDueAt ?? new Date(), ended };
  },
  async 'a subscription'() {
    const subscription = await insertSubscription(fixture, await fixture.now());
    const ended = async () =>
      expect(await cyclesOf(fixture, subscription)).toEqual([
        expect.stringMatching(/^1 .* PAID$/),
        expect.stringMatching(/^2 .* PAID$/),
      ]);
    return { kind: 'subscription', id: subscription.id, dueAt: subscription.cycleEndsAt, ended };
  },
  async 'a refund'() {
    const charge = await paidPix(fixture);
    const { id, createdAt } = await requestRefund(fixture, charge);
    return {
      kind: 'refund',
      id,
      dueAt: createdAt,
      ended: () => reads(RefundEntity, id, { status: 'COMPLETED' }),
    };
  },
  async 'a payment that is returned'() {
    const { id, createdAt } = await paymentThatGoesBack();
    return { kind: 'return', id, dueAt: createdAt, ended: () => reads(PaymentEntity, id, BACK) };
  },
  async 'a returned payment of a charge whose run was not notified'() {
    const { id, createdAt, charge } = await paymentThatGoesBack();
    const start = chargeStart(charge, null);
    await startUnlessRunning(fixture.client, fixture.taskQueue, start, createdAt.getTime());
    return { kind: 'return', id, dueAt: createdAt, ended: () => reads(PaymentEntity, id, BACK) };
  },
  async 'a payout'() {
    await paidPix(fixture);
    const { id, createdAt } = await askForPayout(fixture, 1_000);
    return {
      kind: 'payout',
      id,
      dueAt: createdAt,
      ended: () => reads(PayoutEntity, id, { status: 'COMPLETE' }),
    };
  },
  async 'a delivery'() {
    const { url: endpoint } = fixture.sink.endpoint();
    const createdAt = await fixture.now();
    const webhook = await insertWebhook(fixture.database, { storeId: fixture.storeId, endpoint, createdAt });
    const { id } = await insertDelivery(fixture.database, webhook, { createdAt });
    return {
      kind: 'delivery',
      id,
      dueAt: createdAt,
      ended: () => reads(DeliveryEntity, id, { status: 'DELIVERED', attempts: 1 }),
    };
  },
  async 'a settlement'() {
    const { id } = await beginPayment(fixture, await openCheckout(fixture), { method: 'CARD' });
    const { settlesAt } = await fixture.database.em.fork().findOneOrFail(ChargeEntity, { id });
    const dueAt = settlesAt ?? new Date();
    const workflowId = settlementWorkflowId(fixture.storeId, true, saoPauloDateOf(dueAt));
    await terminateAtRest(fixture.client.workflow.getHandle(workflowId));
    return {
      kind: 'settlement',
      id: workflowId,
      dueAt,
      ended: () => reads(ChargeEntity, id, { settledAt: expect.any(Date) }),
    };
  },
} satisfies Record<string, () => Promise<Lost>>;

const BACK = { outcome: 'RETURNED' };

/** An underpayment that the provider has not returned yet. Temporal lost the run that polls the provider. */
async function paymentThatGoesBack() {
  const charge = await insertPix(fixture);
  fixture.provider.answerRefunds({ outcome: 'PENDING', pollAfterMs: 60_000 });
  await notify(fixture, await mustPay(fixture, charge, { amountCents: 9_999 }));
  await terminateAtRest(chargeWorkflowOf(fixture, charge));
  const em = fixture.database.em.fork();
  return {
    ...(await em.findOneOrFail(PaymentEntity, { chargeId: charge.id, outcome: 'RETURNING' })),
    charge,
  };
}

async function reads(entity: never | unknown, id: string, row: object): Promise<void> {
  const em = fixture.database.em.fork();
  expect(await em.findOneOrFail(entity as typeof ChargeEntity, { id } as never)).toMatchObject(row);
}

describe('an overdue row without a workflow is found and resumed:', () => {
  it.each(Object.entries(LOST))('%s', async (_, lose) => {
    const { kind, id, dueAt, ended }: Lost = await lose();
    const found = async () => (await auditNow(fixture)).counts[kind];
    expect(await found()).toBeUndefined();
    await sleepUntil(fixture, new Date(dueAt.getTime() + 20 * MINUTE_MS));
    // Two audits at once: the second one may find nothing left to resume.
    const both = (await Promise.all([found(), found()])).filter((count) => count !== undefined);
    expect(both.length).toBeGreaterThan(0);
    for (const count of both) expect(count).toMatchObject({ found: 1, failed: 0, ids: [id] });
    await eventually(ended);
    expect(await found()).toBeUndefined();
  });
});

it('leaves a slow return of a payment to the run that polls the provider', async () => {
  const charge = await insertPix(fixture);
  fixture.provider.answerRefunds(
    ...Array.from({ length: 5 }, () => ({ outcome: 'PENDING' as const, pollAfterMs: 15 * MINUTE_MS })),
  );
  await notify(fixture, await mustPay(fixture, charge, { amountCents: 9_999 }));
  const { id, createdAt } = await fixture.database.em
    .fork()
    .findOneOrFail(PaymentEntity, { chargeId: charge.id });
  await sleepUntil(fixture, new Date(createdAt.getTime() + 40 * MINUTE_MS));
  expect((await auditNow(fixture)).counts.return).toEqual({
    found: 1,
    started: 0,
    running: 1,
    failed: 0,
    ids: [id],
  });
  await sleepUntil(fixture, new Date(createdAt.getTime() + 120 * MINUTE_MS));
  await eventually(() => reads(PaymentEntity, id, BACK));
  expect((await auditNow(fixture)).counts.return).toBeUndefined();
});

it('leaves a slow refund to the run that retries it, and reports no failure', async () => {
  const charge = await paidPix(fixture);
  const { id, createdAt } = await requestRefund(fixture, charge);
  fixture.provider.failNext('refund', Number.MAX_SAFE_INTEGER);
  const asked = chargeUpdates(fixture).refund(charge, id, null);
  await sleepUntil(fixture, new Date(createdAt.getTime() + 40 * MINUTE_MS));
  const { counts } = await auditNow(fixture);
  expect(counts.refund).toEqual({ found: 1, started: 0, running: 1, failed: 0, ids: [id] });
  fixture.provider.failNext('refund', 0);
  await sleepUntil(fixture, new Date(createdAt.getTime() + 60 * MINUTE_MS));
  expect(await asked).toBe('REFUNDED');
  expect((await auditNow(fixture)).counts.refund).toBeUndefined();
});

describe('a charge that stays overdue although it is resumed', () => {
  it('opens one attention item after an hour of audits and closes it at the end', async () => {
    const { id } = await insertPix(fixture, { expiresInS: 1 });
    let last: AuditReport | null = null;
    const noted: string[][] = [];
    // The first audit comes after an outage: it has resumed nothing yet. The client ignores every start.
    const nowMs = (await fixture.now()).getTime();
    for (const minutes of [70, 95, 120, 145, 150]) {
      const deps = auditDeps(fixture, { client: deaf });
      last = await audit(deps, { nowMs: nowMs + minutes * MINUTE_MS, last });
      noted.push(await notedNow());
    }
    expect(noted).toEqual([[], [], [], [`CHARGE_OVERDUE ${id}`], [`CHARGE_OVERDUE ${id}`]]);

    await sleepUntil(fixture, new Date(nowMs + 155 * MINUTE_MS));
    last = await auditNow(fixture, last);
    await eventually(() => reads(ChargeEntity, id, { status: 'EXPIRED' }));
    await auditNow(fixture, last);
    expect(await notedNow()).toEqual([]);
  });

  /** Accepts every start and does nothing. */
  const deaf = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: { start: async () => {} },
  } as unknown as Client;

  /** Of this store: a cycle of an earlier test's subscription may end meanwhile. */
  async function notedNow(): Promise<string[]> {
    const open = await openAttention(fixture.database, 10);
    const own = open.filter(({ storeId }) => storeId === fixture.storeId);
    return own.map(({ kind, subjectId }) => `${kind} ${subjectId}`);
  }
});
