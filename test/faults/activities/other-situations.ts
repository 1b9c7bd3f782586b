import type { Activities } from '../../../activities/index.ts';
import { askForPayout } from '../../support/api/store-request.ts';
import type { WorkflowFixture } from '../../support/fixtures/workflow-fixture.ts';
import { startWebhookSink, type WebhookSink } from '../../support/outside/webhook-sink.ts';
import { insertDelivery, insertWebhook } from '../../support/rows/build.ts';
import { insertCharge, insertCheckout } from '../../support/rows/checkout-rows.ts';
import { credit } from '../../support/rows/credit.ts';
import { failedRange } from '../../support/rows/deliveries.ts';
import type { Act, Situation, StoreFixture } from './store-fixture.ts';

type OtherActivity =
  | 'expireCheckout'
  | 'cancelCheckout'
  | 'closeCharges'
  | 'attemptFastDelivery'
  | 'attemptDelivery'
  | 'resendSome'
  | 'stopResend'
  | 'advancePayout';

const tomorrow = () => new Date(Date.now() + 86_400_000);

/** A checkout with two open charges. */
async function openCheckout(store: StoreFixture) {
  const checkout = await insertCheckout(store, { expiresAt: tomorrow() });
  const charge = { provider: store.provider.name, expiresAt: tomorrow(), closesAt: tomorrow() };
  for (const method of ['PIX', 'PIX'] as const) await insertCharge(store, checkout, method, charge);
  return checkout;
}

const ofCheckout =
  (name: 'expireCheckout' | 'cancelCheckout') =>
  async (store: StoreFixture): Promise<Act> => {
    const { id: checkoutId, expiresAt } = await openCheckout(store);
    // It expires at its time, whenever the activity runs.
    const atEnd = (nowMs: number) => Math.max(nowMs, expiresAt?.getTime() ?? 0);
    return (worker, nowMs) => worker[name]({ checkoutId, nowMs: atEnd(nowMs) });
  };

async function closing(store: StoreFixture): Promise<Act> {
  const { id: checkoutId } = await openCheckout(store);
  await store.worker().cancelCheckout({ checkoutId, nowMs: Date.now() });
  return (worker) => worker.closeCharges({ checkoutId });
}

let sink: Promise<WebhookSink> | undefined;

/** The integrator's server, which all situations share. */
const theSink = () => {
  sink ??= startWebhookSink();
  return sink;
};

export async function closeSink(): Promise<void> {
  await (await sink)?.[Symbol.asyncDispose]();
}

const delivering =
  (name: 'attemptDelivery' | 'attemptFastDelivery', status: number) =>
  async ({ database, storeId }: StoreFixture): Promise<Act> => {
    const endpoint = (await theSink()).endpoint(() => status);
    const webhook = await insertWebhook(database, { storeId, endpoint: endpoint.url });
    const { id: deliveryId } = await insertDelivery(database, webhook);
    const attempt = { deliveryId, resend: false, attemptKey: 'run-1', retryDelayMs: 5_000 };
    return async (worker, nowMs) => {
      const answer = await worker[name]({ ...attempt, nowMs });
      // What an endpoint said is shown to operators only.
      return answer !== null && typeof answer === 'object' ? answer.status : answer;
    };
  };

const failed = (store: StoreFixture) =>
  failedRange(store as unknown as WorkflowFixture, 'https://example.com', 3);

/** The run repeats the activity until the range is done. */
async function resending(store: StoreFixture): Promise<Act> {
  const { id: resendId } = await failed(store);
  return async (worker, nowMs) => {
    for (;;) {
      const { status } = await worker.resendSome({ resendId, nowMs });
      if (status !== 'RUNNING') return status;
    }
  };
}

async function stopping(store: StoreFixture): Promise<Act> {
  const { id: resendId } = await failed(store);
  return (worker, nowMs) => worker.stopResend({ resendId, nowMs });
}

type TransferAnswer = Parameters<StoreFixture['provider']['answerTransfers']>[0];

const paying =
  (answer?: TransferAnswer) =>
  async (store: StoreFixture): Promise<Act> => {
    const { database, storeId, provider } = store;
    await credit(database, { storeId, devMode: true, provider: provider.name }, 10_000);
    const { id: payoutId } = await askForPayout(store as unknown as WorkflowFixture, 2_500);
    if (answer) provider.answerTransfers(answer);
    return (worker, nowMs) => worker.advancePayout({ payoutId, nowMs });
  };

/** Situations of checkouts, webhooks and payouts, by activity. */
export const OTHER_SITUATIONS: Record<OtherActivity & keyof Activities, readonly Situation[]> = {
  expireCheckout: [{ when: 'charges are open', prepare: ofCheckout('expireCheckout') }],
  cancelCheckout: [{ when: 'charges are open', prepare: ofCheckout('cancelCheckout') }],
  closeCharges: [{ when: 'the checkout was cancelled', prepare: closing }],
  attemptFastDelivery: [{ when: 'the endpoint accepts', prepare: delivering('attemptFastDelivery', 200) }],
  attemptDelivery: [
    { when: 'the endpoint accepts', prepare: delivering('attemptDelivery', 200) },
    { when: 'the endpoint fails', prepare: delivering('attemptDelivery', 500) },
  ],
  resendSome: [{ when: 'a range has failed', prepare: resending }],
  stopResend: [{ when: 'a range is being resent', prepare: stopping }],
  advancePayout: [
    { when: 'the bank sends it', prepare: paying() },
    { when: 'the bank refuses it', prepare: paying({ outcome: 'FAILED', reason: 'closed account' }) },
  ],
};
