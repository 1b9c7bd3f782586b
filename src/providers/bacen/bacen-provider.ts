import type { ChargeId } from '../../domain/ids.ts';
import type { Capabilities } from '../capabilities.ts';
import type { OrderClaims } from '../order-claims.ts';
import type { CloseAnswer, ProviderCharge, UnstoredCharge } from '../ports/charges.ts';
import type { ProviderDispute } from '../ports/disputes.ts';
import type { ListedTime } from '../ports/listing.ts';
import type { ProviderPage } from '../ports/pages.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import type { PayoutTerms } from '../ports/payouts.ts';
import type { ProviderWith } from '../provider.ts';
import type { BacenAccount } from './account.ts';
import { BankClient } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import { isExpiredForSure, MAX_EXPIRY_SECONDS } from './expiry.ts';
import { dueTxidOf, endToEndIdOfDispute, isDueTxid, txidOf } from './ids.ts';
import { duePixIssuer } from './issue-due-pix.ts';
import { pixIssuer } from './issue-pix.ts';
import { issuedCharges } from './issued-charges.ts';
import { bacenMandates, mandateTermsOf } from './mandates/mandates.ts';
import { bacenNotifications } from './notifications.ts';
import { pageQuery } from './page-query.ts';
import type { BacenProfile } from './profile.ts';
import { refundAtBank } from './refund.ts';
import { sendFromBank } from './send.ts';
import { sentTransfers } from './sent-transfers.ts';
import {
  type BankCharge,
  paymentOf,
  readCharge,
  readListedPayments,
  readPayment,
  readPaymentList,
} from './wire.ts';

/** Bacen, Resolução 103. */
const REFUNDS = { partial: true, asynchronous: true, windowDays: 90 };
const PIX = { maxExpirySeconds: MAX_EXPIRY_SECONDS };
/** The pause before a bank with contradictory answers is polled again. */
const POLL_AFTER_MS = 5_000;
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
const REMOVED_BY_BANK = 'REMOVIDA_PELO_PSP';

export interface BacenProvider extends ProviderWith<'pix' | 'disputes' | 'listing' | 'notifications'> {
  /** Closes its connections once no request is under way. */
  disconnect(): Promise<void>;
}

/**
 * A bank with Bacen's API Pix (github.com/bacen/pix-api, 2.9.0), for one account of a store. Every order carries an
 * id of ours and is preceded by a look-up of it, so a repeated order finds the first one.
 */
