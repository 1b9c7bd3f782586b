import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TypedCard } from '../../src/domain/card.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId, PayoutId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import type { Capabilities } from '../../src/providers/capabilities.ts';
import { capabilitiesOf } from '../../src/providers/capabilities.ts';
import { listedPayoutsOf } from '../../src/providers/pages-of-transfers.ts';
import type { RefundAnswer } from '../../src/providers/ports/charges.ts';
import type { IssueAnswer } from '../../src/providers/ports/issuing.ts';
import type { ProviderPage, TimeWindow } from '../../src/providers/ports/pages.ts';
import type { ProviderPayment } from '../../src/providers/ports/payment.ts';
import type { IssuedPix } from '../../src/providers/ports/pix.ts';
import type { PaymentProvider } from '../../src/providers/provider.ts';
import { portOf, withPort } from '../../src/providers/provider.ts';
import { eventually } from '../support/waiting/eventually.ts';

/** An adapter, and payers who pay through its provider. */
export interface ProviderUnderTest {
  readonly provider: PaymentProvider;
  /** A payer pays a charge. @returns whether the provider accepted the money. */
  pay(reference: string, amountCents: number): Promise<boolean>;
  /** A card that is approved. Adapters with cards need it. */
  readonly goodCard?: TypedCard;
  /** The token of a card that is approved, as the provider's script posts it. Adapters with fields of their own need it. */
  readonly goodCardToken?: () => Promise<string>;
  /** A PIX key, of type EMAIL, that money reaches. Adapters that send money to keys need it. */
  readonly goodPixKey?: string;
  close(): Promise<void>;
}

