import { decimalOf } from '../../src/domain/money.ts';
import { buildDynamicBrCode } from '../../src/domain/pix.ts';
import type { BacenProfile } from '../../src/providers/bacen/profile.ts';
import type {
  BankCharge,
  BankPayment,
  BankRefund,
  BankTransfer,
  BankTransferReturn,
  BankWebhook,
} from './state.ts';

/** Who the bank's one customer is, as its charges say. */
export const RECEIVER = {
  nome: 'Loja da Caixa Ltda',
  cnpj: '11222333000181',
  logradouro: 'Rua das Palmeiras, 100',
  cidade: 'São Paulo',
  uf: 'SP',
  cep: '01310100',
} as const;

/** Where the payer's bank reads a charge, without scheme. */
export function locationOf({ kind, accessToken }: BankCharge): string {
  return `pix.example.com/qr/v2/${kind === 'cobv' ? 'cobv/' : ''}${accessToken}`;
}

/** The copy-and-paste code of a charge. */
export function codeOf(charge: BankCharge): string {
  return buildDynamicBrCode({
    location: locationOf(charge),
    merchantName: RECEIVER.nome,
    merchantCity: RECEIVER.cidade,
  });
}

/** A charge as the API shows it. `payments` is included only on request, and never in the answer to its creation. */
export function presentCharge(
  charge: BankCharge,
  profile: BacenProfile,
  payments: readonly BankPayment[] | null,
): Record<string, unknown> {
  const location = locationOf(charge);
  const { asked, createdAt, kind, txid } = charge;
  const calendario =
    kind === 'cob'
      ? { criacao: createdAt, expiracao: asked.calendario.expiracao ?? 86_400 }
      : { criacao: createdAt, validadeAposVencimento: 30, ...asked.calendario };
  return {
    ...asked,
    calendario,
    txid,
    revisao: charge.revision,
    status: charge.status,
    ...(kind === 'cobv' && { recebedor: RECEIVER }),
    loc: { id: charge.locationId, txid, location, tipoCob: kind, criacao: createdAt },
    location,
    [profile.codeField]: codeOf(charge),
    ...(payments !== null && payments.length > 0 && { pix: payments.map(presentPaymentBriefly) }),
  };
}

/** A charge in a list: Efí names the key of its payments there, and nowhere else inside a charge. */
export function presentListedCharge(
  charge: BankCharge,
  profile: BacenProfile,
  payments: readonly BankPayment[],
): Record<string, unknown> {
  const shown = presentCharge(charge, profile, payments);
  if (payments.length === 0) return shown;
  return { ...shown, pix: payments.map((each) => ({ ...presentPaymentBriefly(each), chave: each.key })) };
}

/** A payment inside its charge. */
function presentPaymentBriefly({ endToEndId, txid, amountCents, paidAt, refunds }: BankPayment) {
  const devolucoes = refunds.map((refund) => {
    const { id, rtrId, valor, status, horario } = presentRefund(refund);
    return { id, rtrId, valor, horario: { solicitacao: horario.solicitacao }, status };
  });
  return {
    endToEndId,
    txid,
    valor: decimalOf(amountCents),
    horario: paidAt,
    ...(devolucoes.length > 0 && { devolucoes }),
  };
}

/** A payment by itself, in lists and in notifications. */
export function presentPayment(payment: BankPayment): Record<string, unknown> {
  const { endToEndId, txid, key, amountCents, paidAt, payerMessage, refunds } = payment;
  const part = (cents: number) => ({ valor: decimalOf(cents) });
  return {
    endToEndId,
    txid,
    valor: decimalOf(amountCents),
    componentesValor: {
      original: part(payment.originalCents),
      ...(payment.interestCents > 0 && { juros: part(payment.interestCents) }),
      ...(payment.fineCents > 0 && { multa: part(payment.fineCents) }),
    },
    chave: key,
    horario: paidAt,
    ...(payerMessage !== null && { infoPagador: payerMessage }),
    ...(refunds.length > 0 && { devolucoes: refunds.map(presentRefund) }),
  };
}

export function presentRefund(refund: BankRefund) {
  return {
    id: refund.id,
    rtrId: refund.rtrId,
    valor: decimalOf(refund.amountCents),
    // Efí omits `natureza` for refunds that its customer requested.
    ...(refund.kind !== 'ORIGINAL' && { natureza: refund.kind }),
    horario: {
      solicitacao: refund.askedAt,
      ...(refund.settledAt !== null && { liquidacao: refund.settledAt }),
    },
    status: refund.status,
    ...(refund.reason !== null && { motivo: refund.reason }),
  };
}

export function presentWebhook({ key, url, createdAt }: BankWebhook) {
  return { webhookUrl: url, chave: key, cnpj: RECEIVER.cnpj, criacao: createdAt };
}

/** A transfer as Efí shows it: after it is ordered, by its id, and in the list of sent Pix. */
export function presentTransfer(transfer: BankTransfer) {
  const { settledAt, message = null, returns = [] } = transfer;
  return {
    endToEndId: transfer.endToEndId,
    idEnvio: transfer.id,
    valor: decimalOf(transfer.amountCents),
    chave: transfer.fromKey,
    status: transfer.status,
    ...(message !== null && { infoPagador: message }),
    horario: { solicitacao: transfer.askedAt, ...(settledAt !== undefined && { liquidacao: settledAt }) },
    favorecido: { chave: transfer.toKey },
    ...(returns.length > 0 && { devolucoes: returns.map(presentTransferReturn) }),
  };
}

/** A transfer as Efí's documents show it after a BR Code was paid: other names than elsewhere, and no txid anywhere. */
export function presentPaidCode({ id, endToEndId, amountCents, askedAt, status }: BankTransfer) {
  const horario = { solicitacao: askedAt };
  return { idEnvio: id, e2eId: endToEndId, valor: decimalOf(amountCents), horario, status };
}

function presentTransferReturn({ rtrId, amountCents, returnedAt }: BankTransferReturn) {
  return { rtrId, valor: decimalOf(amountCents), horario: returnedAt };
}
