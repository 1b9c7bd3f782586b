import type { Activities } from '../../../activities/index.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { addDays, saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import type { DisputeStatus } from '../../../src/domain/reversal.ts';
import { mustPay, payUnnoticed } from '../../support/fixtures/charges.ts';
import { requestRefund } from '../../support/fixtures/money.ts';
import { plainStatus } from '../../support/fixtures/plain-status.ts';
import { insertBoleto, insertPix } from '../../support/rows/charges.ts';
import {
  insertCharge,
  insertCheckout,
  insertCoupon,
  insertProduct,
  itemOf,
} from '../../support/rows/checkout-rows.ts';
import { insertSubAccount } from '../../support/rows/sub-accounts.ts';
import type { Act, Situation, StoreFixture } from './store-fixture.ts';
import { openedCycle } from './subscription-situations.ts';

type ChargeActivity =
  | 'recordPayment'
  | 'authorizeCharge'
  | 'failCharge'
  | 'expireCharge'
  | 'cancelCharge'
  | 'refundCharge'
  | 'recordDispute'
  | 'settleCharges';

type Made = (store: StoreFixture) => Promise<Charge>;
type Ending = 'authorizeCharge' | 'failCharge' | 'expireCharge' | 'cancelCharge';

const HOUR_MS = 3_600_000;
const SETTLES = 'a boleto settles the day after its payment';

const tomorrow = () => new Date(Date.now() + 86_400_000);

const pix: Made = (store) => insertPix(store);

const splitPix: Made = async (store) => {
  const seller = await insertSubAccount(store.database, { storeId: store.storeId, devMode: true });
  return insertPix(store, { splits: [{ subAccountId: seller, amountCents: 7_000 }] });
};

/** A charge of a checkout that holds the last use of a coupon. */
const ofCheckout =
  (method: 'PIX' | 'CARD' | 'FREE', others: readonly ('PIX' | 'CARD')[] = []): Made =>
  async (store) => {
    const coupon = await insertCoupon(store, { maxRedeems: 1, reservedCount: 1 });
    const checkout = await insertCheckout(store, { expiresAt: tomorrow() });
    const timed = { provider: store.provider.name, expiresAt: tomorrow(), closesAt: tomorrow() };
    for (const other of others) await insertCharge(store, checkout, other, timed);
    return insertCharge(store, checkout, method, { couponId: coupon.id, ...timed });
  };

const ofNewSubscription: Made = async (store) => {
  const items = [itemOf(await insertProduct(store, { cycle: 'MONTHLY' }))];
  const terms = { frequency: 'SUBSCRIPTION', cycle: 'MONTHLY', items } as const;
  return insertCharge(store, await insertCheckout(store, terms), 'CARD', { provider: store.provider.name });
};

const ofCycle =
  (method: 'PIX' | 'CARD'): Made =>
  async (store) =>
    (await openedCycle(store, method)).charge;

const boleto: Made = (store) =>
  insertBoleto(store, { dueDate: addDays(saoPauloDateOf(new Date()), 30), interest: null, fine: null });

/** Paid, and pending for a month as a card's payment may be. */
const unsettledCard: Made = async (store) => {
  const charge = await paidCharge(store, boleto);
  await store.database.em.fork().nativeUpdate(ChargeEntity, { id: charge.id }, { method: 'CARD' });
  return charge;
};

/** The provider notifies a payment of the charge. */
const paying =
  (make: Made, amountOf: (charge: Charge) => number = ({ amountCents }) => amountCents) =>
  async (store: StoreFixture): Promise<Act> => {
    const charge = await make(store);
    const { providerPaymentId } = await mustPay(store, charge, { amountCents: amountOf(charge) });
    return (worker, nowMs) => worker.recordPayment({ chargeId: charge.id, providerPaymentId, nowMs });
  };