const AMOUNT_CENTS = 2_590;
const PAYER = { name: 'Ana Souza', taxId: '52998224725' };
const BOLETO_PAYER = {
  ...PAYER,
  email: 'ana@example.com',
  address: { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310100' },
};
const BENEFICIARY = { name: 'Loja Azul', city: 'SAO PAULO', taxId: '11222333000181' };
const newCharge = () => mintId<ChargeId>('pixCharge', new Date());
const newRefund = () => mintId<RefundId>('refund', new Date());

/**
 * Tests what every adapter must do with any provider. The adapter's capabilities select the cases. Call it in a
 * test file of the adapter. @param can the capabilities that its kind declares.
 */
export function conforms(name: string, can: Capabilities, open: () => Promise<ProviderUnderTest>): void {
  describe(`${name}, as every provider`, () => {
    let underTest: ProviderUnderTest;
    let provider: PaymentProvider;
    beforeAll(async () => {
      underTest = await open();
      ({ provider } = underTest);
    });
    afterAll(() => underTest.close());

    const issue = async (chargeId = newCharge()): Promise<IssuedPix> => {
      const terms = {
        description: null,
        beneficiary: BENEFICIARY,
        payer: PAYER,
        expiresInSeconds: 3_600,
        now: new Date(),
      };
      return issued(await portOf(provider, 'pix').issue({ chargeId, amountCents: AMOUNT_CENTS, ...terms }));
    };
    /** Issues and pays a charge, by card if the provider has no PIX. @returns the payment. */
    const paid = async (): Promise<ProviderPayment> => {
      if (can.pix === null) return paidByCard(underTest);
      const { reference } = await issue();
      expect(await underTest.pay(reference, AMOUNT_CENTS)).toBe(true);
      return theOnly((await provider.charges.findByReference(reference))?.payments);
    };
    const refund = (payment: ProviderPayment, refundReference: RefundId, amountCents: number) =>
      provider.charges.refund({ refundReference, providerPaymentId: payment.providerPaymentId, amountCents });
    /** Repeats the same request until the provider has an outcome. */
    const refunded = async (...asked: Parameters<typeof refund>): Promise<RefundAnswer> => {
      let answer = await refund(...asked);
      await eventually(async () => {
        if (answer.outcome === 'PENDING') answer = await refund(...asked);
        expect(answer.outcome).not.toBe('PENDING');
      });
      return answer;
    };
    const refundsOf = async ({ providerPaymentId }: ProviderPayment) =>
      (await provider.charges.findPayment(providerPaymentId))?.refunds ?? [];

    it('provides exactly the ports that its kind declares', () => {
      expect(capabilitiesOf(provider)).toEqual(can);
    });

    if (can.pix !== null) {
      it('issues a charge once for repeated and parallel requests', async () => {
        const chargeId = newCharge();
        const first = await issue(chargeId);
        expect(first.brCode).not.toBe('');
        const again = await Promise.all(Array.from({ length: 5 }, () => issue(chargeId)));
        for (const one of again) expect(one).toEqual(first);
        expect((await issue()).reference).not.toBe(first.reference);
      });

      it('finds an open and a paid charge by reference', async () => {
        const { reference } = await issue();
        expect(await provider.charges.findByReference(reference)).toEqual({ status: 'OPEN', payments: [] });
        await underTest.pay(reference, AMOUNT_CENTS);
        const known = await provider.charges.findByReference(reference);
        expect(known?.status).toBe('PAID');
        const payment = theOnly(known?.payments);
        expect(payment).toMatchObject({ reference, amountCents: AMOUNT_CENTS });
        expect(await provider.charges.findPayment(payment.providerPaymentId)).toMatchObject({
          reference,
          amountCents: AMOUNT_CENTS,
          paidAt: payment.paidAt,
        });
      });

      it('finds no payment for an unknown id or reference', async () => {
        expect(await provider.charges.findPayment('E00000000202601010000unknown0000')).toBeNull();
        const known = await provider.charges.findByReference(newCharge().slice(-26));
        expect(known?.payments ?? []).toEqual([]);
      });

      it('closes a charge repeatedly and refuses its payment afterwards', async () => {
        const { reference } = await issue();
        expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
        expect(await provider.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
        expect(await underTest.pay(reference, AMOUNT_CENTS)).toBe(false);
        expect(await provider.charges.findByReference(reference)).toEqual({ status: 'CLOSED', payments: [] });
      });

      it('closes an issued but unstored charge, and one that was never issued', async () => {
        const chargeId = newCharge();
        const { reference } = await issue(chargeId);
        expect(await provider.charges.closeUnstored(chargeId)).toEqual({ outcome: 'CLOSED' });
        expect(await underTest.pay(reference, AMOUNT_CENTS)).toBe(false);
        expect(await provider.charges.closeUnstored(newCharge())).toMatchObject({ outcome: 'CLOSED' });
      });

      it('returns the payment when closing a charge that was paid before', async () => {
        const payment = await paid();
        expect(await provider.charges.close(payment.reference)).toMatchObject({
          outcome: 'PAID',
          payment: { providerPaymentId: payment.providerPaymentId, amountCents: AMOUNT_CENTS },
        });
      });

      it('accepts the payment or closes the charge if both come at once', async () => {
        const { reference } = await issue();
        const [isPaid, closed] = await Promise.all([
          underTest.pay(reference, AMOUNT_CENTS),
          provider.charges.close(reference),
        ]);
        expect(closed.outcome).toBe(isPaid ? 'PAID' : 'CLOSED');
      });
    }

    it('refunds a payment once for repeated and parallel requests', async () => {
      const payment = await paid();
      const reference = newRefund();
      await Promise.all(Array.from({ length: 5 }, () => refund(payment, reference, AMOUNT_CENTS)));
      expect(await refunded(payment, reference, AMOUNT_CENTS)).toEqual({ outcome: 'RETURNED' });
      expect(await refundsOf(payment)).toEqual([
        { reference: expect.any(String), amountCents: AMOUNT_CENTS, status: 'RETURNED', kind: 'ORDINARY' },
      ]);
    });

    if (can.refund.partial) {
      it('refunds a payment in parts, up to its amount', async () => {
        const payment = await paid();
        const [first, second, third] = [newRefund(), newRefund(), newRefund()];
        expect(await refunded(payment, first, 590)).toEqual({ outcome: 'RETURNED' });
        expect(await refunded(payment, second, 1_000)).toEqual({ outcome: 'RETURNED' });
        expect(await refunded(payment, first, 590)).toEqual({ outcome: 'RETURNED' });
        expect(await refunded(payment, third, 1_001)).toMatchObject({ outcome: 'REFUSED' });
        expect(await refunded(payment, newRefund(), 1_000)).toEqual({ outcome: 'RETURNED' });
        const back = (await refundsOf(payment)).filter(({ status }) => status === 'RETURNED');
        expect(back.map(({ amountCents }) => amountCents).sort()).toEqual([1_000, 1_000, 590]);
      });
    }

    if (can.listings) {
      it('lists every payment of a period once, page by page', async () => {
        const from = new Date(Date.now() - 60_000);
        const payments = await Promise.all(Array.from({ length: 3 }, paid));
        const window = { from, until: new Date(Date.now() + 60_000) };
        const listed: string[] = [];
        let cursor: string | null = null;
        do {
          const page: ProviderPage<ProviderPayment> = await portOf(provider, 'listing').payments(
            window,
            cursor,
          );
          listed.push(...page.items.map(({ providerPaymentId }) => providerPaymentId));
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(new Set(listed).size).toBe(listed.length);
        expect(listed).toEqual(expect.arrayContaining(payments.map((one) => one.providerPaymentId)));
        const before = { from: new Date(from.getTime() - 60_000), until: from };
        expect((await portOf(provider, 'listing').payments(before, null)).items).toEqual([]);
      });
    }

    if (can.listings && can.pix !== null) {
      it('lists references of issued charges and recalls the terms of each', async () => {
        const from = new Date(Date.now() - 60_000);
        const [open, paidFor] = [await issue(), await paid()];
        const { items } = await portOf(provider, 'listing').references(
          { from, until: new Date(Date.now() + 60_000) },
          null,
        );
        expect(items).toEqual(expect.arrayContaining([open.reference, paidFor.reference]));
        expect(await portOf(provider, 'listing').recall(open.reference, BENEFICIARY)).toMatchObject({
          reference: open.reference,
          status: 'OPEN',
          amountCents: AMOUNT_CENTS,
          brCode: open.brCode,
          providerPaymentIds: [],
        });
        expect(await portOf(provider, 'listing').recall(paidFor.reference, BENEFICIARY)).toMatchObject({
          status: 'PAID',
          providerPaymentIds: [paidFor.providerPaymentId],
        });
        expect(await portOf(provider, 'listing').recall(newCharge().slice(-26), BENEFICIARY)).toBeNull();
      });
    }

    const { boleto: boletoTerms } = can;
    if (boletoTerms !== null) {
      it('issues a boleto with a bar code, and a PIX code for the amount due today if it has one', async () => {
        const { minCents, minDueDays, maxDueDays, interest, fine, codeShowsAmount } = boletoTerms;
        const asked = {
          chargeId: newCharge(),
          amountCents: Math.max(AMOUNT_CENTS, minCents),
          description: null,
          beneficiary: BENEFICIARY,
        };
        const now = new Date();
        const terms = {
          dueDate: addDays(saoPauloDateOf(now), Math.min(minDueDays + 5, maxDueDays)),
          interest: interest ? { value: 100 } : null,
          fine: fine ? ({ value: 200, type: 'PERCENTAGE' } as const) : null,
          daysPayableAfterDueDate: interest || fine ? 60 : 0,
        };
        const { boletos } = withPort(provider, 'boletos');
        const request = { ...asked, payer: BOLETO_PAYER, now, ...terms };
        const boleto = issued(await boletos.issue(request));
        expect(boleto.barCode).toMatch(/^\d{44}$/);
        const { reference } = boleto;
        expect(boletos.brCodeFor === undefined).toBe(codeShowsAmount !== true);
        if (codeShowsAmount === null) {
          expect(boleto.brCode ?? null).toBeNull();
          expect([boleto.voucherUrl, boleto.voucherPdfUrl]).not.toEqual([null, null]);
          return;
        }
        expect(boleto.ourNumber).not.toBe('');
        if (boletos.brCodeFor === undefined) return;
        expect(await boletos.brCodeFor({ ...asked, reference })).toBe(boleto.brCode);
        const later = { ...asked, reference, amountCents: asked.amountCents + 100 };
        expect(await boletos.brCodeFor(later)).not.toBe(boleto.brCode);
      });
    }

    if (can.card?.entry === 'HOSTED_PAGE') {
      it("takes a card once on the provider's page and never for a closed reference", async () => {
        const asked = { ...cardCharge(), token: null };
        const { cards } = withPort(provider, 'cards');
        const charge = () => cards.charge(asked);
        const answers = await Promise.all(Array.from({ length: 5 }, charge));
        const pages = answers.map((answer) => (answer.outcome === 'REQUIRES_ACTION' ? answer.url : ''));
        expect(new Set(pages)).toEqual(new Set([expect.stringMatching(/^https?:/)]));
        expect(await provider.charges.findByReference(asked.reference)).toEqual({
          status: 'OPEN',
          payments: [],
        });
        expect(await underTest.pay(asked.reference, AMOUNT_CENTS)).toBe(true);
        expect(await underTest.pay(asked.reference, AMOUNT_CENTS)).toBe(false);
        expect(await charge()).toMatchObject({
          outcome: 'APPROVED',
          payment: { reference: asked.reference, amountCents: AMOUNT_CENTS },
        });
        expect((await provider.charges.findByReference(asked.reference))?.payments).toHaveLength(1);
        const closed = { ...cardCharge(), token: null };
        expect(await provider.charges.close(closed.reference)).toMatchObject({ outcome: 'CLOSED' });
        expect(await cards.charge(closed)).toMatchObject({ outcome: 'DECLINED' });
      });

      it('closes a page that its payer has left, and takes no card there afterwards', async () => {
        const asked = { ...cardCharge(), token: null };
        await portOf(provider, 'cards').charge(asked);
        expect(await provider.charges.close(asked.reference)).toEqual({ outcome: 'CLOSED' });
        expect(await provider.charges.close(asked.reference)).toEqual({ outcome: 'CLOSED' });
        expect(await underTest.pay(asked.reference, AMOUNT_CENTS)).toBe(false);
        expect(await portOf(provider, 'cards').charge(asked)).toMatchObject({ outcome: 'DECLINED' });
      });
    }

    if (can.card !== null && can.card.entry !== 'HOSTED_PAGE') {
      it('charges a card once per reference and never for a closed reference', async () => {
        const token = await storedCard(underTest);
        const asked = { ...cardCharge(), token };
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => portOf(provider, 'cards').charge(asked)),
        );
        expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['APPROVED']));
        expect((await provider.charges.findByReference(asked.reference))?.payments).toHaveLength(1);
        const closed = { ...cardCharge(), token };
        expect(await provider.charges.close(closed.reference)).toEqual({ outcome: 'CLOSED' });
        expect(await portOf(provider, 'cards').charge(closed)).toMatchObject({ outcome: 'DECLINED' });
      });
    }

    if (can.card !== null && can.card.entry !== 'HOSTED_PAGE') {
      it('erases a stored card, also twice, and one that it does not know', async () => {
        const token = await storedCard(underTest);
        await portOf(provider, 'cards').forget(token);
        await portOf(provider, 'cards').forget(token);
        await portOf(provider, 'cards').forget(token.replaceAll(/[0-9a-f]/g, '0'));
      });
    }

    if (can.payout?.pixKey) {
      it('sends money once per reference despite repeated requests', async () => {
        const asked = {
          reference: mintId<PayoutId>('payout', new Date()),
          amountCents: AMOUNT_CENTS,
          destination: { type: 'EMAIL', key: underTest.goodPixKey ?? '' },
          now: new Date(),
        } as const;
        expect(await portOf(provider, 'payouts').find(asked)).toMatchObject({ outcome: 'NOT_FOUND' });
        const identifiers = new Set<string>();
        await eventually(async () => {
          const answer = await portOf(provider, 'payouts').send(asked);
          if (answer.outcome !== 'COMPLETE') throw new Error(`the transfer is ${answer.outcome}`);
          identifiers.add(answer.endToEndIdentifier);
        });
        const again = await portOf(provider, 'payouts').send(asked);
        expect(again).toEqual({ outcome: 'COMPLETE', endToEndIdentifier: [...identifiers][0] });
        expect(await portOf(provider, 'payouts').find(asked)).toEqual(again);
      });
    }

    if (can.payout?.listed) {
      it('lists each transfer of a period once by its reference', async () => {
        const from = new Date(Date.now() - 60_000);
        const reference = mintId<PayoutId>('payout', new Date());
        const destination = { type: 'EMAIL', key: underTest.goodPixKey ?? '' } as const;
        await eventually(async () => {
          const order = { reference, amountCents: AMOUNT_CENTS, destination, now: new Date() };
          expect(await portOf(provider, 'payouts').send(order)).toMatchObject({ outcome: 'COMPLETE' });
        });
        const window = { from, until: new Date(Date.now() + 60_000) };
        const listOf = async (time: TimeWindow) =>
          (await listedPayoutsOf(provider)?.list(time, null))?.items ?? [];
        const items = await listOf(window);
        expect(items.filter((each) => each.reference === reference)).toMatchObject([
          { amountCents: AMOUNT_CENTS, status: 'COMPLETE', payeeKey: destination.key, returns: [] },
        ]);
        const before = { from: new Date(from.getTime() - 60_000), until: from };
        expect(await listOf(before)).toEqual([]);
      });
    }

    if (can.disputes) {
      it('finds no dispute for an unknown id', async () => {
        expect(await portOf(provider, 'disputes').find('00000000-0000-4000-8000-000000000000')).toBeNull();
      });
    }
  });
}

