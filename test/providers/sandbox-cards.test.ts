import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SandboxChargeEntity } from '../../src/database/entities/sandbox-charge.ts';
import type { CardToken } from '../../src/domain/card.ts';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import type { ProviderWith } from '../../src/providers/provider.ts';
import { SandboxBank } from '../../src/providers/sandbox/sandbox-bank.ts';
import { SandboxDisputes } from '../../src/providers/sandbox/sandbox-disputes.ts';
import { sandboxMandates } from '../../src/providers/sandbox/sandbox-mandates.ts';
import { createSandboxProvider } from '../../src/providers/sandbox/sandbox-provider.ts';
import { SandboxTransfers } from '../../src/providers/sandbox/sandbox-transfers.ts';
import { createTestDatabase, type TestDatabase } from '../support/rows/database.ts';

const NOW = new Date('2026-12-04T15:00:00.000Z');
const APPROVED = '4242424242424242';
const ONCE = '4000000000000341';
const PENDING = '4000000000000077';

let db: TestDatabase;
let provider: ProviderWith<'cards'>;
beforeAll(async () => {
  db = await createTestDatabase();
  const bank = new SandboxBank(db.database);
  provider = createSandboxProvider(
    bank,
    new SandboxDisputes(db.database),
    new SandboxTransfers(db.database),
    sandboxMandates(db.database, bank),
  );
});
afterAll(() => db.drop());

function tokenize(number: string): Promise<CardToken | null> {
  const { entry } = provider.cards;
  if (entry.kind !== 'TYPED') throw new Error('the sandbox takes typed cards');
  return entry.tokenize({ number, holderName: 'ANA SOUZA', expiry: '12/30', cvv: '123' });
}

async function tokenOf(number: string): Promise<CardToken> {
  const token = await tokenize(number);
  if (token === null) throw new Error(`no test card: ${number}`);
  return token;
}

function charge(token: string, reference: ChargeId = mintId<ChargeId>('cardCharge', NOW)) {
  return provider.cards.charge({
    chargeId: reference,
    reference,
    token,
    amountCents: 2_500,
    installmentsCount: 1,
    payer: { name: 'Ana Souza', taxId: '52998224725' },
    returnUrl: 'https://pay.example.com/pay/1',
    isOffSession: false,
    keepsCard: false,
    now: NOW,
  });
}

const outcomesOf = async (answers: Promise<{ outcome: string }>[]) =>
  (await Promise.all(answers)).map(({ outcome }) => outcome);

describe('a test card', () => {
  it('pays exactly the requested amount with an approved card', async () => {
    const { token } = await tokenOf(APPROVED);
    const reference = mintId<ChargeId>('cardCharge', NOW);
    expect(await charge(token, reference)).toEqual({
      outcome: 'APPROVED',
      payment: {
        providerPaymentId: `sandbox-${reference}`,
        endToEndIdentifier: null,
        reference,
        amountCents: 2_500,
        paidAt: NOW,
        payer: { name: 'Ana Souza', taxId: '52998224725' },
        metadata: null,
      },
    });
  });

  it('charges an approved card again and again, as a subscription does', async () => {
    const { token } = await tokenOf(APPROVED);
    const outcomes = await outcomesOf(Array.from({ length: 3 }, () => charge(token)));
    expect(outcomes).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);
  });

  it.each([
    ['4000000000000002', 'card_declined'],
    ['4000000000009995', 'insufficient_funds'],
    ['4000000000000127', 'incorrect_cvc'],
    ['4000000000000069', 'expired_card'],
    ['4000000000000101', 'suspected_fraud'],
  ])('declines the card %s with %s every time', async (number, reason) => {
    const { token } = await tokenOf(number);
    const declined = { outcome: 'DECLINED', reason };
    expect(await charge(token)).toEqual(declined);
    expect(await charge(token)).toEqual(declined);
  });

  it('declines a stored card that was erased', async () => {
    const { token } = await tokenOf(APPROVED);
    expect(await charge(token)).toMatchObject({ outcome: 'APPROVED' });
    await provider.cards.forget(token);
    expect(await charge(token)).toMatchObject({ outcome: 'DECLINED', reason: 'card_declined' });
  });

  it('accepts a card number with spaces', async () => {
    expect(await tokenize('4242 4242 4242 4242')).toMatchObject({ lastFour: '4242' });
  });

  it('stores token, brand and last four digits, but never the number', async () => {
    const card = await tokenOf(ONCE);
    expect(card).toEqual({
      token: expect.any(String),
      brand: 'visa',
      lastFour: '0341',
      expiryMonth: '2030-12',
    });
    expect(JSON.stringify(card)).not.toContain(ONCE);
    await charge(card.token);
    const rows = await db.database.em.fork().findAll(SandboxChargeEntity);
    expect(JSON.stringify(rows)).toContain(card.token);
    expect(JSON.stringify(rows)).not.toContain(ONCE);
  });

  it('creates a new token for each tokenization of the same card', async () => {
    expect((await tokenOf(APPROVED)).token).not.toBe((await tokenOf(APPROVED)).token);
  });
});

