import type { CardFees } from '../../domain/card-fees.ts';
import { saoPauloDateOf } from '../../domain/civil-date.ts';
import { ID_PREFIX } from '../../domain/ids.ts';
import { claimsOf } from '../order-claims.ts';
import type { CardAnswer, CardsPort, CardTerms, ChargeCard } from '../ports/cards.ts';
import type { CloseAnswer, ProviderCharge } from '../ports/charges.ts';
import { ProviderError } from '../provider-error.ts';
import { closeAll, isAnalyzed, NOTHING_MADE, RISK_POLL_MS } from './close.ts';
import { externalReferenceOf, type Issuing, issueOnce } from './issue.ts';
import { isSameOrder } from './payments.ts';
import { type AsaasPayment, standingOf } from './wire.ts';

const ACTION_TIMEOUT_MS = 30 * 60_000;
const ACTION_POLL_MS = 5_000;

/** Asaas takes up to 21 installments, and Recebe's checkouts 12. Asaas bills a customer, who has a CPF or CNPJ. */
export const ASAAS_CARDS = {
  maxInstallments: 12,
  actionTimeoutMs: ACTION_TIMEOUT_MS,
  namesPayer: true,
  paysEachInstallment: true,
  lastInstallmentIsLarger: true,
} as const satisfies CardTerms;

/** Cards on Asaas' own page: the order's answer names it, and the payer types the card there. */
export function asaasCards(issuing: Issuing, fees: CardFees | null): CardsPort {
  return {
    ...ASAAS_CARDS,
    ...(fees !== null && { fees }),
    entry: { kind: 'HOSTED_PAGE' },
    charge: (request) => chargeOnPage(issuing, request),
    verify: async () => {
      throw new ProviderError('UNSUPPORTED', 'Asaas verifies no card without a payment');
    },
    find: async () => null,
    // None is ever stored.
    forget: async () => {},
  };
}

/** Whether this is the reference of a card payment, which is the charge's id. */
export function isCardReference(reference: string): boolean {
  return reference.startsWith(ID_PREFIX.cardCharge);
}

/**
 * Orders the payment once, and asks how it stands. A refused card decides nothing: the payer may try another one on the same
 * page until the payment is closed.
 */
async function chargeOnPage(issuing: Issuing, request: ChargeCard): Promise<CardAnswer> {
  if (request.token !== null || request.isOffSession)
    throw new ProviderError('UNSUPPORTED', 'Asaas takes cards only from a payer on its own page');
  const first = await orderPage(issuing, request, { successUrl: request.returnUrl });
  // Asaas refuses an address outside of the account's registered site. Without it, the payer is not sent back.
  return answerOf(first.outcome === 'REFUSED' ? await orderPage(issuing, request, {}) : first);
}

type Ordered = Awaited<ReturnType<typeof orderPage>>;

function orderPage(issuing: Issuing, request: ChargeCard, back: { readonly successUrl?: string }) {
  const { chargeId, amountCents, payer, installmentsCount, now } = request;
  const dueDate = saoPauloDateOf(new Date(now.getTime() + ACTION_TIMEOUT_MS));
  const terms = { billingType: 'CREDIT_CARD', dueDate, installmentsCount, ...back } as const;
  const order = { chargeId, amountCents, payer, description: null };
  return issueOnce(issuing, order, terms, async (payment) => ({
    url: payment.invoiceUrl,
    isAnalyzed: isAnalyzed(payment),
  }));
}

function answerOf(answer: Ordered): CardAnswer {
  switch (answer.outcome) {
    case 'PAID':
      return { outcome: 'APPROVED', payment: answer.payment };
    case 'ISSUED': {
      const { url } = answer.issued;
      if (answer.issued.isAnalyzed) return { outcome: 'PENDING', pollAfterMs: RISK_POLL_MS };
      if (url === null) throw new ProviderError('RETRY', 'Asaas does not name the page of a card payment');
      return { outcome: 'REQUIRES_ACTION', url, pollAfterMs: ACTION_POLL_MS };
    }
    case 'PENDING':
      return answer;
    case 'DEAD':
    case 'REFUSED':
      return { outcome: 'DECLINED', reason: 'processing_error' };
  }
}

/** A card payment by its charge's id. */
export async function findCardCharge(
  { payments, claims }: Issuing,
  reference: string,
): Promise<ProviderCharge | null> {
  const externalReference = externalReferenceOf(reference);
  const madeId = (await claims?.recorded(externalReference)) ?? null;
  const recorded = madeId === null || madeId === NOTHING_MADE ? null : await payments.find(madeId);
  const listed = await payments.issuedFor(externalReference);
  const all: readonly AsaasPayment[] = [
    ...(recorded === null ? [] : [recorded]),
    ...listed.filter((each) => recorded === null || !isSameOrder(each, recorded)),
  ];
  if (all.length === 0) return madeId === NOTHING_MADE ? { status: 'CLOSED', payments: [] } : null;
  const money = await Promise.all(all.map((payment) => payments.moneyOf(payment)));
  const paid = money.filter((each) => each !== null);
  if (paid.length > 0) return { status: 'PAID', payments: paid };
  const isOpen = all.some((payment) => standingOf(payment) === 'OPEN');
  return { status: isOpen ? 'OPEN' : 'CLOSED', payments: [] };
}

/** Also keeps a request that is late from ordering the payment afterwards. */
export function closeCardCharge({ payments, claims }: Issuing, reference: string): Promise<CloseAnswer> {
  return closeAll(payments, claimsOf(claims), externalReferenceOf(reference));
}
