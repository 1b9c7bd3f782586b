import { buildBarCode, buildFreeField } from '../../domain/boleto.ts';
import { buildBrCode } from '../../domain/pix.ts';
import type { IssueBoleto, IssuePix, PaymentProvider } from '../provider.ts';
import type { SandboxBank } from './sandbox-bank.ts';
import { sandboxToken } from './sandbox-cards.ts';
import type { SandboxDisputes } from './sandbox-disputes.ts';
import type { SandboxTransfers } from './sandbox-transfers.ts';

/** Reserved for no bank by Bacen, so that a sandbox boleto can be paid nowhere. */
const SANDBOX_BANK_CODE = '999';
const SANDBOX_AGENCY = '0001';
const SANDBOX_ACCOUNT = '1234567';
const SANDBOX_WALLET = '17';

/** A random-key (EVP) of the form Bacen issues; registered with nobody. */
const SANDBOX_PIX_KEY = '2f9c1b7e-5a34-4d0f-9b1e-7c6a8d3e4f50';

/**
 * A BR Code's transaction id holds 25 letters and digits; the end of an id is its random part and most of its
 * time.
 */
const TXID_LENGTH = 25;

/**
 * The payment rail of dev mode (contract section 8): it issues real-looking codes, and its bank pays, closes
 * and returns charges when told to. It goes through the same port, so the same code runs as with a real one.
 */
export function createSandboxProvider(
  bank: SandboxBank,
  disputes: Pick<SandboxDisputes, 'find'>,
  transfers: Pick<SandboxTransfers, 'send'>,
): PaymentProvider {
  return {
    name: 'sandbox',
    boletoIssuer: {
      bankName: 'Banco Sandbox',
      agencyAndAccount: `${SANDBOX_AGENCY} / ${SANDBOX_ACCOUNT}`,
      wallet: SANDBOX_WALLET,
    },
    issuePix: async (request) => {
      const reference = referenceOf(request.chargeId);
      return { reference, brCode: brCode(request, reference) };
    },
    issueBoleto: async (request) => {
      const reference = referenceOf(request.chargeId);
      const ourNumber = await bank.nextOurNumber();
      return {
        reference,
        ourNumber,
        barCode: barCode(request, ourNumber),
        brCode: brCode(request, reference),
      };
    },
    brCodeFor: async (request) => brCode(request, request.reference),
    tokenizeCard: async (card) => sandboxToken(card),
    chargeCard: (request) => bank.chargeCard(request),
    findPayment: (providerPaymentId) => bank.findPayment(providerPaymentId),
    close: (reference) => bank.close(reference),
    returnPayment: (providerPaymentId) => bank.returnPayment(providerPaymentId),
    findDispute: (providerDisputeId) => disputes.find(providerDisputeId),
    sendPix: (request) => transfers.send(request),
  };
}

function referenceOf(chargeId: string): string {
  return chargeId.slice(-TXID_LENGTH);
}

function brCode({ amountCents, description, beneficiary }: IssuePix, txid: string): string {
  return buildBrCode({
    key: SANDBOX_PIX_KEY,
    merchantName: beneficiary.name,
    merchantCity: beneficiary.city,
    amountCents,
    txid,
    ...(description !== null && { description }),
  });
}

function barCode({ amountCents, dueDate }: IssueBoleto, ourNumber: string): string {
  const freeField = buildFreeField({
    agency: SANDBOX_AGENCY,
    account: SANDBOX_ACCOUNT,
    wallet: SANDBOX_WALLET,
    ourNumber,
  });
  return buildBarCode({ bankCode: SANDBOX_BANK_CODE, dueDate, amountCents, freeField });
}
