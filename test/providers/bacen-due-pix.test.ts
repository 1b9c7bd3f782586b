import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Psp, startPsp } from '../../scripts/psp/start-psp.ts';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import { BACEN_PROFILES, type BacenProfileName } from '../../src/providers/bacen/profiles/index.ts';
import type { IssueDuePix } from '../../src/providers/ports/pix.ts';
import { eventually } from '../support/waiting/eventually.ts';

const DAY_MS = 86_400_000;
const PROFILES = (Object.keys(BACEN_PROFILES) as BacenProfileName[]).filter(
  (name) => BACEN_PROFILES[name].dueCharges,
);
const BENEFICIARY = { name: 'Loja da Ana', city: 'São Paulo', taxId: null };

let psp: Psp;
let bank: BacenProvider;
const opened: { readonly psp: Psp; readonly bank: BacenProvider }[] = [];

async function open(profile: BacenProfileName) {
  const at = await startPsp({ profile });
  const account = readBacenAccount({ id: 'acct_1', ...at.account });
  const provider = createBacenProvider(account, { timeoutMs: 2_000 });
  opened.push({ psp: at, bank: provider });
  return { psp: at, bank: provider };
}

beforeAll(async () => {
  ({ psp, bank } = await open('efi'));
});
afterEach(() => {
  psp.faults.clear();
  psp.bank.state.clockAheadMs = 0;
});
afterAll(async () => {
  await Promise.all(opened.map((each) => each.bank.disconnect()));
  await Promise.all(opened.map((each) => each.psp.close()));
});

const order = (more: Partial<IssueDuePix> = {}): IssueDuePix => {
  const now = new Date();
  return {
    chargeId: mintId<ChargeId>('pixCharge', now),
    amountCents: 10_000,
    description: 'Fatura 12',
    beneficiary: BENEFICIARY,
    payer: { name: 'Maria Souza', taxId: '52998224725' },
    now,
    dueDate: addDays(saoPauloDateOf(now), 5),
    interest: { value: 100 },
    fine: { value: 200, type: 'PERCENTAGE' },
    daysPayableAfterDueDate: 60,
    ...more,
  };
};

async function issue(request: IssueDuePix = order(), provider = bank) {
  const answer = await provider.pix.issueDue?.(request);
  if (answer?.outcome !== 'ISSUED') throw new Error(answer?.outcome);
  return answer.issued;
}

const window = () => ({ from: new Date(Date.now() - DAY_MS), until: new Date(Date.now() + DAY_MS) });

describe.each(PROFILES)('a charge with a due date at %s', (profile) => {
  it('goes through issue, payment, refund, removal, lists and recall', async () => {
    const { psp: at, bank: there } = await open(profile);
    const request = order();
    const { reference, brCode, expiresAt } = await issue(request, there);
    expect(brCode).toContain('br.gov.bcb.pix');
    expect(expiresAt).toBeNull();
    expect(await issue(request, there)).toEqual({ reference, brCode, expiresAt });
    expect(at.bank.state.charges[reference]).toMatchObject({
      kind: 'cobv',
      revision: 0,
      asked: {
        calendario: { dataDeVencimento: request.dueDate, validadeAposVencimento: 60 },
        devedor: { cpf: '52998224725', nome: 'Maria Souza' },
        valor: {
          original: '100.00',
          multa: { modalidade: 2, valorPerc: '2.00' },
          juros: { modalidade: 3, valorPerc: '1.00' },
        },
      },
    });
    expect(await there.charges.findByReference(reference)).toEqual({ status: 'OPEN', payments: [] });

    const { endToEndId } = at.bank.pay(reference, { amountCents: 10_243 });
    const payment = { reference, amountCents: 10_243, providerPaymentId: endToEndId };
    expect(await there.charges.findByReference(reference)).toMatchObject({
      status: 'PAID',
      payments: [payment],
    });
    const listed = await there.listing.payments(window(), null);
    expect(listed.items).toMatchObject([payment]);
    const refund = { refundReference: mintId<RefundId>('refund', new Date()), providerPaymentId: endToEndId };
    await eventually(async () =>
      expect(await there.charges.refund({ ...refund, amountCents: 10_243 })).toEqual({ outcome: 'RETURNED' }),
    );

    const unpaid = await issue(order(), there);
    expect(await there.charges.close(unpaid.reference)).toEqual({ outcome: 'CLOSED' });
    expect(await there.charges.findByReference(unpaid.reference)).toMatchObject({ status: 'CLOSED' });

    const references: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof there.listing.references>> = await there.listing.references(
        window(),
        cursor,
      );
      references.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(references).toEqual(expect.arrayContaining([reference, unpaid.reference]));
    expect(await there.listing.recall(reference, BENEFICIARY)).toMatchObject({
      reference,
      status: 'PAID',
      amountCents: 10_000,
      terms: { dueDate: request.dueDate, interest: request.interest, fine: request.fine },
      payer: { name: 'Maria Souza', taxId: '52998224725' },
      providerPaymentIds: [endToEndId],
    });
  });
});