/** A second payment, of the same charge or of another one of its checkout. */
async function payingAgain(store: StoreFixture): Promise<Act> {
  const charge = await pix(store);
  const { providerPaymentId } = await mustPay(store, charge);
  await store.worker().recordPayment({ chargeId: charge.id, providerPaymentId, nowMs: Date.now() });
  return paying(async () => charge)(store);
}

async function payingTooLate(store: StoreFixture): Promise<Act> {
  const charge = await pix(store);
  await store.worker().expireCharge({ chargeId: charge.id, nowMs: Date.now() });
  const { providerPaymentId } = payUnnoticed(store, charge, HOUR_MS);
  return (worker, nowMs) => worker.recordPayment({ chargeId: charge.id, providerPaymentId, nowMs });
}

async function payingWithoutReturn(store: StoreFixture): Promise<Act> {
  const act = await paying(pix, () => 7)(store);
  store.provider.refuseReturns();
  // The run that holds the payment marks itself for operators. The note for a person is a row.
  return (worker, nowMs) => plainStatus(act(worker, nowMs) as ReturnType<Activities['recordPayment']>);
}

const ending =
  (name: Ending, make: Made, before: (store: StoreFixture, charge: Charge) => unknown = () => undefined) =>
  async (store: StoreFixture): Promise<Act> => {
    const charge = await make(store);
    await before(store, charge);
    return (worker, nowMs) => worker[name]({ chargeId: charge.id, nowMs });
  };

const declined = ({ provider }: StoreFixture) => provider.declineNext('insufficient_funds');
const paidUnnoticed = (store: StoreFixture, charge: Charge) => mustPay(store, charge);
/** The issuer has approved the card, and the answer was lost. */
const approvedUnnoticed = (store: StoreFixture, charge: Charge) => {
  store.provider.afterNextAnswer('chargeCard', () => Promise.reject(new Error('the answer was lost')));
  return store
    .worker()
    .authorizeCharge({ chargeId: charge.id, nowMs: Date.now() })
    .catch(() => undefined);
};

/** Endings of an unpaid charge, and of one that was paid without anyone noticing. */
const endings = (name: 'failCharge' | 'expireCharge' | 'cancelCharge'): readonly Situation[] => [
  { when: 'a PIX charge is open', prepare: ending(name, pix) },
  { when: 'the charge of a checkout holds a coupon', prepare: ending(name, ofCheckout('PIX')) },
  { when: 'the code of a cycle is open', prepare: ending(name, ofCycle('PIX')) },
  { when: 'a PIX charge was paid and not notified', prepare: ending(name, pix, paidUnnoticed) },
  {
    when: 'a card was charged and the answer was lost',
    prepare: ending(name, ofCheckout('CARD'), approvedUnnoticed),
  },
];

/** A charge that was paid and recorded. */
async function paidCharge(store: StoreFixture, make: Made): Promise<Charge> {
  const charge = await make(store);
  const { id: chargeId } = charge;
  if (charge.method === 'CARD') await store.worker().authorizeCharge({ chargeId, nowMs: Date.now() });
  else await (await paying(async () => charge)(store))(store.worker(), Date.now());
  return charge;
}

/** One that is paid already stays as it is. */
async function paidOnce(store: StoreFixture, make: Made): Promise<Charge> {
  return make === unsettledCard ? make(store) : paidCharge(store, make);
}

const refunding =
  (make: Made, amountCents?: number, before: (store: StoreFixture) => unknown = () => undefined) =>
  async (store: StoreFixture): Promise<Act> => {
    const charge = await paidOnce(store, make);
    const { id: refundId } = await requestRefund(store, charge, amountCents);
    before(store);
    return (worker, nowMs) => worker.refundCharge({ chargeId: charge.id, refundId, nowMs });
  };

