import type { ChargeId, RefundId } from '../../src/domain/ids.ts';
import { mintId } from '../../src/ids.ts';
import { readBacenAccount } from '../../src/providers/bacen/account.ts';
import { createBacenProvider } from '../../src/providers/bacen/bacen-provider.ts';
import type { Psp } from '../psp/start-psp.ts';
import { issueDue } from './charge-lifecycle.ts';
import { type Exchange, relayTo } from './relay.ts';

/**
 * The adapter's requests for the same case that the other clients run: a charge of R$ 123.45 for Maria Souza that is paid and
 * refunded in part, a charge that is cancelled, and a charge with a due date that is cancelled.
 */
export async function ourRequests(psp: Psp, webhookUrl: string): Promise<readonly Exchange[]> {
  const account = readBacenAccount({ id: 'acct_conformance', ...psp.account });
  const { api, token } = account.addresses;
  const relay = await relayTo(psp, new URL(api).origin);
  const through = (address: string) => address.replace(new URL(address).origin, relay.url);
  const addresses = { api: through(api), token: through(token) };
  const bank = createBacenProvider({ ...account, addresses });
  const now = new Date();
  const issue = async () => {
    const answer = await bank.pix.issue({
      chargeId: mintId<ChargeId>('pixCharge', now),
      amountCents: 123_45,
      description: null,
      beneficiary: { name: 'Loja da Ana', city: 'São Paulo', taxId: null },
      payer: { name: 'Maria Souza', taxId: '52998224725' },
      expiresInSeconds: 3_600,
      now: new Date(),
    });
    if (answer.outcome !== 'ISSUED') throw new Error(`a charge was not issued: ${answer.outcome}`);
    return answer.issued.reference;
  };
  try {
    await bank.notifications?.register(webhookUrl);
    const { endToEndId } = psp.bank.pay(await issue());
    await bank.charges.findPayment(endToEndId);
    const refundReference = mintId<RefundId>('refund', now);
    await bank.charges.refund({ refundReference, providerPaymentId: endToEndId, amountCents: 23_45 });
    await bank.listing.payments({ from: new Date(now.getTime() - 60_000), until: new Date() }, null);
    await bank.charges.close(await issue());
    const payer = { name: 'Maria Souza', taxId: '52998224725' };
    const terms = { interest: { value: 100 }, fine: { value: 200, type: 'PERCENTAGE' } } as const;
    const due = await issueDue(bank, { ...terms, payer });
    await bank.charges.findByReference(due);
    await bank.charges.close(due);
    return relay.exchanges;
  } finally {
    await Promise.all([bank.disconnect(), relay.close()]);
  }
}
