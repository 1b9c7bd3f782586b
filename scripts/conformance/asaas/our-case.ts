import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../../../src/domain/civil-date.ts';
import type { ChargeId, PayoutId, ProviderAccountId, RefundId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { readAsaasAccount } from '../../../src/providers/asaas/account.ts';
import { type AsaasProvider, createAsaasProvider } from '../../../src/providers/asaas/asaas-provider.ts';
import { memoryClaims } from '../../../test/support/outside/memory-claims.ts';
import { API_KEY, type AsaasBox } from '../../psp/asaas/asaas-box.ts';
import { type Exchange, startRelay } from '../relay.ts';

const ACCOUNT_ID = 'pacc_judged' as ProviderAccountId;
export const WEBHOOK_URL = `https://pay.example.com/notifications/${ACCOUNT_ID}/path-secret`;
export const CARD_RETURN_URL = 'https://pay.example.com/pay/bill_1/card_1/confirmed';
const PAYER = { name: 'Maria Souza', taxId: '52998224725' };
const BENEFICIARY = { name: 'Loja da Ana', city: 'São Paulo', taxId: '11222333000181' };

/** The adapter of an account whose Asaas is at this address. */
export function adapterAt(apiUrl: string): AsaasProvider {
  const account = readAsaasAccount({
    id: ACCOUNT_ID,
    profile: 'asaas',
    settings: { asaasEnvironment: 'sandbox', apiUrl, contactEmail: 'loja@example.com' },
    secrets: { apiKey: API_KEY, webhookToken: 'a'.repeat(40), notificationSecret: 'path-secret' },
  });
  return createAsaasProvider(account, memoryClaims());
}

/** The due date of the case: banks are open, so that no client counts further days. */
export function dueDateOf(now: Date): CivilDate {
  let day = addDays(saoPauloDateOf(now), 5);
  while ([0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay())) day = addDays(day, 1);
  return day;
}

/** A boleto of R$ 123.45 for Maria Souza with fine and interest. */
export async function issueBoleto({ boletos }: AsaasProvider, now = new Date()) {
  const answer = await boletos.issue({
    chargeId: mintId<ChargeId>('boletoCharge', now),
    amountCents: 123_45,
    description: '1042',
    beneficiary: BENEFICIARY,
    payer: PAYER,
    now,
    dueDate: dueDateOf(now),
    fine: { value: 200, type: 'PERCENTAGE' },
    interest: { value: 100 },
    daysPayableAfterDueDate: 60,
  });
  if (answer.outcome !== 'ISSUED') throw new Error(`a boleto was not issued: ${answer.outcome}`);
  return answer.issued;
}

async function issuePix({ pix }: AsaasProvider) {
  const now = new Date();
  const answer = await pix.issue({
    chargeId: mintId<ChargeId>('pixCharge', now),
    amountCents: 123_45,
    description: '1042',
    beneficiary: BENEFICIARY,
    payer: PAYER,
    expiresInSeconds: 1,
    now,
  });
  if (answer.outcome !== 'ISSUED') throw new Error(`a PIX was not issued: ${answer.outcome}`);
  return answer.issued;
}

/** Opens a card payment of R$ 123.45. @returns the charge's reference. */
export async function openCard({ cards }: AsaasProvider, installmentsCount: number): Promise<string> {
  const now = new Date();
  const reference = mintId<ChargeId>('cardCharge', now);
  const answer = await cards.charge({
    chargeId: reference,
    reference,
    token: null,
    amountCents: 123_45,
    installmentsCount,
    payer: PAYER,
    returnUrl: CARD_RETURN_URL,
    isOffSession: false,
    keepsCard: false,
    now,
  });
  if (answer.outcome !== 'REQUIRES_ACTION')
    throw new Error(`a card payment was not opened: ${answer.outcome}`);
  return reference;
}

/** In installments: paid, looked up and charged back, or closed. At once: refunded in part. */
async function takeCards(box: AsaasBox, adapter: AsaasProvider): Promise<void> {
  const { charges, disputes } = adapter;
  await charges.close(await openCard(adapter, 3));
  const [atOnce, parts] = [await openCard(adapter, 1), await openCard(adapter, 3)];
  for (const reference of [atOnce, parts]) box.books.payByCard(box.books.live(reference.slice(-26))[0] ?? '');
  const { payments = [] } = (await charges.findByReference(parts)) ?? {};
  const [payment] = payments;
  if (payment === undefined) throw new Error('a paid card was not found');
  box.books.chargeBack(payment.providerPaymentId, 'REQUESTED');
  const dispute = await disputes.find(payment.providerPaymentId);
  if (dispute?.status !== 'OPEN') throw new Error('a chargeback was not found');
}

/** The adapter's requests to Asaas in the case that the other clients run. */
export async function ourRequests(box: AsaasBox): Promise<readonly Exchange[]> {
  const relay = await startRelay(box.url);
  const adapter = adapterAt(relay.url);
  const { charges, listing, payouts, statement, notifications } = adapter;
  try {
    await charges.close((await issueBoleto(adapter)).reference);
    await takeCards(box, adapter);
    const { reference } = await issuePix(adapter);
    box.books.pay(reference);
    await charges.findPayment(reference);
    const now = new Date();
    const time = { from: new Date(now.getTime() - 60_000), until: now };
    const page = await listing.payments(time, null);
    await listing.payments(time, page.nextCursor);
    await listing.recall(reference, BENEFICIARY);
    const refundReference = mintId<RefundId>('refund', now);
    await charges.refund({ refundReference, providerPaymentId: reference, amountCents: 123_45 });
    const destination = { type: 'EMAIL', key: 'fornecedor@example.com' } as const;
    const transfer = { reference: mintId<PayoutId>('payout', now), amountCents: 1_000, destination, now };
    await payouts.send(transfer);
    await payouts.find(transfer);
    await payouts.list?.(time, null);
    const day = saoPauloMidnight(saoPauloDateOf(now));
    await statement.entries({ from: day, until: new Date(day.getTime() + 86_400_000) }, null);
    await notifications.register(WEBHOOK_URL);
    for (const webhook of box.queue.webhooks.values()) webhook.interrupted = true;
    await notifications.resume?.();
    return relay.exchanges;
  } finally {
    await Promise.all([adapter.disconnect(), relay.close()]);
  }
}
