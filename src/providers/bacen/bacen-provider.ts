import { decimalOf } from '../../domain/money.ts';
import { buildDynamicBrCode } from '../../domain/pix.ts';
import type { Capabilities } from '../capabilities.ts';
import type {
  CloseAnswer,
  IssueAnswer,
  IssuedPix,
  IssuePix,
  ListedTime,
  PaymentProvider,
  ProviderCharge,
  ProviderDispute,
  ProviderPage,
  ProviderPayment,
} from '../provider.ts';
import { unsupported } from '../provider-error.ts';
import type { BacenAccount } from './account.ts';
import { BankClient } from './bank-client.ts';
import { BankError } from './bank-error.ts';
import { endToEndIdOfDispute, txidOf } from './ids.ts';
import { issuedCharges } from './issued-charges.ts';
import { bacenNotifications } from './notifications.ts';
import { orderOnce } from './order-once.ts';
import type { BacenProfile } from './profile.ts';
import { refundAtBank } from './refund.ts';
import { sendFromBank } from './send.ts';
import {
  type BankCharge,
  paymentOf,
  readCharge,
  readListedPayments,
  readPayment,
  readPaymentList,
} from './wire.ts';

/** `expiracao` is an int32. */
const MAX_EXPIRY_SECONDS = 2 ** 31 - 1;
/** Bacen, Resolução 103. */
const REFUND_WINDOW_DAYS = 90;
const DESCRIPTION_MAX_LENGTH = 140;
const ITEMS_PER_PAGE = 100;
/** Payers' banks refuse a code that has expired. Their clocks may be a little apart, and a payment takes seconds. */
const EXPIRED_FOR_SURE_MS = 10 * 60_000;
/** A bank that is not of one mind is asked again so soon. */
const POLL_AFTER_MS = 5_000;
const REMOVED = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';

export interface BacenProvider extends PaymentProvider {
  /** Ends its connections, once nothing is under way. */
  disconnect(): Promise<void>;
}

/**
 * A bank that offers Bacen's API Pix (github.com/bacen/pix-api, 2.9.0), for one account of a store. Every order names an
 * id of ours and follows a look-up by it, so that repeating one finds what the first has done.
 */