const disputing =
  (status: DisputeStatus, make: Made = pix) =>
  async (store: StoreFixture): Promise<Act> => {
    const { id: chargeId, providerReference: reference } = await paidCharge(store, make);
    const providerDisputeId = `dispute-of-${chargeId}`;
    store.provider.setDispute({ providerDisputeId, reference, status, amountCents: null, reason: 'fraud' });
    return (worker, nowMs) => worker.recordDispute({ chargeId, providerDisputeId, nowMs });
  };

async function settling(store: StoreFixture): Promise<Act> {
  const { id } = await paidCharge(store, boleto);
  const { settlesAt } = await store.database.em.fork().findOneOrFail(ChargeEntity, { id });
  const { storeId } = store;
  const nowMs = settlesAt?.getTime() ?? 0;
  // How many it settles depends on how many an earlier run has.
  return async (worker) => void (await worker.settleCharges({ storeId, devMode: true, nowMs }));
}

/** Situations of charges, by activity. */
export const CHARGE_SITUATIONS: Record<ChargeActivity & keyof Activities, readonly Situation[]> = {
  recordPayment: [
    { when: 'a PIX charge is paid', prepare: paying(pix) },
    { when: 'a charge is split with a sub-account', prepare: paying(splitPix) },
    { when: 'a charge of a checkout with a coupon is paid', prepare: paying(ofCheckout('PIX', ['PIX'])) },
    { when: 'the code of a cycle is paid', prepare: paying(ofCycle('PIX')) },
    { when: 'a boleto is paid', prepare: paying(boleto), dependsOnTime: SETTLES },
    { when: 'too little is paid', prepare: paying(pix, () => 1) },
    { when: 'a charge is paid twice', prepare: payingAgain },
    { when: 'an expired charge is paid', prepare: payingTooLate },
    { when: 'the provider refuses to return a payment', prepare: payingWithoutReturn },
  ],
  authorizeCharge: [
    { when: 'the card of a checkout is approved', prepare: ending('authorizeCharge', ofCheckout('CARD')) },
    {
      when: 'the card of a checkout is declined',
      prepare: ending('authorizeCharge', ofCheckout('CARD'), declined),
    },
    { when: 'a coupon covers everything', prepare: ending('authorizeCharge', ofCheckout('FREE')) },
    {
      when: 'the first payment starts a subscription',
      prepare: ending('authorizeCharge', ofNewSubscription),
    },
    { when: 'the card of a cycle is approved', prepare: ending('authorizeCharge', ofCycle('CARD')) },
    {
      when: 'the card of a cycle is declined',
      prepare: ending('authorizeCharge', ofCycle('CARD'), declined),
    },
  ],
  failCharge: endings('failCharge'),
  expireCharge: endings('expireCharge'),
  cancelCharge: endings('cancelCharge'),
  refundCharge: [
    { when: 'all is refunded', prepare: refunding(pix) },
    { when: 'a part is refunded', prepare: refunding(pix, 2_500) },
    { when: 'a split charge is refunded', prepare: refunding(splitPix) },
    { when: 'a card is refunded', prepare: refunding(ofCheckout('CARD')) },
    { when: 'a boleto is refunded before it settles', prepare: refunding(boleto), dependsOnTime: SETTLES },
    {
      when: 'the provider refuses it',
      prepare: refunding(pix, undefined, ({ provider }) => provider.refuseReturns()),
    },
    {
      when: 'the provider refuses it before the payment settles',
      prepare: refunding(unsettledCard, undefined, ({ provider }) => provider.refuseReturns()),
      dependsOnTime: SETTLES,
    },
  ],
  recordDispute: [
    { when: 'a dispute is opened', prepare: disputing('OPEN') },
    { when: 'a dispute is won', prepare: disputing('WON') },
    { when: 'a dispute is lost', prepare: disputing('LOST') },
    { when: 'a dispute of a split charge is lost', prepare: disputing('LOST', splitPix) },
    { when: 'a dispute of a card is opened', prepare: disputing('OPEN', ofCheckout('CARD')) },
  ],
  settleCharges: [{ when: 'a boleto settles', prepare: settling }],
};
