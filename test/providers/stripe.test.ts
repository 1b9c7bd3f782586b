import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { statementTotalsOf } from '../../src/domain/statement-day.ts';
import { mintId } from '../../src/ids.ts';
import type { AcceptCard, ChargeCard } from '../../src/providers/ports/cards.ts';
import type { SubmitEvidence } from '../../src/providers/ports/evidence.ts';
import { readStripeAccount } from '../../src/providers/stripe/account.ts';
import {
  createStripeProvider,
  STRIPE_CAPABILITIES,
  type StripeProvider,
} from '../../src/providers/stripe/stripe-provider.ts';
import {
  DISPUTE_DUE_BY,
  type StripeCard,
  type StripeFault,
  StripeStandIn,
} from '../support/outside/stripe-stand-in.ts';
import { conforms } from './conformance.ts';

const ACCEPT: AcceptCard = {
  submissionKey: 'submission-1',
  payer: { name: null, taxId: null },
  keepsCard: false,
  isFree: false,
};
const NOTIFICATION_SECRET = 'path-secret';
const WEBHOOK_SECRET = 'whsec_test';

const inputFor = (apiUrl: string) => ({
  id: 'pacc_stripe',
  profile: 'stripe',
  settings: { stripeMode: 'test', publishableKey: 'pk_test_123', apiUrl },
  secrets: {
    secretKey: 'rk_test_123',
    notificationSecret: NOTIFICATION_SECRET,
    webhookSecret: WEBHOOK_SECRET,
  },
});

const setupOf = ({ metadata }: Record<string, unknown>) => Object(metadata).recebe_reference;

function chargeOf(token: string, given: Partial<ChargeCard> = {}): ChargeCard {
  const chargeId = mintId<ChargeId>('cardCharge', new Date());
  return {
    ...{ chargeId, reference: chargeId, token, amountCents: 2_590, installmentsCount: 1 },
    ...{ payer: { name: 'Ana Souza', taxId: '52998224725' }, returnUrl: 'https://pay.example.com/back' },
    ...{ isOffSession: false, keepsCard: false, now: new Date() },
    ...given,
  };
}

conforms('Stripe', STRIPE_CAPABILITIES, async () => {
  const stripe = new StripeStandIn();
  await stripe.open();
  const provider = createStripeProvider(readStripeAccount(inputFor(stripe.url)));
  return {
    provider,
    pay: async () => false,
    goodCardToken: async () => stripe.addCard(),
    close: async () => {
      await provider.disconnect();
      await stripe.close();
    },
  };
});

