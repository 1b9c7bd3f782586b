import { nextBusinessDay } from '../../domain/business-days.ts';
import { addDays, daysBetween, saoPauloDateOf } from '../../domain/civil-date.ts';
import { decimalOf } from '../../domain/money.ts';
import type { Capabilities } from '../capabilities.ts';
import { claimsOf, type OrderClaims } from '../order-claims.ts';
import { BOLETOS_OF_ANY_KIND, type IssueBoleto } from '../ports/boletos.ts';
import type { IssuePix } from '../ports/pix.ts';
import type { ProviderWith } from '../provider.ts';
import type { AsaasAccount } from './account.ts';
import { AsaasClient, AsaasError } from './asaas-client.ts';
import { ASAAS_CARDS, asaasCards, closeCardCharge, findCardCharge, isCardReference } from './cards.ts';
import { closeAll, closeCharge, findAll, findCharge } from './close.ts';
import { asaasDisputes } from './disputes.ts';
import { externalReferenceOf, type Issuing, issueOnce } from './issue.ts';
import { asaasListing } from './listing.ts';
import { missingPermissions } from './missing-permissions.ts';
import { asaasNotifications } from './notifications.ts';
import { AsaasPayments } from './payments.ts';
import { refundAtAsaas } from './refund.ts';
import { asaasStatement } from './statement.ts';
import { asaasTransfers } from './transfers.ts';
import { type AsaasPayment, readQrCode, readSlip } from './wire.ts';

/** A code of Asaas lives until the end of its due date; Recebe removes it at its own expiry. */
const PIX = { maxExpirySeconds: 31_536_000, namesPayer: true };
const BOLETOS = {
  ...BOLETOS_OF_ANY_KIND,
  minCents: 500,
  // Asaas reads today's amount from its own books when a bank asks for the code.
  codeShowsAmount: false,
  issuer: { bankName: 'Asaas', agencyAndAccount: null, wallet: null },
};
/** PIX: Bacen, Resolução 103. */
const REFUNDS = { partial: true, asynchronous: true, windowDays: 90 };

const PAYOUTS = { pixKey: true, ownAccount: true, txid: false };

export const ASAAS_CAPABILITIES: Capabilities = {
  pix: PIX,
  boleto: BOLETOS,
  card: { ...ASAAS_CARDS, entry: 'HOSTED_PAGE' },
  mandate: null,
  refund: REFUNDS,
  payout: { ...PAYOUTS, listed: true },
  disputes: true,
  listings: true,
  notifications: 'token',
};

export interface AsaasProvider
  extends ProviderWith<
    'pix' | 'boletos' | 'cards' | 'payouts' | 'disputes' | 'listing' | 'statement' | 'notifications'
  > {
  /** Closes its connections once no request is under way. */
  disconnect(): Promise<void>;
}

/**
 * Boletos, PIX, cards and payouts through Asaas (API v3), for one account of a store.
 * @param orderClaims null in a process that only looks up, such as a command.
 */
export function createAsaasProvider(
  account: AsaasAccount,
  orderClaims: OrderClaims | null,
  options: { readonly timeoutMs?: number } & Pick<Issuing, 'claimMs' | 'settleMs'> = {},
): AsaasProvider {
  const client = new AsaasClient(account, options);
  const payments = new AsaasPayments(client);
  const { timeoutMs: _, ...times } = options;
  const issuing: Issuing = { client, payments, claims: orderClaims, ...times };

  const brCodeOf = async (id: string): Promise<string> =>
    readQrCode(await client.send({ method: 'GET', path: `/v3/payments/${id}/pixQrCode` })).payload;
  const pixOf = async ({ id }: AsaasPayment) => ({ reference: id, brCode: await brCodeOf(id) });
  const boletoOf = async (payment: AsaasPayment) => {
    const path = `/v3/payments/${payment.id}/identificationField`;
    const { barCode, nossoNumero } = readSlip(await client.send({ method: 'GET', path }));
    return {
      reference: payment.id,
      brCode: await brCodeIfAny(payment.id),
      barCode,
      ourNumber: nossoNumero,
      voucherPdfUrl: payment.bankSlipUrl,
    };
  };
  /** Null if the account has no PIX key: Asaas refuses the code then, and the boleto is paid by its bar code. */
  const brCodeIfAny = async (id: string): Promise<string | null> => {
    try {
      return await brCodeOf(id);
    } catch (error) {
      if (error instanceof AsaasError && error.refusal !== null) return null;
      throw error;
    }
  };

  return {
    name: account.id,
    pix: {
      ...PIX,
      issue: (request) =>
        issueOnce(issuing, request, { billingType: 'PIX', dueDate: lastDayOf(request) }, pixOf),
    },
    boletos: {
      ...BOLETOS,
      issue: (request) => {
        const { dueDate } = request;
        const terms = { billingType: 'BOLETO', dueDate, late: lateTermsOf(request) } as const;
        return issueOnce(issuing, request, terms, boletoOf);
      },
    },
    charges: {
      refunds: REFUNDS,
      findPayment: (id) => payments.findMoney(id),
      findByReference: (reference) =>
        isCardReference(reference) ? findCardCharge(issuing, reference) : findCharge(payments, reference),
      close: (reference) =>
        isCardReference(reference) ? closeCardCharge(issuing, reference) : closeCharge(payments, reference),
      closeUnstored: (chargeId) => closeAll(payments, claimsOf(orderClaims), externalReferenceOf(chargeId)),
      findUnstored: (chargeId) => findAll(payments, externalReferenceOf(chargeId)),
      refund: (request) => refundAtAsaas(client, payments, orderClaims, request),
    },
    cards: asaasCards(issuing, account.cardFees),
    disputes: asaasDisputes(client, payments),
    payouts: {
      ...PAYOUTS,
      ownAccount: account.payoutKey !== null,
      ...asaasTransfers(client, orderClaims, account.payoutKey),
    },
    listing: asaasListing(client, payments, brCodeOf),
    statement: asaasStatement(client, payments),
    missingPermissions: () => missingPermissions(client),
    notifications: asaasNotifications(client, account),
    disconnect: () => client.close(),
  };
}

/** Asaas knows only days. */
function lastDayOf({ now, expiresInSeconds }: IssuePix) {
  return saoPauloDateOf(new Date(now.getTime() + expiresInSeconds * 1_000));
}

/** Rates are hundredths of a percent here, and percent at Asaas, which computes the amount of the day. */
function lateTermsOf({ dueDate, interest, fine, daysPayableAfterDueDate }: IssueBoleto) {
  const lastDay = addDays(nextBusinessDay(dueDate), daysPayableAfterDueDate);
  return {
    daysAfterDueDateToRegistrationCancellation: daysBetween(dueDate, lastDay),
    ...(interest !== null && { interest: { value: Number(decimalOf(interest.value)) } }),
    ...(fine !== null && { fine: { value: Number(decimalOf(fine.value)), type: fine.type } }),
  };
}
