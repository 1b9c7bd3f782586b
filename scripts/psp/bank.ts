import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { centsOfDecimal } from '../../src/domain/money.ts';
import { parseBrCode } from '../../src/domain/pix.ts';
import { type AskedCharge, readAskedCharge } from './asked-charge.ts';
import { amountDue, isPayableOn } from './due-charge.ts';
import { type DebitReceived, MandateBook } from './mandates/mandate-book.ts';
import type { Instruction, Mandate } from './mandates/state.ts';
import { Problem, refuseField } from './problem.ts';
import type {
  BankCharge,
  BankPayment,
  BankRefund,
  BankState,
  BankTransfer,
  BankTransferReturn,
} from './state.ts';

/** The time within which refunds may be requested (Bacen, Resolução 103). */
const REFUND_WINDOW_MS = 90 * 86_400_000;
const DEFAULT_EXPIRY_SECONDS = 86_400;
/**
 * Efí's sandbox completes transfers up to the first amount, fails them later up to the second, and refuses higher amounts at
 * once.
 */
const SENT_UP_TO_CENTS = 1_000;
const FAILS_LATER_UP_TO_CENTS = 2_000;
/** An ISPB that Bacen has assigned to no one. */
const ISPB = '99999998';

const payer = z.object({ chave: z.string(), infoPagador: z.string().max(140).optional() });
const codeOrderSchema = z.object({ pagador: payer, pixCopiaECola: z.string() });
const transferSchema = z.object({
  valor: z.string(),
  pagador: payer,
  favorecido: z.object({ chave: z.string() }),
});

interface AcceptedOrder {
  readonly pagador: z.output<typeof payer>;
  readonly amountCents: number;
  readonly toKey: string;
  readonly txid: string | null;
}

/** A change that the webhook poster reports at once. */
export type Happening = { readonly what: 'PIX'; readonly payments: readonly BankPayment[] };

export interface PayOptions {
  /** The amount to pay. Default: the amount of the charge. */
  readonly amountCents?: number;
  readonly message?: string;
  /** Also pays a charge that was removed or has expired, as when the payer's bank settles late. */
  readonly whateverItsStatus?: boolean;
}

/**
 * The state of the bank in a box, by the rules of Bacen's document for charges, payments and refunds. It knows nothing of HTTP.
 * It lives in memory, so each call is atomic.
 */
export class Bank {
  readonly state: BankState;
  readonly #keys: readonly string[];
  readonly #notify: (happening: Happening) => void;
  readonly #paid: (payment: BankPayment) => void;
  readonly #transfersByAmount: boolean;
  /** Pix Automático. */
  readonly mandates: MandateBook;

  constructor(options: {
    readonly state: BankState;
    /** The PIX keys of the bank's one customer. */
    readonly keys: readonly string[];
    readonly notify: (happening: Happening) => void;
    /** After each change of a mandate or a debit instruction. */
    readonly notifyOfMandates?: (changed: Mandate | Instruction) => void;
    /** After each payment of a payer's. */
    readonly paid?: (payment: BankPayment) => void;
    /** Like Efí's sandbox, decides by the amount whether a transfer succeeds. */
    readonly transfersByAmount: boolean;
  }) {
    this.state = options.state;
    this.#keys = options.keys;
    this.#notify = options.notify;
    this.#paid = options.paid ?? (() => {});
    this.#transfersByAmount = options.transfersByAmount;
    this.mandates = new MandateBook({
      state: options.state.automatic,
      now: () => this.now(),
      receive: (debit) => this.#receive(debit),
      notify: (changed) => options.notifyOfMandates?.(changed),
    });
  }

  now(): Date {
    return new Date(Date.now() + this.state.clockAheadMs);
  }