describe('an account at Stripe', () => {
  let stripe: StripeStandIn;
  let provider: StripeProvider;
  beforeAll(async () => {
    stripe = new StripeStandIn();
    await stripe.open();
    provider = createStripeProvider(readStripeAccount(inputFor(stripe.url)), { timeoutMs: 500 });
  });
  afterAll(async () => {
    await provider.disconnect();
    await stripe.close();
  });
  beforeEach(() => {
    stripe.fault = () => null;
    stripe.isSearchBlind = false;
    stripe.refundStatus = 'succeeded';
  });

  const intentsOf = (reference: string) =>
    [...stripe.intents.values()].filter(
      ({ metadata }) => (metadata as Record<string, unknown>).recebe_reference === reference,
    );
  const accept = (token: string, request: AcceptCard) => {
    const { entry } = provider.cards;
    if (entry.kind !== 'PROVIDER_FIELDS') throw new Error('no number may be typed here');
    return entry.accept(token, request);
  };
  it.each([
    ['apple_pay', 'APPLE_PAY'],
    ['google_pay', 'GOOGLE_PAY'],
  ] as const)('knows from Stripe that a card comes from %s', async (type, wallet) => {
    expect(await accept(stripe.addCard('APPROVE', type), ACCEPT)).toMatchObject({ wallet, lastFour: '4242' });
    expect(await accept(stripe.addCard(), ACCEPT)).not.toHaveProperty('wallet');
  });

  it('registers the host of the pages once, and has it checked again', async () => {
    const { walletPages: pages } = provider.cards;
    const isActive = async () => (await pages?.find('pay.example.com'))?.map((each) => each.isActive);
    expect(await isActive()).toEqual([false, false]);
    stripe.fault = ({ path }) => (path.endsWith('/validate') ? { kind: 'STATUS', status: 503 } : null);
    await expect(pages?.register('pay.example.com')).rejects.toMatchObject({ kind: 'RETRY' });
    stripe.fault = () => null;
    expect(await pages?.find('pay.example.com')).toEqual([
      { wallet: 'APPLE_PAY', isActive: false, problem: 'not verified with Apple yet' },
      { wallet: 'GOOGLE_PAY', isActive: true, problem: null },
    ]);
    for (let repeat = 0; repeat < 2; repeat++)
      expect(await pages?.register('pay.example.com')).toEqual([
        { wallet: 'APPLE_PAY', isActive: true, problem: null },
        { wallet: 'GOOGLE_PAY', isActive: true, problem: null },
      ]);
    expect(stripe.domains.size).toBe(1);
  });

  it('reads balance transactions and payouts of a time, and names what it cannot read', async () => {
    const created = Date.UTC(2027, 0, 5, 15) / 1_000;
    const book = (id: string, amount: number, fee: number, category: string, source: unknown = null) =>
      stripe.balance.set(id, {
        ...{ id, object: 'balance_transaction', amount, fee, net: amount - fee, currency: 'brl' },
        ...{ created, reporting_category: category, source },
      });
    const metadata = { recebe_reference: mintId<ChargeId>('cardCharge', new Date()) };
    book('txn_1', 5_000, 239, 'charge', { id: 'ch_1', payment_intent: 'pi_1', metadata });
    book('txn_2', 900, 75, 'charge', { id: 'ch_2', payment_intent: 'pi_2', metadata: {} });
    book('txn_3', -2_000, 0, 'refund', { id: 're_1', payment_intent: 'pi_1', metadata: {} });
    book('txn_4', -5_000, 5_500, 'dispute', { id: 'du_1', payment_intent: 'pi_1', metadata: {} });
    book('txn_5', -3_000, 0, 'payout', 'po_1');
    book('txn_6', -150, 0, 'fee');
    book('txn_7', 10, 0, 'some_new_category');
    stripe.balance.set('txn_8', { id: 'txn_8', created });
    book('txn_9', 1, 0, 'charge');
    Object.assign(stripe.balance.get('txn_9') ?? {}, { created: created + 86_400 });
    stripe.payouts.set('po_1', {
      ...{ id: 'po_1', object: 'payout', amount: 3_000, currency: 'brl', status: 'in_transit', created },
      arrival_date: Date.UTC(2027, 0, 7) / 1_000,
    });
    const time = { from: new Date(created * 1_000), until: new Date((created + 3_600) * 1_000) };
    const { items, unreadableIds, nextCursor } = await provider.statement.entries(time, null);
    expect(unreadableIds).toEqual(['txn_8']);
    expect(nextCursor).toBeNull();
    expect(
      items.map(({ id, kind, isOurs, providerPaymentId }) => [id, kind, isOurs, providerPaymentId]),
    ).toEqual([
      ['txn_7', 'ADJUSTMENT', false, null],
      ['txn_6', 'FEE', false, null],
      ['txn_5', 'PAYOUT', false, null],
      ['txn_4', 'DISPUTE', false, 'pi_1'],
      ['txn_3', 'REFUND', false, 'pi_1'],
      ['txn_2', 'PAYMENT', false, 'pi_2'],
      ['txn_1', 'PAYMENT', true, 'pi_1'],
    ]);
    expect(statementTotalsOf(items)).toEqual({
      ...{ grossCents: 5_900, refundCents: -2_000, disputeCents: -5_000, adjustmentCents: 10 },
      ...{ feeCents: 239 + 75 + 5_500 + 150, payoutCents: -3_000, netCents: -7_054, balanceCents: null },
    });
    expect((await provider.statement.payouts(time, null)).items).toEqual([
      { id: 'po_1', amountCents: 3_000, status: 'UNDER_WAY', arrivesOn: '2027-01-07' },
    ]);
  });

  const charge = (request: ChargeCard) => provider.cards.charge(request);
  const paid = async (given: Partial<ChargeCard> = {}) => {
    const answer = await charge(chargeOf(stripe.addCard(), given));
    if (answer.outcome !== 'APPROVED') throw new Error(`the card was ${answer.outcome}`);
    return answer.payment;
  };
  const refund = (providerPaymentId: string, amountCents: number, reference?: RefundId) => {
    const refundReference = reference ?? mintId<RefundId>('refund', new Date());
    return provider.charges.refund({ refundReference, providerPaymentId, amountCents });
  };

  describe('cards', () => {
    it('sends no payer and no card number, and derives the key from the reference', async () => {
      const request = chargeOf(stripe.addCard());
      stripe.seen.length = 0;
      expect(await charge(request)).toMatchObject({ outcome: 'APPROVED', payment: { amountCents: 2_590 } });
      const [sent] = stripe.seen;
      expect(Object.fromEntries(sent?.fields ?? [])).toEqual({
        ...{ amount: '2590', currency: 'brl', confirm: 'true', capture_method: 'automatic' },
        ...{ payment_method: request.token, 'allowed_payment_method_types[0]': 'card' },
        ...{ 'metadata[recebe_reference]': request.reference, return_url: request.returnUrl },
        'expand[0]': 'latest_charge',
      });
      expect(sent?.headers).toMatchObject({
        'idempotency-key': `recebe-charge-${request.reference}`,
        'stripe-version': '2026-10-28.endive',
        authorization: 'Bearer rk_test_123',
      });
      expect(sent?.headers['x-stripe-client-telemetry']).toBeUndefined();
    });

    it.each([
      ['insufficient_funds', 'insufficient_funds'],
      ['expired_card', 'expired_card'],
      ['incorrect_cvc', 'incorrect_cvc'],
      ['fraudulent', 'suspected_fraud'],
      ['lost_card', 'card_declined'],
      ['a_code_of_next_year', 'card_declined'],
      ['constructor', 'card_declined'],
    ])('declines %s as %s, with the code of the issuer', async (decline, reason) => {
      const request = chargeOf(stripe.addCard({ decline }));
      const declined = { outcome: 'DECLINED', reason, issuerCode: decline };
      expect(await charge(request)).toEqual(declined);
      expect(await charge(request)).toEqual(declined);
      expect(intentsOf(request.reference)).toHaveLength(1);
    });

    it('redirects the payer for 3-D Secure and approves once they have confirmed', async () => {
      const request = chargeOf(stripe.addCard('CONFIRM'));
      const first = await charge(request);
      const [intent] = intentsOf(request.reference);
      expect(first).toMatchObject({ outcome: 'REQUIRES_ACTION', url: `${stripe.url}/3ds/${intent?.id}` });
      expect(await charge(request)).toEqual(first);
      stripe.confirm(String(intent?.id), true);
      expect(await charge(request)).toMatchObject({ outcome: 'APPROVED' });
    });

    it('declines a failed 3-D Secure and closes an abandoned one', async () => {
      const failed = chargeOf(stripe.addCard('CONFIRM'));
      await charge(failed);
      stripe.confirm(String(intentsOf(failed.reference)[0]?.id), false);
      expect(await charge(failed)).toMatchObject({ outcome: 'DECLINED', reason: 'authentication_failed' });
      const abandoned = chargeOf(stripe.addCard('CONFIRM'));
      await charge(abandoned);
      expect(await provider.charges.close(abandoned.reference)).toEqual({ outcome: 'CLOSED' });
      expect(await charge(abandoned)).toMatchObject({ outcome: 'DECLINED' });
    });

    it('keeps a card with consent and charges it later without the payer', async () => {
      const method = stripe.addCard();
      const kept = { ...ACCEPT, keepsCard: true, submissionKey: 'keeps' };
      const card = await accept(method, kept);
      expect(card).toEqual({
        token: expect.stringMatching(new RegExp(`^cus_\\w+:${method}$`)),
        brand: 'visa',
        lastFour: '4242',
        expiryMonth: '2030-12',
      });
      expect(await accept(method, kept)).toEqual(card);
      const token = card?.token ?? '';
      expect(await charge(chargeOf(token, { keepsCard: true }))).toMatchObject({ outcome: 'APPROVED' });
      expect(await charge(chargeOf(token, { isOffSession: true, keepsCard: true }))).toMatchObject({
        outcome: 'APPROVED',
      });
      expect(stripe.seen.filter(({ fields }) => fields.get('off_session') === 'true')).toHaveLength(1);
      expect(await accept(method, kept)).toEqual(card);
      expect(await accept(method, { ...kept, submissionKey: 'other' })).toBeNull();
    });

    it('declines a later charge whose issuer wants the payer', async () => {
      const request = chargeOf(stripe.addCard('CONFIRM'), { isOffSession: true });
      expect(await charge(request)).toMatchObject({ outcome: 'DECLINED', reason: 'authentication_required' });
    });

    it('accepts no unknown or malformed token', async () => {
      for (const token of ['', 'pm_unknown', 'pm_../../refunds', 'tok_visa', '4242424242424242'])
        expect(await accept(token, ACCEPT)).toBeNull();
    });

    it('verifies the card of a trial once per reference', async () => {
      const accepted = async (card: StripeCard) => {
        const token = (await accept(stripe.addCard(card), { ...ACCEPT, isFree: true, keepsCard: true }))
          ?.token;
        const reference = mintId<ChargeId>('freeCharge', new Date());
        const verify = () =>
          provider.cards.verify({ reference, token: token ?? '', returnUrl: 'https://pay.example.com/back' });
        return {
          verify,
          setups: () => [...stripe.setups.values()].filter((each) => setupOf(each) === reference),
        };
      };
      const declined = await accepted({ decline: 'insufficient_funds' });
      expect(await declined.verify()).toEqual({ outcome: 'DECLINED', reason: 'insufficient_funds' });
      const confirmed = await accepted('CONFIRM');
      expect(await confirmed.verify()).toMatchObject({ outcome: 'REQUIRES_ACTION' });
      expect(await confirmed.verify()).toMatchObject({ outcome: 'REQUIRES_ACTION' });
      expect(confirmed.setups()).toHaveLength(1);
    });

    it('declines a card that Stripe refuses to charge', async () => {
      const request = chargeOf('pm_unknown');
      expect(await charge(request)).toEqual({
        outcome: 'DECLINED',
        reason: 'processing_error',
        issuerCode: 'resource_missing',
      });
    });

    it('finds an old charge by the search instead of sending it again', async () => {
      const request = chargeOf(stripe.addCard());
      await charge(request);
      const later = { ...request, now: new Date(Date.now() + 25 * 60 * 60_000) };
      stripe.seen.length = 0;
      expect(await charge(later)).toMatchObject({ outcome: 'APPROVED' });
      expect(stripe.seen.map(({ method }) => method)).toEqual(['GET', 'GET']);
    });

    it('answers from the first request after a release that sends other parameters', async () => {
      const request = chargeOf(stripe.addCard());
      const { payment } = { payment: null, ...(await charge(request)) };
      const other = { ...request, returnUrl: 'https://pay.example.com/other' };
      expect(await charge(other)).toMatchObject({
        outcome: 'APPROVED',
        payment: { providerPaymentId: payment?.providerPaymentId },
      });
    });
  });

  describe('verified cards', () => {
    const verify = (token: string, reference: string = mintId('cardChange', new Date())) =>
      provider.cards.verify({ reference, token, returnUrl: 'https://pay.example.com/portal' });
    let submissions = 0;
    const keep = async (method: string) => {
      submissions += 1;
      const request = { ...ACCEPT, keepsCard: true, submissionKey: `new-card-${submissions}` };
      return (await accept(method, request))?.token ?? '';
    };

    it('verifies a card once, charges nothing, and charges it later without the payer', async () => {
      const token = await keep(stripe.addCard());
      const reference = mintId('cardChange', new Date());
      const [intents, setups] = [stripe.intents.size, stripe.setups.size];
      for (let times = 0; times < 3; times += 1)
        expect(await verify(token, reference)).toEqual({ outcome: 'VERIFIED' });
      expect([stripe.intents.size, stripe.setups.size]).toEqual([intents, setups + 1]);
      expect([...stripe.setups.values()].at(-1)).toMatchObject({
        metadata: { recebe_reference: reference },
        customer: token.split(':')[0],
      });
      const later = await charge(chargeOf(token, { isOffSession: true }));
      expect(later.outcome).toBe('APPROVED');
    });

    it('verifies once although the first answer was lost', async () => {
      const token = await keep(stripe.addCard());
      const reference = mintId('cardChange', new Date());
      const before = stripe.setups.size;
      let isCut = false;
      stripe.fault = ({ path }) => {
        if (isCut || path !== '/v1/setup_intents') return null;
        isCut = true;
        return { kind: 'CUT_AFTER' };
      };
      await verify(token, reference).catch(() => null);
      expect(await verify(token, reference)).toEqual({ outcome: 'VERIFIED' });
      expect(stripe.setups.size).toBe(before + 1);
    });

    it('declines a card that its issuer refuses', async () => {
      const token = await keep(stripe.addCard({ decline: 'insufficient_funds' }));
      expect(await verify(token)).toEqual({ outcome: 'DECLINED', reason: 'insufficient_funds' });
    });

    it.each([true, false])('asks the payer, who confirms the card: %s', async (isConfirmed) => {
      const token = await keep(stripe.addCard('CONFIRM'));
      const reference = mintId('cardChange', new Date());
      const asked = await verify(token, reference);
      expect(asked).toEqual({ outcome: 'REQUIRES_ACTION', url: expect.stringContaining('/3ds/seti_') });
      const setupId = String([...stripe.setups.values()].at(-1)?.id);
      stripe.confirmSetup(setupId, isConfirmed);
      const { outcome } = await verify(token, reference);
      expect(outcome).toBe(isConfirmed ? 'VERIFIED' : 'DECLINED');
    });
  });

  describe('faults', () => {
    const FAULTS: readonly StripeFault[] = [
      { kind: 'CUT_AFTER' },
      { kind: 'CUT_BEFORE' },
      { kind: 'DELAY', delayMs: 700 },
      { kind: 'STATUS', status: 429 },
      { kind: 'STATUS', status: 503 },
    ];

    it.each(FAULTS)('charges once although its creation meets $kind $status', async (fault) => {
      for (let round = 0; round < (fault.kind === 'DELAY' ? 3 : 20); round++) {
        const request = chargeOf(stripe.addCard());
        let faults = 2;
        stripe.fault = ({ method, path }) =>
          method === 'POST' && path === '/v1/payment_intents' && faults-- > 0 ? fault : null;
        await expect(charge(request)).rejects.toMatchObject({ name: 'ProviderError' });
        await expect(charge(request)).rejects.toMatchObject({ name: 'ProviderError' });
        expect(await charge(request)).toMatchObject({ outcome: 'APPROVED' });
        expect(intentsOf(request.reference)).toHaveLength(1);
      }
    });

    it('closes a charge whose answers are lost, also while the search lags', async () => {
      stripe.isSearchBlind = true;
      const request = chargeOf(stripe.addCard('CONFIRM'));
      stripe.fault = ({ method }) => (method === 'POST' ? { kind: 'CUT_AFTER' } : null);
      await expect(charge(request)).rejects.toThrow('was not answered');
      expect(await provider.charges.close(request.reference)).toEqual({ outcome: 'CLOSED' });
      stripe.fault = () => null;
      expect(await charge(request)).toMatchObject({ outcome: 'DECLINED' });
      expect(intentsOf(request.reference)).toHaveLength(1);
    });

    it('closes a charge that Stripe failed to create, although it stores that answer', async () => {
      const request = chargeOf(stripe.addCard());
      stripe.fault = ({ method }) =>
        method === 'POST' ? { kind: 'STATUS', status: 500, isStored: true } : null;
      await expect(charge(request)).rejects.toMatchObject({ kind: 'RETRY' });
      stripe.fault = () => null;
      expect(await provider.charges.close(request.reference)).toEqual({ outcome: 'CLOSED' });
      expect(await charge(request)).toMatchObject({ outcome: 'DECLINED', reason: 'processing_error' });
      expect(intentsOf(request.reference)).toEqual([]);
    });

    it('refunds once although each order meets a fault', async () => {
      for (const fault of FAULTS) {
        const { providerPaymentId } = await paid();
        const reference = mintId<RefundId>('refund', new Date());
        stripe.fault = ({ method }) => (method === 'POST' ? fault : null);
        await refund(providerPaymentId, 1_000, reference).catch(() => null);
        stripe.fault = () => null;
        expect(await refund(providerPaymentId, 1_000, reference)).toEqual({ outcome: 'RETURNED' });
        const known = await provider.charges.findPayment(providerPaymentId);
        expect(known?.refunds).toEqual([
          { reference, amountCents: 1_000, status: 'RETURNED', kind: 'ORDINARY' },
        ]);
      }
    });

    it('names the credentials that Stripe refuses, without showing them', async () => {
      stripe.fault = () => ({ kind: 'STATUS', status: 401 });
      const failure = await provider.charges.findPayment('pi_any').catch((error) => error);
      expect(failure).toMatchObject({ kind: 'UNAUTHORIZED' });
      expect(failure.message).not.toContain('rk_test');
    });
  });

  describe('stored cards', () => {
    const FAULTS: readonly StripeFault[] = [
      { kind: 'CUT_AFTER' },
      { kind: 'STATUS', status: 500, isStored: true },
    ];
    const stored = async () => {
      const submissionKey = mintId<ChargeId>('cardCharge', new Date());
      const card = await accept(stripe.addCard(), { ...ACCEPT, keepsCard: true, submissionKey });
      const token = card?.token ?? '';
      const answer = await charge(chargeOf(token, { keepsCard: true }));
      if (answer.outcome !== 'APPROVED') throw new Error(`the card was ${answer.outcome}`);
      return { token, customer: token.split(':')[0] ?? '', payment: answer.payment };
    };

    it('detaches the card and deletes its customer, also twice, and can still refund', async () => {
      const { token, customer, payment } = await stored();
      expect(stripe.keptCustomers).toContain(customer);
      await provider.cards.forget(token);
      await provider.cards.forget(token);
      expect(stripe.keptCustomers).not.toContain(customer);
      const later = chargeOf(token, { isOffSession: true });
      expect(await charge(later)).toMatchObject({ outcome: 'DECLINED' });
      expect(await refund(payment.providerPaymentId, 2_590)).toEqual({ outcome: 'RETURNED' });
    });

    it.each(FAULTS)('erases a card although each request meets $kind', async (fault) => {
      const { token, customer } = await stored();
      const met = new Set<string>();
      stripe.fault = ({ method, path }) => {
        const request = `${method} ${path}`;
        if (method === 'GET' || met.has(request)) return null;
        met.add(request);
        return fault;
      };
      for (let tries = 0; tries < 2; tries++) await provider.cards.forget(token).catch(() => null);
      stripe.fault = () => null;
      // Stripe repeats its stored failure for a day.
      if (fault.kind === 'STATUS') stripe.forgetKeys();
      await provider.cards.forget(token);
      expect(stripe.keptCustomers).not.toContain(customer);
    });

    it('leaves a customer of another program and a card that was never stored', async () => {
      const other = stripe.addCustomer();
      await provider.cards.forget(`${other}:${stripe.addCard()}`);
      expect(stripe.keptCustomers).toContain(other);
      stripe.seen.length = 0;
      await provider.cards.forget(stripe.addCard());
      expect(stripe.seen).toEqual([]);
    });

    it('finds a stored card as it is now, and none that is not stored', async () => {
      const { token, customer } = await stored();
      const [, method = ''] = token.split(':');
      stripe.replaceCard(method, { last4: '1881', exp_month: 3, exp_year: 2031 });
      expect(await provider.cards.find(token)).toEqual({
        ...{ token, brand: 'visa', lastFour: '1881', expiryMonth: '2031-03' },
      });
      expect(await provider.cards.find(`cus_other:${method}`)).toBeNull();
      expect(await provider.cards.find(method)).toBeNull();
      expect(await provider.cards.find(`${customer}:pm_unknown`)).toBeNull();
      await provider.cards.forget(token);
      expect(await provider.cards.find(token)).toBeNull();
    });

    it('reports that the key may not erase cards', async () => {
      const { token } = await stored();
      stripe.fault = ({ path }) => (path.endsWith('/detach') ? { kind: 'STATUS', status: 403 } : null);
      await expect(provider.cards.forget(token)).rejects.toMatchObject({ kind: 'UNAUTHORIZED' });
    });
  });

  describe('refunds and disputes', () => {
    it('follows a slow refund until it fails, and refunds again', async () => {
      stripe.refundStatus = 'pending';
      const { providerPaymentId } = await paid();
      const reference = mintId<RefundId>('refund', new Date());
      expect(await refund(providerPaymentId, 2_590, reference)).toMatchObject({ outcome: 'PENDING' });
      stripe.endRefund(String([...stripe.refunds.values()].at(-1)?.id), 'failed');
      expect(await refund(providerPaymentId, 2_590, reference)).toMatchObject({ outcome: 'REFUSED' });
      stripe.refundStatus = 'succeeded';
      expect(await refund(providerPaymentId, 2_590)).toEqual({ outcome: 'RETURNED' });
    });

    it('reports refunds that were made in the dashboard of Stripe', async () => {
      const { providerPaymentId } = await paid();
      const { id } = stripe.addRefund(providerPaymentId, 590);
      const known = await provider.charges.findPayment(providerPaymentId);
      expect(known?.refunds).toEqual([
        { reference: id, amountCents: 590, status: 'RETURNED', kind: 'ORDINARY' },
      ]);
      expect(await refund(providerPaymentId, 2_590)).toMatchObject({ outcome: 'REFUSED' });
    });

    it.each([
      ['warning_needs_response', 'INQUIRY', 'NEEDS_RESPONSE'],
      ['warning_under_review', 'INQUIRY', 'UNDER_REVIEW'],
      ['warning_closed', 'INQUIRY_CLOSED', null],
      ['needs_response', 'OPEN', 'NEEDS_RESPONSE'],
      ['under_review', 'OPEN', 'UNDER_REVIEW'],
      ['won', 'WON', null],
      ['lost', 'LOST', null],
    ])('reports a dispute that %s as %s', async (status, expected, stage) => {
      const { providerPaymentId, reference } = await paid();
      const id = stripe.dispute(providerPaymentId, status);
      const dispute = {
        ...{ providerDisputeId: id, reference, providerPaymentId, amountCents: 2_590 },
        ...{ status: expected, stage, reason: 'fraudulent', hasEvidence: false },
        respondBy: new Date(DISPUTE_DUE_BY * 1_000),
        withdrawals: status.startsWith('warning_')
          ? []
          : [{ providerTransactionId: expect.any(String), withdrawnCents: 2_590 }],
        fees: status.startsWith('warning_')
          ? []
          : [{ providerFeeId: expect.any(String), chargedCents: 5_500 }],
      };
      expect(await provider.disputes.find(id)).toEqual(dispute);
      expect((await provider.charges.findPayment(providerPaymentId))?.disputes).toEqual([dispute]);
      const time = { from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
      const { items } = await provider.listing.payments({ ...time, onlyReversed: true }, null);
      expect(items).toContainEqual(expect.objectContaining({ providerPaymentId, disputes: [dispute] }));
    });

    it('ignores a dispute with a status that it does not know', async () => {
      const { providerPaymentId } = await paid();
      expect(await provider.disputes.find(stripe.dispute(providerPaymentId, 'prevented'))).toBeNull();
    });

    it.each([
      [0, [5_500]],
      [5_500, [5_500, -5_500]],
    ])('reports a fee of which %d cents came back with the money', async (returnedCents, charged) => {
      const { providerPaymentId } = await paid();
      const id = stripe.dispute(providerPaymentId);
      stripe.decideDispute(id, 'won', returnedCents);
      const { fees = [] } = (await provider.disputes.find(id)) ?? {};
      expect(fees.map(({ chargedCents }) => chargedCents)).toEqual(charged);
    });
  });

  describe('evidence', () => {
    const PDF = Buffer.from('%PDF-1.7 receipt');
    const disputed = async (status = 'needs_response') => {
      const { providerPaymentId } = await paid();
      const providerDisputeId = stripe.dispute(providerPaymentId, status);
      const request: SubmitEvidence = {
        ...{ providerDisputeId, submissionKey: `${providerDisputeId}-1` },
        texts: { productDescription: 'Curso de violão', uncategorizedText: 'Ver anexo' },
        files: [{ kind: 'receipt', type: 'application/pdf', content: PDF }],
      };
      stripe.files.clear();
      return request;
    };
    const stored = ({ providerDisputeId }: SubmitEvidence) => stripe.disputes.get(providerDisputeId);

    it.each(['needs_response', 'warning_needs_response'])(
      'submits texts and files of %s once',
      async (status) => {
        const request = await disputed(status);
        expect(await provider.evidence.submit(request)).toEqual({ outcome: 'DONE' });
        expect(await provider.evidence.submit(request)).toEqual({ outcome: 'DONE' });
        const [file] = [...stripe.files.values()];
        expect(file).toMatchObject({ purpose: 'dispute_evidence', content: PDF.toString('hex') });
        expect(stored(request)).toMatchObject({
          status: status.replace('needs_response', 'under_review'),
          evidence: {
            ...{ product_description: 'Curso de violão', uncategorized_text: 'Ver anexo' },
            receipt: file?.id,
          },
          evidence_details: { submission_count: 1 },
        });
        expect(await provider.disputes.find(request.providerDisputeId)).toMatchObject({ hasEvidence: true });
      },
    );

    it.each(['CUT_AFTER', 'CUT_BEFORE'] as const)('submits once if answers are lost by %s', async (kind) => {
      const request = await disputed();
      let lost = 0;
      stripe.fault = ({ method }) => (method === 'POST' && lost++ < 2 ? { kind } : null);
      let outcome = '';
      for (let tries = 0; outcome === '' && tries < 6; tries += 1)
        outcome = await provider.evidence.submit(request).then(
          (answer) => answer.outcome,
          () => '',
        );
      expect(outcome).toBe('DONE');
      expect(stripe.files.size).toBe(1);
      expect(stored(request)).toMatchObject({ evidence_details: { submission_count: 1 } });
    });

    it('refuses evidence for a decided dispute, and of another submission', async () => {
      const request = await disputed();
      await provider.evidence.submit(request);
      const other = { ...request, submissionKey: 'other' };
      expect(await provider.evidence.submit(other)).toEqual({
        ...{ outcome: 'REFUSED', reason: 'dispute_under_review' },
      });
      const lost = await disputed('lost');
      expect(await provider.evidence.submit(lost)).toEqual({ outcome: 'REFUSED', reason: 'dispute_lost' });
    });

    it('accepts a dispute once', async () => {
      const { providerDisputeId: id } = await disputed();
      stripe.fault = ({ path }) => (path.endsWith('/close') ? { kind: 'CUT_AFTER' } : null);
      expect(await provider.evidence.accept(id, 'key')).toEqual({ outcome: 'DONE' });
      expect(await provider.evidence.accept(id, 'key')).toEqual({ outcome: 'DONE' });
      expect(await provider.disputes.find(id)).toMatchObject({ status: 'LOST' });
    });
  });

  describe('notifications', () => {
    const event = (object: object, type = 'payment_intent.succeeded', livemode = false) =>
      Buffer.from(JSON.stringify({ object: 'event', id: 'evt_1', type, livemode, data: { object } }));
    const signedAt = (body: Buffer, secondsAgo: number, secret = WEBHOOK_SECRET) =>
      Stripe.webhooks.generateTestHeaderString({
        payload: body.toString('utf8'),
        secret,
        timestamp: Math.floor(Date.now() / 1_000) - secondsAgo,
      });
    const isAuthentic = (rawBody: Buffer, signature: string | undefined, pathSecret = NOTIFICATION_SECRET) =>
      provider.notifications.authenticate({
        rawBody,
        headers: { ...(signature !== undefined && { 'stripe-signature': signature }) },
        clientAddress: '127.0.0.1',
        peerCertificate: null,
        pathSecret,
      });
    const intent = { id: 'pi_1', object: 'payment_intent', metadata: { recebe_reference: 'card_1' } };

    it('accepts recent signatures of its secret and no others', () => {
      const body = event(intent);
      expect(isAuthentic(body, signedAt(body, 0))).toBe(true);
      expect(isAuthentic(body, signedAt(body, 290))).toBe(true);
      const [time, ours] = signedAt(body, 0).split(',');
      const [, other] = signedAt(body, 0, 'whsec_old').split(',');
      expect(isAuthentic(body, `${time},${other},${ours}`)).toBe(true);
      expect(isAuthentic(body, signedAt(body, 310))).toBe(false);
      expect(isAuthentic(body, signedAt(body, 0, 'whsec_other'))).toBe(false);
      expect(isAuthentic(event({ ...intent, id: 'pi_2' }), signedAt(body, 0))).toBe(false);
      expect(isAuthentic(body, undefined)).toBe(false);
      expect(isAuthentic(body, signedAt(body, 0), 'guessed')).toBe(false);
      expect(isAuthentic(body, `${time},v0=${ours?.slice(3)}`)).toBe(false);
    });

    it('accepts the unsigned check of the registration, which concerns nothing', () => {
      const probe = Buffer.from(provider.notifications.probe.body);
      expect(isAuthentic(probe, undefined)).toBe(true);
      expect(isAuthentic(probe, undefined, 'guessed')).toBe(false);
      expect(provider.notifications.translate(probe)).toEqual([]);
    });

    it('points at payments and disputes, and at nothing of other programs or modes', () => {
      const read = (...given: Parameters<typeof event>) => provider.notifications.translate(event(...given));
      const payment = { kind: 'PAYMENT', providerPaymentId: 'pi_1', reference: 'card_1' };
      expect(read(intent)).toEqual([payment]);
      expect(read({ ...intent, metadata: {} })).toEqual([]);
      expect(read(intent, 'payment_intent.succeeded', true)).toEqual([]);
      expect(read(intent, 'payment_intent.created')).toEqual([]);
      for (const type of ['payment_intent.payment_failed', 'payment_intent.canceled'])
        expect(read(intent, type)).toEqual([{ kind: 'CHARGE', reference: 'card_1' }]);
      expect(read({ ...intent, metadata: {} }, 'payment_intent.payment_failed')).toEqual([]);
      const charge = { id: 'ch_1', object: 'charge', payment_intent: 'pi_1', metadata: intent.metadata };
      expect(read(charge, 'charge.refunded')).toEqual([{ ...payment, hasRefunds: true }]);
      const refunded = { id: 're_1', object: 'refund', payment_intent: 'pi_1', metadata: {} };
      expect(read(refunded, 'refund.failed')).toEqual([{ ...payment, reference: null, hasRefunds: true }]);
      expect(read({ ...refunded, payment_intent: 7 }, 'refund.failed')).toEqual([
        { kind: 'UNREADABLE', id: 'evt_1' },
      ]);
      const method = { id: 'pm_1', object: 'payment_method', customer: 'cus_1' };
      for (const type of ['payment_method.automatically_updated', 'payment_method.updated'])
        expect(read(method, type)).toEqual([{ kind: 'CARD', token: 'cus_1:pm_1' }]);
      expect(read({ ...method, customer: null }, 'payment_method.updated')).toEqual([]);
      const dispute = { id: 'du_1', object: 'dispute', payment_intent: 'pi_1' };
      expect(read(dispute, 'charge.dispute.created')).toEqual([
        { kind: 'DISPUTE', providerDisputeId: 'du_1', reference: null },
      ]);
    });

    it('throws for a body that is no event', () => {
      for (const body of ['', '[]', '{}', 'null', '{"object":"event"}'])
        expect(() => provider.notifications.translate(Buffer.from(body))).toThrow('no event of Stripe');
    });

    it('makes one webhook endpoint and returns its secret to store', async () => {
      const url = 'https://pay.example.com/notifications/pacc_stripe/path-secret';
      const { webhookSecret: _old, ...secrets } = inputFor(stripe.url).secrets;
      const fresh = createStripeProvider(readStripeAccount({ ...inputFor(stripe.url), secrets }));
      const { secrets: first } = await fresh.notifications.register(url);
      expect(first).toEqual({ webhookSecret: expect.stringMatching(/^whsec_/) });
      // The answer was lost before the secret was stored.
      const { secrets: second } = await fresh.notifications.register(url);
      expect(second).not.toEqual(first);
      const stored = readStripeAccount({ ...inputFor(stripe.url), secrets: { ...secrets, ...second } });
      const known = createStripeProvider(stored);
      expect(await known.notifications.register(url)).toEqual({ secrets: {}, refused: [] });
      expect([...stripe.endpoints.values()].map((endpoint) => endpoint.secret)).toEqual([
        second.webhookSecret,
      ]);
      await Promise.all([fresh.disconnect(), known.disconnect()]);
    });
  });

  it('names the permissions that a restricted key lacks', async () => {
    stripe.fault = ({ path }) => (path.startsWith('/v1/disputes/') ? { kind: 'STATUS', status: 403 } : null);
    expect(await provider.missingPermissions?.()).toEqual(['Disputes (write)']);
  });
});

describe('settings of an account at Stripe', () => {
  const { settings, secrets } = inputFor('http://127.0.0.1:1');
  const read = (changed: object, secret: object = {}) =>
    readStripeAccount({
      ...{ id: 'pacc_stripe', profile: 'stripe' },
      settings: { ...settings, ...changed },
      secrets: { ...secrets, ...secret },
    });
  const live = { stripeMode: 'live', publishableKey: 'pk_live_1', apiUrl: 'https://api.stripe.com' };

  it('accepts live keys at the address of Stripe', () => {
    expect(read(live, { secretKey: 'rk_live_1' })).toMatchObject({
      mode: 'live',
      publishableKey: 'pk_live_1',
    });
  });

  it.each([
    ['publishableKey', { stripeMode: 'live' }, {}],
    ['secretKey', live, {}],
    ['secretKey', {}, { secretKey: 'rk_live_1' }],
    ['secretKey', {}, { secretKey: 'pk_test_1' }],
    ['apiUrl', { ...live, apiUrl: 'https://stripe.example.com' }, { secretKey: 'rk_live_1' }],
    ['apiUrl', { apiUrl: 'http://stripe.example.com' }, {}],
    ['apiUrl', { apiUrl: 'https://stripe.example.com/v1' }, {}],
    ['webhookSecret', {}, { webhookSecret: 'secret' }],
    ['clientId', { clientId: 'any' }, {}],
  ])('refuses a wrong %s: %j %j', (setting, changed, secret) => {
    expect(() => read(changed, secret)).toThrow(
      expect.objectContaining({ problems: expect.arrayContaining([expect.objectContaining({ setting })]) }),
    );
  });
});