export function createBacenProvider(
  account: BacenAccount,
  options: { readonly timeoutMs?: number } = {},
): BacenProvider {
  const client = new BankClient(account, options);
  const { profile } = account;
  const { paths } = profile;
  const { pixKey } = account.settings;

  const findCharge = async (txid: string): Promise<BankCharge | null> => {
    const body = await client.find(`${paths.cob}/${txid}`);
    return body === null ? null : readCharge(body);
  };

  const findPayment = async (endToEndId: string): Promise<ProviderPayment | null> => {
    if (!/^[A-Za-z0-9]{1,64}$/.test(endToEndId)) return null;
    const body = await client.find(`${paths.pix}/${endToEndId}`);
    return body === null ? null : paymentOf(readPayment(body));
  };

  /** Oldest first. Where the charge names payments that cannot be found yet, nothing is known. */
  const paymentsOf = async ({ pix = [] }: BankCharge): Promise<ProviderPayment[]> => {
    const payments = await Promise.all(pix.map(({ endToEndId }) => findPayment(endToEndId)));
    const found = payments.filter((payment) => payment !== null);
    if (found.length < pix.length)
      throw new BankError('RETRY', null, 'the bank does not find its payment yet');
    return found.sort((one, other) => one.paidAt.getTime() - other.paidAt.getTime());
  };

  const issuePix = (request: IssuePix): Promise<IssueAnswer<IssuedPix>> => {
    const txid = txidOf(request.chargeId);
    const path = `${paths.cob}/${txid}`;
    return orderOnce<IssueAnswer<IssuedPix>>({
      find: async () => {
        const there = await findCharge(txid);
        return there && issued(request, txid, there);
      },
      give: async () => {
        const made = await client.send({ method: 'PUT', path, body: askedCharge(request, pixKey) });
        return issued(request, txid, readCharge(made));
      },
      refused: (reason) => ({ outcome: 'REFUSED', reason }),
    });
  };

  const issued = (
    { amountCents, beneficiary }: IssuePix,
    reference: string,
    charge: BankCharge,
  ): IssueAnswer<IssuedPix> => {
    if (charge.valor.original !== amountCents || charge.chave !== pixKey)
      throw new BankError('INVALID', null, 'the bank has another charge under this id');
    const code = charge[profile.codeField] ?? charge.pixCopiaECola;
    const location = charge.location ?? charge.loc?.location;
    if (code !== undefined) return { outcome: 'ISSUED', issued: { reference, brCode: code } };
    if (location === undefined)
      throw new BankError('RETRY', null, 'the bank gives the charge neither a code nor a location');
    const brCode = buildDynamicBrCode({
      location: location.replace(/^https?:\/\//, ''),
      merchantName: beneficiary.name,
      merchantCity: beneficiary.city,
    });
    return { outcome: 'ISSUED', issued: { reference, brCode } };
  };

  const close = async (txid: string): Promise<CloseAnswer> => {
    let refusal: unknown = null;
    try {
      await client.send({ method: 'PATCH', path: `${paths.cobRevision}/${txid}`, body: { status: REMOVED } });
    } catch (error) {
      // Paid or removed already, or the answer was lost: the charge itself says which.
      refusal = error;
    }
    const charge = await findCharge(txid);
    if (charge === null) return { outcome: 'CLOSED' };
    const [payment] = await paymentsOf(charge);
    if (payment !== undefined) return { outcome: 'PAID', payment };
    if (charge.status.startsWith('REMOVIDA_')) return { outcome: 'CLOSED' };
    if (charge.status === 'ATIVA' && refusal !== null) {
      // A bank that removes nothing that has expired would be asked for ever. An outage is no such answer.
      if (refusal instanceof BankError && refusal.refusal !== null && isExpired(charge, Date.now()))
        return { outcome: 'CLOSED' };
      throw refusal;
    }
    // Paid, and the payment is not told yet; or something that this version of the document does not know.
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

  const listPayments = async (
    { from, until, onlyReversed = false }: ListedTime,
    cursor: string | null,
  ): Promise<ProviderPage<ProviderPayment>> => {
    const page = Number(cursor ?? 0);
    const query = {
      inicio: wholeSecond(Math.floor(from.getTime() / 1_000)),
      fim: wholeSecond(Math.ceil(until.getTime() / 1_000)),
      'paginacao.paginaAtual': String(page),
      'paginacao.itensPorPagina': String(ITEMS_PER_PAGE),
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

  const capabilities = capabilitiesOf(profile, account.settings);
  return {
    name: account.id,
    describe: () => capabilities,
    issuePix,
    issueBoleto: unsupported('issue boletos'),
    brCodeFor: unsupported('issue boletos'),
    tokenizeCard: unsupported('take cards'),
    chargeCard: unsupported('take cards'),
    findPayment,
    findByReference,
    close,
    closeUnstored: (chargeId) => close(txidOf(chargeId)),
    refund: (request) => refundAtBank(client, paths.pix, request),
    listPayments,
    ...issuedCharges(client, profile),
    findDispute,
    sendPix: profile.send === null ? unsupported('send money') : sendFromBank(client, profile.send, account),
    notifications: bacenNotifications(client, account),
    disconnect: () => client.close(),
  };
}

/** What a bank of this profile can do for an account; of some account that has everything, where none is given. */
export function capabilitiesOf(
  { send }: BacenProfile,
  settings: Partial<Pick<BacenAccount['settings'], 'payoutKey' | 'notificationProof'>> = { payoutKey: 'any' },
): Capabilities {
  return {
    pix: { maxExpirySeconds: MAX_EXPIRY_SECONDS },
    boleto: null,
    card: null,
    refund: { partial: true, asynchronous: true, windowDays: REFUND_WINDOW_DAYS },
    payout: { pixKey: send !== null, ownAccount: send !== null && settings.payoutKey !== undefined },
    // What a payer's bank takes back (MED).
    disputes: true,
    listings: true,
    notifications: settings.notificationProof ?? 'token',
  };
}

function askedCharge({ amountCents, description, expiresInSeconds, payer }: IssuePix, chave: string) {
  const { name: nome, taxId } = payer;
  const devedor = nome && taxId ? { [taxId.length === 11 ? 'cpf' : 'cnpj']: taxId, nome } : null;
  return {
    calendario: { expiracao: Math.min(expiresInSeconds, MAX_EXPIRY_SECONDS) },
    ...(devedor && { devedor }),
    valor: { original: decimalOf(amountCents) },
    chave,
    ...(description && { solicitacaoPagador: description.slice(0, DESCRIPTION_MAX_LENGTH) }),
  };
}

/** There is no status for it: the charge stays ATIVA. */
function isExpired({ calendario }: BankCharge, nowMs: number): boolean {
  const { criacao, expiracao } = calendario ?? {};
  if (criacao === undefined || expiracao === undefined) return false;
  return criacao.getTime() + expiracao * 1_000 + EXPIRED_FOR_SURE_MS < nowMs;
}

/** Without milliseconds, which some banks do not take. */
function wholeSecond(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}