  /** PUT: makes the charge, or revises one that is still ATIVA. */
  putCharge(kind: BankCharge['kind'], txid: string, body: unknown): BankCharge {
    const type = kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida';
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid))
      refuseField(type, 'txid', 'O txid tem de 26 a 35 letras e dígitos.');
    const asked = this.#read(kind, body);
    const there = this.state.charges[txid];
    if (there !== undefined) {
      if (there.kind !== kind) refuseField(type, 'txid', 'O txid já foi usado por outra cobrança.');
      return this.#revise(there, asked);
    }
    const charge: BankCharge = {
      txid,
      kind,
      createdAt: this.now().toISOString(),
      asked,
      revision: 0,
      status: 'ATIVA',
      accessToken: randomBytes(16).toString('hex'),
      locationId: Object.keys(this.state.charges).length + 1,
    };
    this.state.charges[txid] = charge;
    return charge;
  }

  /** PATCH: changes the terms of the charge, or removes it. */
  patchCharge(
    kind: BankCharge['kind'],
    txid: string,
    { status, ...terms }: Record<string, unknown>,
  ): BankCharge {
    const charge = this.findCharge(kind, txid);
    if (status === undefined) {
      const { asked } = charge;
      const merged = { ...asked, ...terms };
      for (const part of ['calendario', 'valor'] as const)
        merged[part] = { ...asked[part], ...(terms[part] as object) } as never;
      return this.#revise(charge, this.#read(kind, merged));
    }
    if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR')
      refuseField('CobOperacaoInvalida', 'status', 'Só REMOVIDA_PELO_USUARIO_RECEBEDOR pode ser pedido.');
    this.#requireActive(charge);
    charge.status = status;
    charge.revision += 1;
    return charge;
  }

  /** Shortens the lifetime of the code. A code that already expires sooner keeps its expiry. */
  shortenExpiry(charge: BankCharge, seconds: number): void {
    const { calendario } = charge.asked;
    const expiracao = Math.min(calendario.expiracao ?? DEFAULT_EXPIRY_SECONDS, seconds);
    charge.asked = { ...charge.asked, calendario: { ...calendario, expiracao } };
  }

  /** The part of a payment that was neither refunded nor is being refunded, in cents. */
  leftOf(endToEndId: string): number {
    return leftOf(this.findPayment(endToEndId));
  }

  /** The bank itself removes a charge that nobody has paid. */
  removeCharge(txid: string): void {
    const charge = this.state.charges[txid];
    if (charge?.status !== 'ATIVA') return;
    charge.status = 'REMOVIDA_PELO_PSP';
    charge.revision += 1;
  }

  /** @throws Problem if the bank has no such charge of that kind. */
  findCharge(kind: BankCharge['kind'], txid: string): BankCharge {
    const charge = this.state.charges[txid];
    if (charge?.kind === kind) return charge;
    throw new Problem(kind === 'cob' ? 'CobNaoEncontrado' : 'NaoEncontrado', 'Cobrança não encontrada.');
  }

  paymentsOf(txid: string): BankPayment[] {
    return Object.values(this.state.payments).filter((payment) => payment.txid === txid);
  }

  /**
   * A payer pays. @returns the payment. @throws Error saying why the payer's bank refuses.
   */
  pay(txid: string, { amountCents, message, whateverItsStatus = false }: PayOptions = {}): BankPayment {
    const charge = this.state.charges[txid];
    if (charge === undefined) throw new Error('no such charge');
    if (!whateverItsStatus) {
      if (charge.status !== 'ATIVA') throw new Error(`the charge is ${charge.status}`);
      if (!this.#isOpen(charge)) throw new Error('the charge has expired');
    }
    const due = amountDue(charge, saoPauloDateOf(this.now()));
    const payment: BankPayment = {
      endToEndId: this.#endToEndId('E'),
      txid,
      key: charge.asked.chave,
      ...due,
      amountCents: amountCents ?? due.amountCents,
      paidAt: this.now().toISOString(),
      payerMessage: message ?? null,
      refunds: [],
    };
    charge.status = 'CONCLUIDA';
    this.state.payments[payment.endToEndId] = payment;
    this.#notify({ what: 'PIX', payments: [payment] });
    this.#paid(payment);
    this.mandates.afterPayment(txid);
    return payment;
  }

  /** The money of a debit arrives. */
  #receive({ amountCents, ...debit }: DebitReceived): void {
    const [key = ''] = this.#keys;
    const payment: BankPayment = {
      ...debit,
      key,
      amountCents,
      originalCents: amountCents,
      fineCents: 0,
      interestCents: 0,
      payerMessage: null,
      refunds: [],
    };
    this.state.payments[payment.endToEndId] = payment;
    this.#notify({ what: 'PIX', payments: [payment] });
    this.#paid(payment);
  }

  /** @throws Problem if there is no such payment. */
  findPayment(endToEndId: string): BankPayment {
    const payment = this.state.payments[endToEndId];
    if (payment === undefined) throw new Problem('NaoEncontrado', 'Pix não encontrado.');
    return payment;
  }

  /** Asks for a refund, which ends later. */
  refund(endToEndId: string, id: string, amount: string, ends: BankRefund['ends']): BankRefund {
    const payment = this.findPayment(endToEndId);
    const refuse = (propriedade: string, razao: string) =>
      refuseField('PixDevolucaoInvalida', propriedade, razao);
    const amountCents = centsOfDecimal(amount) ?? 0;
    if (!/^[a-zA-Z0-9]{1,35}$/.test(id)) refuse('id', 'O id tem até 35 letras e dígitos.');
    if (payment.refunds.some((each) => each.id === id)) refuse('id', 'Já existe devolução com este id.');
    if (amountCents < 1) refuse('devolucao.valor', 'O valor deve ser maior que zero.');
    if (amountCents > leftOf(payment))
      refuse('devolucao.valor', 'A soma das devoluções excede o valor do Pix.');
    if (this.now().getTime() - Date.parse(payment.paidAt) > REFUND_WINDOW_MS)
      refuse('e2eid', 'O prazo para devolução se encerrou.');
    const refund = this.#newRefund(id, amountCents, 'ORIGINAL', ends);
    payment.refunds.push(refund);
    return refund;
  }

  findRefund(endToEndId: string, id: string): BankRefund {
    const found = this.findPayment(endToEndId).refunds.find((each) => each.id === id);
    if (found === undefined) throw new Problem('NaoEncontrado', 'Devolução não encontrada.');
    return found;
  }

  /** Ends the refund, as planned or as `outcome` says. */
  settleRefund(payment: BankPayment, refund: BankRefund, outcome = refund.ends): void {
    if (refund.status !== 'EM_PROCESSAMENTO' || outcome === 'ON_REQUEST') return;
    refund.status = outcome;
    refund.settledAt = this.now().toISOString();
    if (outcome === 'NAO_REALIZADO') refund.reason = 'A conta do pagador foi encerrada.';
    this.#notify({ what: 'PIX', payments: [payment] });
  }

  /**
   * Returns a payment, or a part of what is left of it, without a request of the API: by Bacen's special mechanism
   * (MED) if `kind` says so, otherwise as a person at the bank would. @param ends ON_REQUEST if the return stays under
   * way until {@link settleRefund}.
   */
  takeBack(
    endToEndId: string,
    kind: string,
    amountCents?: number,
    ends: 'DEVOLVIDO' | 'ON_REQUEST' = 'DEVOLVIDO',
  ): BankRefund {
    const payment = this.findPayment(endToEndId);
    const takenCents = amountCents ?? leftOf(payment);
    if (takenCents < 1 || takenCents > leftOf(payment))
      throw new Error('the payment has less than that left');
    const id = `${kind.startsWith('MED') ? 'MED' : 'BANCO'}${randomBytes(8).toString('hex')}`;
    const refund = { ...this.#newRefund(id, takenCents, kind, ends), isMadeAtBank: true };
    payment.refunds.push(refund);
    if (ends === 'ON_REQUEST') this.#notify({ what: 'PIX', payments: [payment] });
    else this.settleRefund(payment, refund);
    return refund;
  }

  /** Sends the notification of a payment again, with its present state. */
  notifyAgain(payment: BankPayment): void {
    this.#notify({ what: 'PIX', payments: [payment] });
  }

  /** Sends money. An id can be used only once. @throws Problem if the transfer is refused, or the id was used before. */
  send(id: string, body: unknown): BankTransfer {
    this.#refuseUsed(id);
    const { data: order } = transferSchema.safeParse(body);
    if (order === undefined) refuseField('RequisicaoInvalida', 'corpo', 'O envio não respeita o schema.');
    const amountCents = centsOfDecimal(order.valor) ?? 0;
    return this.#accept(id, { ...order, amountCents, toKey: order.favorecido.chave, txid: null });
  }

  /** Pays a static BR Code, whose txid goes to the payee. The id must not be that of a transfer to a key either. */
  sendByCode(id: string, body: unknown): BankTransfer {
    this.#refuseUsed(id);
    const { data: order } = codeOrderSchema.safeParse(body);
    if (order === undefined)
      refuseField('QrcodeOperacaoInvalida', 'qrcode', 'O pagamento não respeita o schema.');
    const code = parseBrCode(order.pixCopiaECola);
    if (code === null)
      refuseField('QrcodeOperacaoInvalida', 'qrcode.pixCopiaECola', 'O pixCopiaECola informado é inválido.');
    if (code.amountCents === null)
      refuseField('QrcodeOperacaoInvalida', 'qrcode.pixCopiaECola', 'O pixCopiaECola não informa o valor.');
    const { amountCents, key: toKey, txid } = code;
    return this.#accept(id, { ...order, amountCents, toKey, txid });
  }

  #refuseUsed(id: string): void {
    if (this.state.transfers[id] !== undefined)
      throw new Problem('EnvioDuplicado', 'O id de envio informado já foi utilizado em outro pagamento');
  }

  #accept(id: string, order: AcceptedOrder): BankTransfer {
    const { amountCents, toKey, txid } = order;
    const { chave: fromKey, infoPagador } = order.pagador;
    if (amountCents < 1) refuseField('RequisicaoInvalida', 'valor', 'O valor deve ser maior que zero.');
    if (this.state.webhooks[fromKey] === undefined)
      refuseField('RequisicaoInvalida', 'pagador.chave', 'A chave do pagador não tem webhook cadastrado.');
    const decided = this.#transfersByAmount ? amountCents : 0;
    if (decided > FAILS_LATER_UP_TO_CENTS)
      refuseField('RequisicaoInvalida', 'valor', 'O valor excede o limite da homologação.');
    const transfer: BankTransfer = {
      id,
      endToEndId: this.#endToEndId('E'),
      amountCents,
      fromKey,
      toKey,
      message: infoPagador ?? null,
      txid,
      status: 'EM_PROCESSAMENTO',
      ends: decided > SENT_UP_TO_CENTS ? 'NAO_REALIZADO' : 'REALIZADO',
      askedAt: this.now().toISOString(),
    };
    this.state.transfers[id] = transfer;
    return transfer;
  }

  /** @throws Problem if no transfer has this id. */
  findTransfer(id: string): BankTransfer {
    const transfer = this.state.transfers[id];
    if (transfer === undefined)
      throw new Problem('NaoEncontrado', 'Pix enviado não encontrado para o idEnvio informado.');
    return transfer;
  }

  /** Ends a transfer, as planned or as `outcome` says. A transfer that has ended does not change. */
  settleTransfer(transfer: BankTransfer, outcome = transfer.ends): void {
    if (transfer.status !== 'EM_PROCESSAMENTO') return;
    transfer.status = outcome;
    transfer.settledAt = this.now().toISOString();
  }

  /**
   * The payee's bank sends a transfer back, or a part of it, days after it arrived.
   * @throws Error where the transfer has not arrived, or less of it is left.
   */
  returnTransfer(id: string, amountCents?: number): BankTransferReturn {
    const transfer = this.findTransfer(id);
    if (transfer.status !== 'REALIZADO') throw new Error(`the transfer is ${transfer.status}`);
    const { returns = [] } = transfer;
    const leftCents = returns.reduce((left, each) => left - each.amountCents, transfer.amountCents);
    const returnedCents = amountCents ?? leftCents;
    if (returnedCents < 1 || returnedCents > leftCents)
      throw new Error('the transfer has less than that left');
    const rtrId = this.#endToEndId('D');
    const returned = { rtrId, amountCents: returnedCents, returnedAt: this.now().toISOString() };
    transfer.returns = [...returns, returned];
    return returned;
  }

  /** Ends the refunds and transfers that were pending when the bank stopped, unless they wait for a request. */
  goOn(): void {
    for (const payment of Object.values(this.state.payments))
      for (const refund of payment.refunds) this.settleRefund(payment, refund);
    for (const transfer of Object.values(this.state.transfers)) this.settleTransfer(transfer);
  }

  #newRefund(
    id: string,
    amountCents: number,
    kind: BankRefund['kind'],
    ends: BankRefund['ends'],
  ): BankRefund {
    return {
      id,
      rtrId: this.#endToEndId('D'),
      amountCents,
      kind,
      status: 'EM_PROCESSAMENTO',
      askedAt: this.now().toISOString(),
      settledAt: null,
      reason: null,
      ends,
    };
  }

  #read(kind: BankCharge['kind'], body: unknown): AskedCharge {
    const type = kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida';
    const asked = readAskedCharge(kind, body);
    const { chave, valor, calendario, devedor } = asked;
    if (valor.original === '0.00') refuseField(type, 'valor.original', 'O valor deve ser maior que zero.');
    if (!this.#keys.includes(chave)) refuseField(type, 'chave', 'A chave não pertence ao usuário recebedor.');
    if (kind === 'cob') return asked;
    if ((calendario.dataDeVencimento ?? '') < saoPauloDateOf(this.now()))
      refuseField(type, 'calendario.dataDeVencimento', 'A data de vencimento já passou.');
    if (devedor === undefined) refuseField(type, 'devedor', 'O devedor é obrigatório.');
    return asked;
  }

  #revise(charge: BankCharge, asked: AskedCharge): BankCharge {
    this.#requireActive(charge);
    charge.asked = asked;
    charge.revision += 1;
    return charge;
  }

  #requireActive({ kind, status }: BankCharge): void {
    if (status === 'ATIVA') return;
    const type = kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida';
    refuseField(type, 'status', `A cobrança não está ATIVA, está ${status}.`);
  }

  #isOpen(charge: BankCharge): boolean {
    if (charge.kind === 'cobv') return isPayableOn(charge, saoPauloDateOf(this.now()));
    const seconds = charge.asked.calendario.expiracao ?? DEFAULT_EXPIRY_SECONDS;
    return Date.parse(charge.createdAt) + seconds * 1_000 > this.now().getTime();
  }

  /** `E` or `D`, participant, minute, eleven letters and digits (Bacen, "Manual das Interfaces de Comunicação"). */
  #endToEndId(letter: 'E' | 'D'): string {
    const minute = this.now().toISOString().replace(/\D/g, '').slice(0, 12);
    return `${letter}${ISPB}${minute}${randomBytes(6).toString('hex').slice(0, 11)}`;
  }
}

/** The part of the payment that no completed or pending refund has taken. */
function leftOf({ amountCents, refunds }: BankPayment): number {
  const kept = refunds.filter(({ status }) => status !== 'NAO_REALIZADO');
  return kept.reduce((cents, refund) => cents - refund.amountCents, amountCents);
}
