import { buildBarCode, buildFreeField } from '../../domain/boleto.ts';
import { CARD_WALLETS } from '../../domain/card.ts';
import { NO_CARD_FEES } from '../../domain/card-fees.ts';
import { buildBrCode, buildDynamicBrCode } from '../../domain/pix.ts';
import type { Capabilities } from '../capabilities.ts';
import { BOLETOS_OF_ANY_KIND, type IssueBoleto, type IssueBrCode } from '../ports/boletos.ts';
import type { MandatesPort } from '../ports/mandates.ts';
import type { IssueDuePix } from '../ports/pix.ts';
import type { ProviderWith } from '../provider.ts';
import type { SandboxBank } from './sandbox-bank.ts';
import { sandboxToken } from './sandbox-cards.ts';
import type { SandboxDisputes } from './sandbox-disputes.ts';
import { SANDBOX_MANDATE_TERMS } from './sandbox-mandate-terms.ts';
import { sandboxReferenceOf } from './sandbox-reference.ts';
import type { SandboxTransfers } from './sandbox-transfers.ts';

/** Bacen has assigned this code to no bank, so a sandbox boleto cannot be paid anywhere. */
const SANDBOX_BANK_CODE = '999';
const SANDBOX_AGENCY = '0001';
const SANDBOX_ACCOUNT = '1234567';
const SANDBOX_WALLET = '17';

/** A random key (EVP) in Bacen's format; nobody has registered it. */
const SANDBOX_PIX_KEY = '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50';

/** A name that nobody can register (RFC 2606). */
const SANDBOX_LOCATION = 'sandbox.example/qr/v2/cobv';

const PIX = { maxExpirySeconds: Number.MAX_SAFE_INTEGER };
const BOLETOS = {
  ...BOLETOS_OF_ANY_KIND,
  minCents: 1,
  codeShowsAmount: true,
  issuer: {
    bankName: 'Banco Sandbox',
    agencyAndAccount: `${SANDBOX_AGENCY} / ${SANDBOX_ACCOUNT}`,
    wallet: SANDBOX_WALLET,
  },
};
const CARDS = { maxInstallments: 12, actionTimeoutMs: 15 * 60_000, wallets: CARD_WALLETS };
const REFUNDS = { partial: true, asynchronous: false, windowDays: null };
const PAYOUTS = { pixKey: true, ownAccount: true, txid: true };

/** Everything that the API offers. The sandbox has no list by time, and notifies internally. */
export const SANDBOX_CAPABILITIES: Capabilities = {
  pix: { ...PIX, due: true },
  boleto: BOLETOS,
  card: { ...CARDS, entry: 'TYPED' },
  mandate: SANDBOX_MANDATE_TERMS,
  refund: REFUNDS,
  payout: { ...PAYOUTS, listed: false },
  disputes: true,
  listings: false,
  notifications: null,
};

/**
 * The provider of dev mode (contract section 8): it issues realistic codes, and its bank pays, closes and returns
 * charges on request. It implements the same port, so the same code runs as with a real provider.
 */
export function createSandboxProvider(
  bank: SandboxBank,
  disputes: Pick<SandboxDisputes, 'find' | 'submitEvidence' | 'accept'>,
  transfers: Pick<SandboxTransfers, 'send' | 'find'>,
  mandates: MandatesPort,
): ProviderWith<'pix' | 'boletos' | 'cards' | 'mandates' | 'payouts' | 'disputes' | 'evidence'> {
  return {
    name: 'sandbox',
    pix: {
      ...PIX,
      issue: async (request) => {
        const reference = sandboxReferenceOf(request.chargeId);
        return { outcome: 'ISSUED', issued: { reference, brCode: sandboxBrCode(request, reference) } };
      },
      issueDue: async ({ chargeId, beneficiary }) => {
        const reference = sandboxReferenceOf(chargeId);
        return { outcome: 'ISSUED', issued: { reference, brCode: sandboxDueBrCode(beneficiary, reference) } };
      },
    },
    boletos: {
      ...BOLETOS,
      issue: async (request) => {
        const reference = sandboxReferenceOf(request.chargeId);
        const ourNumber = await bank.nextOurNumber();
        const codes = {
          barCode: sandboxBarCode(request, ourNumber),
          brCode: sandboxBrCode(request, reference),
        };
        return { outcome: 'ISSUED', issued: { reference, ourNumber, ...codes } };
      },
      brCodeFor: async (request) => sandboxBrCode(request, request.reference),
    },
    cards: {
      ...CARDS,
      fees: NO_CARD_FEES,
      entry: { kind: 'TYPED', tokenize: async (card, wallet) => sandboxToken(card, wallet) },
      charge: (request) => bank.chargeCard(request),
      verify: (request) => bank.verifyCard(request),
      find: (token) => bank.findCard(token),
      forget: (token) => bank.forgetCard(token),
    },
    mandates,
    charges: {
      refunds: REFUNDS,
      findPayment: (providerPaymentId) => bank.findPayment(providerPaymentId),
      findByReference: (reference) => bank.findByReference(reference),
      close: (reference) => bank.close(reference),
      closeUnstored: (chargeId) => bank.close(sandboxReferenceOf(chargeId)),
      findUnstored: async (chargeId) => {
        const { status, payments } = await bank.findByReference(sandboxReferenceOf(chargeId));
        if (payments.length > 0) return { status: 'PAID', payments };
        return { status: status === 'CLOSED' ? 'GONE' : 'OPEN' };
      },
      refund: (request) => bank.refund(request),
    },
    disputes: { find: (providerDisputeId) => disputes.find(providerDisputeId) },
    evidence: {
      submit: ({ providerDisputeId, texts }) =>
        disputes.submitEvidence(providerDisputeId, texts.uncategorizedText ?? '', new Date()),
      accept: (providerDisputeId) => disputes.accept(providerDisputeId, new Date()),
    },
    payouts: {
      ...PAYOUTS,
      send: (request) => transfers.send(request),
      find: (transfer) => transfers.find(transfer),
    },
  };
}

/** The code of a sandbox charge for this amount; it can be paid only here. */
export function sandboxBrCode(
  { amountCents, description, beneficiary }: Pick<IssueBrCode, 'amountCents' | 'description' | 'beneficiary'>,
  txid: string,
): string {
  return buildBrCode({
    key: SANDBOX_PIX_KEY,
    merchantName: beneficiary.name,
    merchantCity: beneficiary.city,
    amountCents,
    txid,
    ...(description !== null && { description }),
  });
}

/** The code of a sandbox charge with a due date: like a bank's, it names no amount, as that grows once it is late. */
function sandboxDueBrCode({ name, city }: IssueDuePix['beneficiary'], txid: string): string {
  return buildDynamicBrCode({
    location: `${SANDBOX_LOCATION}/${txid}`,
    merchantName: name,
    merchantCity: city,
  });
}

/** The 44 digits of a sandbox boleto, which no bank accepts. */
export function sandboxBarCode(
  { amountCents, dueDate }: Pick<IssueBoleto, 'amountCents' | 'dueDate'>,
  ourNumber: string,
): string {
  const freeField = buildFreeField({
    agency: SANDBOX_AGENCY,
    account: SANDBOX_ACCOUNT,
    wallet: SANDBOX_WALLET,
    ourNumber,
  });
  return buildBarCode({ bankCode: SANDBOX_BANK_CODE, dueDate, amountCents, freeField });
}