describe('any other card', () => {
  it.each(['5555555555554444', '4000000000000003', '424242424242424', '', 'constructor', '__proto__'])(
    'returns no token for a number such as %p',
    async (number) => {
      expect(await tokenize(number)).toBeNull();
    },
  );

  it.each(['tok_of_another_provider', 'sandbox_approved', 'sandbox_toString_00', ''])(
    'declines an unknown token such as %p',
    async (token) => {
      expect(await charge(token)).toEqual({ outcome: 'DECLINED', reason: 'card_declined' });
    },
  );
});

describe('the card that is decided later', () => {
  it('answers PENDING first, and approves the next request of the same charge', async () => {
    const { token } = await tokenOf(PENDING);
    const reference = mintId<ChargeId>('cardCharge', NOW);
    expect(await charge(token, reference)).toEqual({ outcome: 'PENDING', pollAfterMs: 2_000 });
    expect(await provider.charges.findByReference(reference)).toEqual({ status: 'OPEN', payments: [] });
    const approved = { outcome: 'APPROVED', payment: { reference, amountCents: 2_500 } };
    expect(await charge(token, reference)).toMatchObject(approved);
    expect(await charge(token, reference)).toMatchObject(approved);
    expect(await provider.charges.close(reference)).toMatchObject({ outcome: 'PAID' });
  });

  it('declines the card if its charge was closed while it was pending', async () => {
    const { token } = await tokenOf(PENDING);
    const reference = mintId<ChargeId>('cardCharge', NOW);
    await charge(token, reference);
    expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    expect(await charge(token, reference)).toMatchObject({ outcome: 'DECLINED' });
    expect(await provider.charges.findByReference(reference)).toEqual({ status: 'CLOSED', payments: [] });
  });

  it('approves or closes a charge, never both, if they race', async () => {
    const { token } = await tokenOf(PENDING);
    for (let nth = 0; nth < 10; nth += 1) {
      const reference = mintId<ChargeId>('cardCharge', NOW);
      await charge(token, reference);
      const [answer, closed] = await Promise.all([
        charge(token, reference),
        provider.charges.close(reference),
      ]);
      expect(closed.outcome).toBe(answer.outcome === 'APPROVED' ? 'PAID' : 'CLOSED');
    }
  });
});

describe('the card that is accepted once', () => {
  it("accepts the card's first charge and declines every later one", async () => {
    const { token } = await tokenOf(ONCE);
    expect(await outcomesOf([charge(token)])).toEqual(['APPROVED']);
    const declined = { outcome: 'DECLINED', reason: 'card_declined' };
    expect(await charge(token)).toEqual(declined);
    expect(await charge(token)).toEqual(declined);
  });

  it('accepts exactly one of 20 parallel charges of the card', async () => {
    const { token } = await tokenOf(ONCE);
    const outcomes = await outcomesOf(Array.from({ length: 20 }, () => charge(token)));
    expect(outcomes.filter((outcome) => outcome === 'APPROVED')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'DECLINED')).toHaveLength(19);
  });

  it('stays used after its payment was returned', async () => {
    const { token } = await tokenOf(ONCE);
    const reference = mintId<ChargeId>('cardCharge', NOW);
    await charge(token, reference);
    await provider.charges.refund({
      refundReference: mintId<RefundId>('refund', NOW),
      providerPaymentId: `sandbox-${reference}`,
      amountCents: 2_500,
    });
    expect(await charge(token)).toMatchObject({ outcome: 'DECLINED' });
  });

  it('accepts the card once more after it is tokenized again', async () => {
    await charge((await tokenOf(ONCE)).token);
    expect(await charge((await tokenOf(ONCE)).token)).toMatchObject({ outcome: 'APPROVED' });
  });
});

describe('one reference', () => {
  it.each([
    ['approved', APPROVED],
    ['declined', '4000000000009995'],
    ['accepted once', ONCE],
  ])('returns the same result for 20 parallel and later charges of a card that is %s', async (_, number) => {
    const { token } = await tokenOf(number);
    const reference = mintId<ChargeId>('cardCharge', NOW);
    const answers = await Promise.all(Array.from({ length: 20 }, () => charge(token, reference)));
    answers.push(await charge(token, reference));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await db.database.em.fork().count(SandboxChargeEntity, { reference })).toBe(1);
  });

  it('declines a charge that was closed before, and finds no payment', async () => {
    const { token } = await tokenOf(APPROVED);
    const reference = mintId<ChargeId>('cardCharge', NOW);
    expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
    expect(await charge(token, reference)).toEqual({ outcome: 'DECLINED', reason: 'processing_error' });
    expect(await provider.charges.findPayment(`sandbox-${reference}`)).toBeNull();
  });

  it('returns the payment if the charge was paid before it is closed', async () => {
    const { token } = await tokenOf(APPROVED);
    const reference = mintId<ChargeId>('cardCharge', NOW);
    await charge(token, reference);
    expect(await provider.charges.close(reference)).toMatchObject({
      outcome: 'PAID',
      payment: { reference, amountCents: 2_500 },
    });
  });
});