describe('a charge with a due date', () => {
  it("takes the parts of a late payment from the bank's answer", async () => {
    const request = order();
    const { reference } = await issue(request);
    psp.bank.state.clockAheadMs = 40 * DAY_MS;
    const { endToEndId, fineCents, interestCents } = psp.bank.pay(reference);
    expect([fineCents, interestCents > 0]).toEqual([200, true]);
    expect(await bank.charges.findPayment(endToEndId)).toMatchObject({
      amountCents: 10_000 + fineCents + interestCents,
      components: { originalCents: 10_000, fineCents, interestCents, discountCents: 0 },
    });
  });

  it('sends a fixed fine, and the address and CNPJ of the payer', async () => {
    const address = { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310100' };
    const payer = { name: 'Azul Ltda', taxId: '11222333000181', address };
    const { reference } = await issue(order({ payer, interest: null, fine: { value: 550, type: 'FIXED' } }));
    const asked = psp.bank.state.charges[reference]?.asked;
    expect(asked?.valor).toEqual({ original: '100.00', multa: { modalidade: 1, valorPerc: '5.50' } });
    expect(asked?.devedor).toMatchObject({ cnpj: '11222333000181', nome: 'Azul Ltda' });
  });

  it.each(['DROP_AFTER_EFFECT', 'HANG_AFTER_EFFECT'] as const)('issues one charge after %s', async (kind) => {
    psp.faults.order({ fault: { kind }, on: 'PUT cobv', times: 1 });
    const request = order();
    const { reference } = await issue(request);
    expect(psp.bank.state.charges[reference]?.revision).toBe(0);
    expect(await issue(request)).toMatchObject({ reference });
  });

  it('removes a charge that the bank has with another fine', async () => {
    const request = order();
    const { reference } = await issue(request);
    const other = { ...request, fine: { value: 300, type: 'PERCENTAGE' } as const };
    expect(await bank.pix.issueDue?.(other)).toMatchObject({ outcome: 'DEAD' });
    expect(psp.bank.state.charges[reference]?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
  });

  it('answers with the payment if someone pays it before it is stored', async () => {
    const request = order();
    const { reference } = await issue(request);
    psp.bank.pay(reference);
    expect(await bank.pix.issueDue?.(request)).toMatchObject({
      outcome: 'PAID',
      payment: { reference, amountCents: 10_000 },
    });
  });

  it('refuses what the bank refuses', async () => {
    const yesterday = order({ dueDate: addDays(saoPauloDateOf(new Date()), -1) });
    expect(await bank.pix.issueDue?.(yesterday)).toMatchObject({ outcome: 'REFUSED' });
  });

  it('closes a charge that was never stored', async () => {
    const request = order();
    const { reference } = await issue(request);
    expect(await bank.charges.findUnstored(request.chargeId)).toEqual({ status: 'OPEN' });
    expect(await bank.charges.closeUnstored(request.chargeId)).toEqual({ outcome: 'CLOSED' });
    expect(psp.bank.state.charges[reference]?.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(await bank.charges.findUnstored(request.chargeId)).toEqual({ status: 'GONE' });
    expect(await bank.charges.closeUnstored(mintId<ChargeId>('pixCharge', new Date()))).toEqual({
      outcome: 'CLOSED',
      wasDead: true,
    });
  });

  it('returns the payment that comes during the removal', async () => {
    const { reference } = await issue();
    psp.faults.order({ fault: { kind: 'PAID_WHILE_REMOVED' }, on: 'PATCH cobv', times: 1 });
    expect(await bank.charges.close(reference)).toMatchObject({
      outcome: 'PAID',
      payment: { reference, amountCents: 10_000 },
    });
  });

  it('closes nothing while a look-up lags', async () => {
    const { reference } = await issue();
    psp.faults.order({ fault: { kind: 'LOOKUPS_LAG', seconds: 600 }, on: 'GET cobv', times: 2 });
    expect(await bank.charges.findByReference(reference)).toBeNull();
    expect(await bank.charges.close(reference)).toMatchObject({ outcome: 'PENDING' });
    psp.faults.clear();
    expect(await bank.charges.close(reference)).toEqual({ outcome: 'CLOSED' });
  });
});
