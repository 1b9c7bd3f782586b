import type { ActivityDeps } from '../../../activities/deps.ts';
import type { Activities } from '../../../activities/index.ts';
import type { Charge } from '../../../src/database/entities/charge.ts';
import type { EventName } from '../../../src/domain/event-names.ts';
import type { BareFixture } from '../../support/fixtures/bare-fixture.ts';
import { plainStatus } from '../../support/fixtures/plain-status.ts';
import { insertWebhook } from '../../support/rows/build.ts';
import { crashingDeps, TEMPORAL_CALLS } from './crashing-worker.ts';

/** A store of its own in which one activity runs. */
export interface StoreFixture extends BareFixture {
  /** A new worker, which remembers nothing of an earlier one. */
  worker(): Activities;
  /** Calls of Temporal by their subject. Repeated ones are one. */
  readonly called: ReadonlySet<string>;
}

/** Runs the activity once. A retry may run at a later time. */
export type Act = (worker: Activities, nowMs: number) => Promise<unknown>;

/** A situation in which an activity runs. */
export interface Situation {
  readonly when: string;
  readonly prepare: (store: StoreFixture) => Promise<Act>;
  /** Why a retry three days later may end otherwise. */
  readonly dependsOnTime?: string;
}

const EVENTS: readonly EventName[] = [
  'transparent.completed',
  'transparent.refunded',
  'transparent.disputed',
  'transparent.lost',
  'checkout.completed',
  'subscription.completed',
  'subscription.renewed',
  'subscription.payment_failed',
  'subscription.plan_changed',
  'subscription.cancelled',
];

/** A new store with two webhooks. */
export async function newStoreFixture(shared: BareFixture): Promise<StoreFixture> {
  const fixture = await shared.withNewStore();
  const { provider, storeId, database } = fixture;
  provider.refuseReturns(false);
  provider.forgetDeclines();
  provider.forgetUndecided();
  for (const path of ['one', 'two'])
    await insertWebhook(database, {
      storeId,
      endpoint: `https://example.com/${path}`,
      events: [...EVENTS],
    });
  const called = new Set<string>();
  const store: StoreFixture = { ...fixture, called, worker: () => fixture.newWorker(depsOf(store, called)) };
  return store;
}

function depsOf(store: StoreFixture, called: Set<string>): ActivityDeps {
  const noted = TEMPORAL_CALLS.map((name) => {
    const note = async (subject: unknown) => void called.add(`${name} ${subjectOf(subject)}`);
    return [name, note];
  });
  // The runs of charges close them, each in its own time.
  const cancelCharge = ({ id }: Charge) =>
    plainStatus(store.worker().cancelCharge({ chargeId: id, nowMs: Date.now() }));
  return crashingDeps(store.deps({ ...Object.fromEntries(noted), cancelCharge }));
}

function subjectOf(subject: unknown): string {
  if (typeof subject === 'string') return subject;
  const { id, deliveryId, storeId } = subject as Record<string, unknown>;
  return String(deliveryId ?? id ?? storeId);
}