/** What a card's issuer is asked, without the token. */
function cardCharge() {
  const chargeId = mintId<ChargeId>('cardCharge', new Date());
  const asked = { chargeId, reference: chargeId, amountCents: AMOUNT_CENTS, installmentsCount: 1 };
  const session = { returnUrl: 'https://pay.example.com/pay/1', isOffSession: false, keepsCard: false };
  return { ...asked, ...session, payer: PAYER, now: new Date() };
}

async function paidByCard(underTest: ProviderUnderTest): Promise<ProviderPayment> {
  const request = { ...cardCharge(), token: await storedCard(underTest) };
  const answer = await portOf(underTest.provider, 'cards').charge(request);
  if (answer.outcome !== 'APPROVED') throw new Error(`the card was ${answer.outcome}`);
  return answer.payment;
}

/** The token of a good card, as it is stored: typed by its payer, or entered in the provider's own fields. */
async function storedCard({ provider, goodCard, goodCardToken }: ProviderUnderTest): Promise<string> {
  const { entry } = portOf(provider, 'cards');
  if (entry.kind === 'TYPED') {
    if (goodCard === undefined) throw new Error('goodCard is needed');
    return (await entry.tokenize(goodCard))?.token ?? '';
  }
  if (entry.kind === 'HOSTED_PAGE') throw new Error('no card of this provider has a token');
  if (goodCardToken === undefined) throw new Error('goodCardToken is needed');
  const request = { submissionKey: randomUUID(), payer: PAYER, keepsCard: false, isFree: false };
  return (await entry.accept(await goodCardToken(), request))?.token ?? '';
}

function issued<What>(answer: IssueAnswer<What>): What {
  if (answer.outcome === 'ISSUED') return answer.issued;
  throw new Error(`it was not issued: ${JSON.stringify(answer)}`);
}

function theOnly<Item>(items: readonly Item[] = []): Item {
  const [only] = items;
  if (only === undefined || items.length > 1) throw new Error(`${items.length} where one is expected`);
  return only;
}
