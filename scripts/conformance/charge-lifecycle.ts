import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, saoPauloDateOf } from '../../src/domain/civil-date.ts';
import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { type BacenProvider, createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import type { IssueDuePix } from '../../src/providers/ports/pix.ts';
import type { Psp } from '../psp/start-psp.ts';

/** The adapter for the account that a bank has given, which it reaches through `apiUrl`. */
export function adapterThrough(psp: Psp, apiUrl: string): BacenProvider {
  const account = readBacenAccount({ id: 'acct_conformance', ...psp.account });
  return createBacenProvider({ ...account, addresses: { ...account.addresses, api: apiUrl } });
}

/**
 * Every request of the adapter to a bank, in the lifecycle of some charges.
 * @throws Error naming the first step that did not end as it should.
 */
export async function checkChargeLifecycle(bank: BacenProvider, psp: Psp, webhookUrl: string): Promise<void> {
  const issue = async (taxId: string | null) => {
    const answer = await bank.pix.issue({
      chargeId: mintId<ChargeId>('pixCharge', new Date()),
      amountCents: 123_45,
      description: 'Pedido 1042',
      beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: null },
      payer: { name: taxId === null ? null : 'Maria Souza', taxId },
      expiresInSeconds: 3_600,
      now: new Date(),
    });
    if (answer.outcome !== 'ISSUED') throw new Error(`a charge was not issued: ${answer.outcome}`);
    return answer.issued.reference;
  };
  const must = (isSo: boolean, what: string) => {
    if (!isSo) throw new Error(what);
  };
  const refund = async (providerPaymentId: string, amountCents: number) => {
    const asked = { refundReference: mintId<RefundId>('refund', new Date()), providerPaymentId, amountCents };
    for (;;) {
      const answer = await bank.charges.refund(asked);
      if (answer.outcome !== 'PENDING') return answer.outcome;
      await sleep(10);
    }
  };

  await bank.notifications?.register(webhookUrl);
  for (const taxId of [null, '52998224725', '11222333000181']) {
    const reference = await issue(taxId);
    must((await bank.charges.findByReference(reference))?.status === 'OPEN', 'a new charge is not OPEN');
    must((await bank.charges.close(reference)).outcome === 'CLOSED', 'a charge was not closed');
    must((await bank.charges.close(reference)).outcome === 'CLOSED', 'a charge was not closed twice');
  }
  const paid = await issue('52998224725');
  const { endToEndId } = psp.bank.pay(paid, { message: 'obrigada' });
  must((await bank.charges.close(paid)).outcome === 'PAID', 'a payment was closed over');
  must((await refund(endToEndId, 45)) === 'RETURNED', 'a part was not sent back');
  must((await refund(endToEndId, 123_00)) === 'RETURNED', 'the rest was not sent back');
  must((await refund(endToEndId, 1)) === 'REFUSED', 'more was sent back than there was');
  psp.faults.order({ fault: { kind: 'REFUND_FAILS' }, on: 'PUT refund' });
  const { endToEndId: second } = psp.bank.pay(await issue(null));
  must((await refund(second, 100)) === 'REFUSED', 'a refund that failed was taken for done');
  psp.bank.takeBack(second, 'MED_FRAUDE', 500);
  must((await bank.charges.findPayment(second))?.refunds?.length === 2, 'a refund is missing');
  must((await bank.charges.findPayment(`E${'0'.repeat(31)}`)) === null, 'a payment was found that is none');
  await checkDueChargeLifecycle(bank, psp);
  const window = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) };
  must((await bank.listing.payments(window, null)).items.length === 3, 'payments are not listed');
  must((await bank.listing.references(window, null)).items.includes(paid), 'charges are not listed');
}

/** The same for charges with due dates: each kind of fine, a payer with an address, a late payment, and a removal. */
async function checkDueChargeLifecycle(bank: BacenProvider, psp: Psp): Promise<void> {
  const issue = (terms: Pick<IssueDuePix, 'interest' | 'fine'>, payer: IssueDuePix['payer'] = PAYER) =>
    issueDue(bank, { ...terms, payer });
  const paid = await issue({ interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } });
  await issue({ interest: null, fine: { value: 550, type: 'FIXED' } }, { ...PAYER, address: ADDRESS });
  psp.bank.pay(paid, { amountCents: 126_32 });
  const known = await bank.charges.findByReference(paid);
  if (known?.payments[0]?.amountCents !== 126_32) throw new Error('a late payment was not found');
  const removed = await issue({ interest: null, fine: null });
  if ((await bank.charges.close(removed)).outcome !== 'CLOSED')
    throw new Error('a charge with a due date was not closed');
  const window = { from: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 3_600_000) };
  const { nextCursor } = await bank.listing.references(window, null);
  const { items } = await bank.listing.references(window, nextCursor);
  if (!items.includes(removed)) throw new Error('charges with a due date are not listed');
}

const PAYER = { name: 'Maria Souza', taxId: '52998224725' };
const ADDRESS = { street: 'Avenida Paulista 1000', city: 'São Paulo', state: 'SP', zipCode: '01310100' };

/** A charge of R$ 123.45 that is due the day after tomorrow. @returns its txid. */
export async function issueDue(
  bank: BacenProvider,
  {
    daysPayableAfterDueDate = 60,
    ...terms
  }: Pick<IssueDuePix, 'interest' | 'fine' | 'payer'> & { daysPayableAfterDueDate?: number },
): Promise<string> {
  const now = new Date();
  const answer = await bank.pix.issueDue?.({
    chargeId: mintId<ChargeId>('pixCharge', now),
    amountCents: 123_45,
    description: null,
    beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: null },
    now,
    dueDate: addDays(saoPauloDateOf(now), 2),
    daysPayableAfterDueDate,
    ...terms,
  });
  if (answer?.outcome !== 'ISSUED')
    throw new Error(`a charge with a due date was not issued: ${answer?.outcome}`);
  return answer.issued.reference;
}