export function createBacenProvider(
  account: BacenAccount,
  {
    claims = null,
    settleMs,
    nowMs,
    ...options
  }: {
    readonly timeoutMs?: number;
    /** Of this account. Without them it creates no mandates, as in a command. */
    readonly claims?: OrderClaims | null;
    /** How long lists may lag after a lost answer. */
    readonly settleMs?: number;
    /** The clock by which lists of mandates are read; a test moves it with its bank's. */
    readonly nowMs?: () => number;
  } = {},
): BacenProvider {
  const client = new BankClient(account, options);
  const { profile } = account;
  const { paths } = profile;

  const findCharge = async (txid: string, signal?: AbortSignal): Promise<BankCharge | null> => {
    const body = await client.find(`${isDueTxid(txid) ? paths.cobv : paths.cob}/${txid}`, signal);
    return body === null ? null : readCharge(body);
  };

  const findPayment = async (endToEndId: string): Promise<ProviderPayment | null> => {
    if (!/^[A-Za-z0-9]{1,64}$/.test(endToEndId)) return null;
    const body = await client.find(`${paths.pix}/${endToEndId}`);
    return body === null ? null : paymentOf(readPayment(body));
  };

  /** Oldest first. If the charge names payments that cannot be found yet, this throws: the result is not known. */
  const paymentsOf = async ({ pix = [] }: BankCharge): Promise<ProviderPayment[]> => {
    const payments = await Promise.all(pix.map(({ endToEndId }) => findPayment(endToEndId)));
    const found = payments.filter((payment) => payment !== null);
    if (found.length < pix.length)
      throw new BankError('RETRY', null, 'the bank does not find its payment yet');
    return found.sort((one, other) => one.paidAt.getTime() - other.paidAt.getTime());
  };

  const close = async (txid: string): Promise<CloseAnswer> => {
    let refusal: unknown = null;
    try {
      const path = `${isDueTxid(txid) ? paths.cobvRevision : paths.cobRevision}/${txid}`;
      await client.send({ method: 'PATCH', path, body: { status: REMOVED } });
    } catch (error) {
      // The charge may be paid or removed already, or the answer was lost: a look-up of the charge decides.
      refusal = error;
    }
    const charge = await findCharge(txid);
    const wasRefused = refusal instanceof BankError && refusal.refusal !== null;
    if (charge === null) return closeUnknown(refusal);
    const [payment] = await paymentsOf(charge);
    if (payment !== undefined) return { outcome: 'PAID', payment };
    if (charge.status === REMOVED_BY_BANK) return { outcome: 'CLOSED', wasDead: true };
    if (charge.status.startsWith('REMOVIDA_')) return { outcome: 'CLOSED' };
    if (charge.status === 'ATIVA' && refusal !== null) {
      // Some banks refuse to remove an expired charge, so polling would never end. An outage does not count as a
      // refusal.
      if (wasRefused && isExpiredForSure(charge, Date.now())) return { outcome: 'CLOSED' };
      throw refusal;
    }
    // The charge is paid but its payment is not listed yet, or has a status that this version does not know.
    return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  };

  const findByReference = async (txid: string): Promise<ProviderCharge | null> => {
    const charge = await findCharge(txid);
    if (charge === null) return null;
    const payments = await paymentsOf(charge);
    if (payments.length > 0) return { status: 'PAID', payments };
    if (charge.status === 'CONCLUIDA')
      throw new BankError('RETRY', null, 'the bank has concluded the charge and names no payment yet');
    return { status: charge.status.startsWith('REMOVIDA_') ? 'CLOSED' : 'OPEN', payments };
  };

  const findUnstored = async (txid: string): Promise<UnstoredCharge> => {
    const charge = await findCharge(txid);
    if (charge === null) return { status: 'GONE' };
    const payments = await paymentsOf(charge);
    if (payments.length > 0) return { status: 'PAID', payments };
    if (charge.status.startsWith('REMOVIDA_')) return { status: 'GONE' };
    return { status: charge.status === 'ATIVA' && isExpiredForSure(charge, Date.now()) ? 'GONE' : 'OPEN' };
  };

  /** What may have been issued for a charge that is not stored: nothing here says whether it was to have a due date. */
  const txidsOf = (chargeId: ChargeId) =>
    profile.dueCharges ? [txidOf(chargeId), dueTxidOf(chargeId)] : [txidOf(chargeId)];

  const closeUnstored = async (chargeId: ChargeId): Promise<CloseAnswer> => {
    const closed = await Promise.allSettled(txidsOf(chargeId).map(close));
    const answers = closed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const decisive = answers.find((answer) => answer.outcome === 'PAID' || isOwnRemoval(answer));
    if (decisive !== undefined) return decisive;
    const failed = closed.find((each) => each.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const pending = answers.find(({ outcome }) => outcome === 'PENDING');
    return pending ?? { outcome: 'CLOSED', wasDead: true };
  };

  const findAnyUnstored = async (chargeId: ChargeId): Promise<UnstoredCharge> => {
    const found = await Promise.all(txidsOf(chargeId).map(findUnstored));
    const wanted = (status: UnstoredCharge['status']) => found.find((each) => each.status === status);
    return wanted('PAID') ?? wanted('OPEN') ?? { status: 'GONE' };
  };

  const listPayments = async (
    { from, until, onlyReversed = false }: ListedTime,
    cursor: string | null,
  ): Promise<ProviderPage<ProviderPayment>> => {
    const page = Number(cursor ?? 0);
    const query = {
      ...pageQuery({ from, until }, page),
      ...(onlyReversed && { devolucaoPresente: 'true' }),
    };
    const list = readPaymentList(await client.send({ method: 'GET', path: paths.pix, query }));
    const { items: payments, unreadableIds } = readListedPayments(list.pix ?? []);
    const items = payments
      .map(paymentOf)
      .filter((payment) => payment !== null)
      .filter(({ paidAt }) => paidAt >= from && paidAt < until);
    const isLast = page + 1 >= list.parametros.paginacao.quantidadeDePaginas;
    const nextCursor = isLast ? null : String(page + 1);
    return unreadableIds.length === 0 ? { items, nextCursor } : { items, nextCursor, unreadableIds };
  };

  const findDispute = async (providerDisputeId: string): Promise<ProviderDispute | null> => {
    const payment = await findPayment(endToEndIdOfDispute(providerDisputeId));
    return payment?.disputes?.find((dispute) => dispute.providerDisputeId === providerDisputeId) ?? null;
  };

  const issuerDeps = { client, account, findCharge, paymentsOf, close };
  const mandates = bacenMandates({
    client,
    account,
    claims,
    ...(settleMs !== undefined && { settleMs }),
    ...(nowMs !== undefined && { nowMs }),
  });

  return {
    name: account.id,
    charges: {
      refunds: REFUNDS,
      findPayment,
      findByReference,
      close,
      closeUnstored,
      findUnstored: findAnyUnstored,
      refund: (request) => refundAtBank(client, paths.pix, request),
    },
    pix: {
      ...PIX,
      issue: pixIssuer(issuerDeps),
      ...(profile.dueCharges && { issueDue: duePixIssuer(issuerDeps) }),
    },
    listing: { payments: listPayments, ...issuedCharges(client, profile) },
    // Returns by the payer's bank (MED).
    disputes: { find: findDispute },
    ...(profile.send !== null && {
      payouts: {
        ...payoutTermsOf(profile.send, account.settings),
        ...sendFromBank(client, profile.send, account),
        ...(profile.send.list !== null && { list: sentTransfers(client, profile.send.list) }),
      },
    }),
    ...(mandates !== undefined && { mandates }),
    missingPermissions: async () => {
      const granted = await client.scopes();
      return granted && (profile.send?.scopes ?? []).filter((scope) => !granted.includes(scope));
    },
    notifications: bacenNotifications(client, account),
    disconnect: () => client.close(),
  };
}

/**
 * The result of a closing if the look-up does not find the charge. Look-ups lag, so only a bank that does not find
 * it for the removal either has none.
 * @throws the refusal if the bank may have a charge that can still be paid: it is closed later.
 */
function closeUnknown(refusal: unknown): CloseAnswer {
  if (refusal === null) return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  if (refusal instanceof BankError && refusal.status === 404) return { outcome: 'CLOSED', wasDead: true };
  throw refusal;
}

/** Whether it took a charge away that could be paid until then. */
function isOwnRemoval(answer: CloseAnswer): boolean {
  return answer.outcome === 'CLOSED' && answer.wasDead !== true;
}

type Settings = Partial<Pick<BacenAccount['settings'], 'payoutKey' | 'notificationProof'>>;

function payoutTermsOf(send: NonNullable<BacenProfile['send']>, { payoutKey }: Settings): PayoutTerms {
  return { pixKey: true, ownAccount: payoutKey !== undefined, txid: send.orderByCode !== null };
}

/** The capabilities of an account with this profile and every setting. */
export function capabilitiesOfProfile(profile: BacenProfile): Capabilities {
  const { send } = profile;
  return {
    pix: { ...PIX, ...(profile.dueCharges && { due: true }) },
    boleto: null,
    card: null,
    mandate: mandateTermsOf(profile),
    refund: REFUNDS,
    payout: send && { ...payoutTermsOf(send, { payoutKey: 'any' }), listed: send.list !== null },
    disputes: true,
    listings: true,
    notifications: 'token',
  };
}
