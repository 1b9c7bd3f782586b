import { buildBarCode, digitableLine } from '../../../src/domain/boleto.ts';
import {
  addDays,
  civilDate,
  daysBetween,
  isCivilDate,
  saoPauloDateOf,
} from '../../../src/domain/civil-date.ts';
import { buildBrCode } from '../../../src/domain/pix.ts';

/** The clearing code of Asaas' own boletos. */
const BANK_CODE = '461';
const START_BALANCE = 10_000;
/** Asaas' own limits for charges. */
const LEAST = { BOLETO: 5, PIX: 0.01 } as const;
/** A transfer to this key fails, and one to any other arrives. */
const FAILING_KEY = 'falha@example.com';

/** A number of reais, as Asaas has it. */
type Reais = number;

export interface BoxRefund {
  readonly dateCreated: string;
  status: 'DONE' | 'PENDING' | 'CANCELLED';
  readonly value: Reais;
  readonly description: string | null;
}

export interface BoxPayment {
  readonly object: 'payment';
  readonly id: string;
  readonly dateCreated: string;
  readonly customer: string;
  readonly billingType: 'BOLETO' | 'PIX';
  value: Reais;
  netValue: Reais;
  originalValue: Reais | null;
  interestValue: Reais | null;
  readonly description: string | null;
  status: string;
  readonly dueDate: string;
  readonly externalReference: string | null;
  deleted: boolean;
  paymentDate: string | null;
  clientPaymentDate: string | null;
  pixTransaction: string | null;
  readonly nossoNumero: string | null;
  readonly invoiceUrl: string;
  readonly bankSlipUrl: string | null;
  readonly interest: { readonly value: number };
  readonly fine: { readonly value: number; readonly type: string };
  readonly daysAfterDueDateToRegistrationCancellation: number | null;
  readonly refunds: BoxRefund[];
}

export interface BoxTransfer {
  readonly object: 'transfer';
  readonly id: string;
  readonly dateCreated: string;
  readonly value: Reais;
  readonly operationType: 'PIX';
  status: string;
  endToEndIdentifier: string | null;
  failReason: string | null;
  readonly externalReference: string | null;
  readonly description: string | null;
  readonly bankAccount: { readonly pixAddressKey: string };
}

export interface PayOptions {
  /** What a bank took instead of the amount of the day. */
  readonly reais?: Reais | undefined;
  /** By the bar code. */
  readonly atBank?: boolean | undefined;
  /** Pays even a removed charge, which Asaas restores then. */
  readonly isForced?: boolean | undefined;
}

/** A refusal in Asaas' form, with status 400. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.code = code;
  }
}

export type BoxEvent = Readonly<Record<string, unknown>> & { readonly event: string };

/** The books of one account at Asaas: rules from its OpenAPI document and guides. The clock can be moved ahead. */
export class Books {
  readonly payments = new Map<string, BoxPayment>();
  readonly customers = new Map<string, Record<string, unknown> & { readonly id: string }>();
  readonly transfers = new Map<string, BoxTransfer>();
  readonly transactions = new Map<string, Record<string, unknown>>();
  readonly codes = new Map<string, string>();
  readonly barCodes = new Map<string, string>();
  /** When each payment and transfer was made, by the box's clock. */
  readonly madeAtMs = new Map<string, number>();
  balance: Reais = START_BALANCE;
  /** Without a PIX key at the account, Asaas refuses PIX codes. */
  hasPixKey: boolean = true;
  #aheadMs = 0;
  #count = 0;
  readonly #notify: (event: BoxEvent) => void;

  constructor(notify: (event: BoxEvent) => void) {
    this.#notify = notify;
  }

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  /** Moves the clock ahead; what is due becomes overdue. */
  advance(ms: number): void {
    this.#aheadMs += ms;
    for (const payment of this.payments.values()) this.#settleDue(payment);
  }

  payment(id: string): BoxPayment | null {
    const payment = this.payments.get(id) ?? null;
    if (payment !== null) this.#settleDue(payment);
    return payment;
  }

  addCustomer(body: Record<string, unknown>) {
    if (!/^\d{11}(\d{3})?$/.test(String(body.cpfCnpj ?? '')) || !body.name)
      throw new Refused('invalid_cpfCnpj', 'O CPF/CNPJ informado é inválido.');
    const id = `cus_${String(this.customers.size + 1).padStart(12, '0')}`;
    const customer = { object: 'customer', ...body, id, deleted: false };
    this.customers.set(id, customer);
    return customer;
  }

  issue(body: Record<string, unknown>): BoxPayment {
    const { billingType, customer, description = null, externalReference = null } = body;
    const [value, dueDate] = [Number(body.value), String(body.dueDate)];
    if (billingType !== 'BOLETO' && billingType !== 'PIX')
      throw new Refused('invalid_billingType', 'A forma de pagamento não está habilitada.');
    if (!this.customers.has(String(customer)))
      throw new Refused('invalid_customer', 'Cliente inválido ou não informado.');
    if (!(value >= LEAST[billingType])) throw new Refused('invalid_value', 'O valor é menor que o mínimo.');
    if (!isCivilDate(dueDate) || dueDate < this.today())
      throw new Refused('invalid_dueDate', 'Não é permitido data de vencimento inferior a hoje.');
    if (String(description ?? '').length > 500)
      throw new Refused('invalid_description', 'A descrição é longa demais.');
    this.#count += 1;
    const isBoleto = billingType === 'BOLETO';
    const id = `pay_${String(this.#count).padStart(16, '0')}`;
    const payment: BoxPayment = {
      object: 'payment',
      id,
      dateCreated: this.today(),
      customer: String(customer),
      billingType,
      value,
      netValue: value,
      originalValue: null,
      interestValue: null,
      description: description === null ? null : String(description),
      status: 'PENDING',
      dueDate,
      externalReference: externalReference === null ? null : String(externalReference),
      deleted: false,
      paymentDate: null,
      clientPaymentDate: null,
      pixTransaction: null,
      nossoNumero: isBoleto ? String(this.#count) : null,
      invoiceUrl: `https://sandbox.asaas.example/i/${id.slice(4)}`,
      bankSlipUrl: isBoleto ? `https://sandbox.asaas.example/b/pdf/${id.slice(4)}` : null,
      interest: { value: 0, ...(body.interest as object) },
      fine: { value: 0, type: 'PERCENTAGE', ...(body.fine as object) },
      daysAfterDueDateToRegistrationCancellation:
        (body.daysAfterDueDateToRegistrationCancellation as number | undefined) ?? null,
      refunds: [],
    };
    this.payments.set(id, payment);
    this.madeAtMs.set(id, this.now().getTime());
    this.#issueCodes(payment);
    this.#told('PAYMENT_CREATED', payment);
    return payment;
  }

  /**
   * A payer pays. The box computes fine and interest of the day, as Asaas does.
   * @returns whether the code could be paid.
   */
  pay(id: string, given: PayOptions = {}): boolean {
    const payment = this.payment(id);
    if (payment === null) return false;
    const isOpen =
      !payment.deleted && ['PENDING', 'OVERDUE'].includes(payment.status) && !this.#isPast(payment);
    if (!isOpen && given.isForced !== true) return false;
    const value = given.reais ?? this.amountToday(payment);
    if (value !== payment.value)
      Object.assign(payment, {
        originalValue: payment.value,
        interestValue: rounded(value - payment.value),
        value,
        netValue: value,
      });
    Object.assign(payment, {
      status: 'RECEIVED',
      deleted: false,
      paymentDate: this.today(),
      clientPaymentDate: this.today(),
    });
    this.balance = rounded(this.balance + value);
    if (given.atBank !== true) this.#receivePix(payment);
    this.#told('PAYMENT_RECEIVED', payment);
    return true;
  }

  /** The fine once, and the interest by day, from the day after the due date. */
  amountToday({ value, dueDate, fine, interest }: BoxPayment): Reais {
    const days = daysBetween(civilDate(dueDate), civilDate(this.today()));
    if (days <= 0) return value;
    const once = fine.type === 'FIXED' ? fine.value : (value * fine.value) / 100;
    return rounded(value + once + (value * interest.value * days) / 3_000);
  }

  remove(payment: BoxPayment): void {
    if (payment.deleted) return;
    if (!['PENDING', 'OVERDUE'].includes(payment.status))
      throw new Refused('invalid_action', 'Não é possível remover uma cobrança paga.');
    payment.deleted = true;
    this.#told('PAYMENT_DELETED', payment);
  }

  refund(payment: BoxPayment, body: Record<string, unknown>): void {
    const gone = payment.refunds.reduce((sum, refund) => sum + refund.value, 0);
    const value = Number(body.value ?? payment.value - gone);
    if (payment.billingType === 'BOLETO' && payment.pixTransaction === null)
      throw new Refused('invalid_action', 'Boleto pago por código de barras: use o estorno por link.');
    if (payment.status !== 'RECEIVED' || gone + value > payment.value + 1e-9)
      throw new Refused('invalid_action', 'O valor do estorno é maior que o disponível.');
    const description = body.description === undefined ? null : String(body.description);
    payment.refunds.push({ dateCreated: this.localNow(), status: 'DONE', value, description });
    this.balance = rounded(this.balance - value);
    const isWhole = Math.abs(gone + value - payment.value) < 1e-9;
    if (isWhole) payment.status = 'REFUNDED';
    this.#told(isWhole ? 'PAYMENT_REFUNDED' : 'PAYMENT_PARTIALLY_REFUNDED', payment);
  }

  transfer(body: Record<string, unknown>): BoxTransfer {
    const [value, key] = [Number(body.value), String(body.pixAddressKey ?? '')];
    if (!(value > 0)) throw new Refused('invalid_value', 'O valor deve ser informado.');
    if (key === '' || !['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'].includes(String(body.pixAddressKeyType)))
      throw new Refused('invalid_action', 'A chave Pix informada é inválida.');
    if (value > this.balance) throw new Refused('invalid_action', 'Saldo insuficiente para a transferência.');
    this.#count += 1;
    const transfer: BoxTransfer = {
      object: 'transfer',
      id: `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`,
      dateCreated: this.today(),
      value,
      operationType: 'PIX',
      status: 'PENDING',
      endToEndIdentifier: null,
      failReason: null,
      externalReference: body.externalReference === undefined ? null : String(body.externalReference),
      description: body.description === undefined ? null : String(body.description),
      bankAccount: { pixAddressKey: key },
    };
    this.transfers.set(transfer.id, transfer);
    this.madeAtMs.set(transfer.id, this.now().getTime());
    this.balance = rounded(this.balance - value);
    // The answer to the order still says PENDING.
    setImmediate(() => this.#carryOut(transfer));
    return { ...transfer };
  }

  /** Removed payments are not listed. */
  live(externalReference: unknown): string[] {
    const rows = [...this.payments.values()].filter((row) => row.externalReference === externalReference);
    return rows.filter(({ deleted }) => !deleted).map(({ id }) => id);
  }

  today(): string {
    return saoPauloDateOf(this.now());
  }

  /** São Paulo's time, without a zone. */
  localNow(): string {
    return new Date(this.now().getTime() - 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  }

  pixQrCode({ id, dueDate }: BoxPayment) {
    if (!this.hasPixKey)
      throw new Refused('invalid_action', 'Não há nenhuma chave Pix disponível para receber cobranças.');
    return { payload: this.codes.get(id), expirationDate: `${dueDate} 23:59:59`, success: true };
  }

  identificationField(id: string) {
    const barCode = this.barCodes.get(id);
    if (barCode === undefined) return null;
    return {
      identificationField: digitableLine(barCode),
      barCode,
      nossoNumero: this.payments.get(id)?.nossoNumero,
    };
  }

  #issueCodes({ id, value, dueDate, nossoNumero }: BoxPayment): void {
    const amountCents = Math.round(value * 100);
    const merchant = { key: 'pix@asaas.example', merchantName: 'Loja Azul', merchantCity: 'SAO PAULO' };
    this.codes.set(id, buildBrCode({ ...merchant, amountCents, txid: id.replace('_', '') }));
    if (nossoNumero === null) return;
    const freeField = nossoNumero.padStart(25, '0');
    const barCode = { bankCode: BANK_CODE, dueDate: civilDate(dueDate), amountCents, freeField };
    this.barCodes.set(id, buildBarCode(barCode));
  }

  #receivePix(payment: BoxPayment): void {
    const transaction = `pix-${payment.id}`;
    payment.pixTransaction = transaction;
    this.transactions.set(transaction, {
      id: transaction,
      endToEndIdentifier: this.#endToEndId(),
      effectiveDate: this.localNow(),
      externalAccount: { name: 'Ana Souza', cpfCnpj: '***.982.247-**' },
    });
  }

  /** The last day on which a bank takes the bar code. */
  #isPast({ dueDate, daysAfterDueDateToRegistrationCancellation: days }: BoxPayment): boolean {
    return days !== null && this.today() > addDays(civilDate(dueDate), days);
  }

  #settleDue(payment: BoxPayment): void {
    if (payment.status !== 'PENDING' || payment.deleted || payment.dueDate >= this.today()) return;
    payment.status = 'OVERDUE';
    this.#told('PAYMENT_OVERDUE', payment);
  }

  #carryOut(transfer: BoxTransfer): void {
    const fails = transfer.bankAccount.pixAddressKey === FAILING_KEY;
    if (fails) this.balance = rounded(this.balance + transfer.value);
    Object.assign(
      transfer,
      fails
        ? { status: 'FAILED', failReason: 'A conta de destino não existe.' }
        : { status: 'DONE', endToEndIdentifier: this.#endToEndId() },
    );
    this.#notify({ event: `TRANSFER_${transfer.status}`, transfer: { ...transfer } });
  }

  #endToEndId(): string {
    this.#count += 1;
    const minute = this.now().toISOString().replace(/\D/g, '').slice(0, 12);
    return `E19540550${minute}${String(this.#count).padStart(11, '0')}`;
  }

  #told(event: string, payment: BoxPayment): void {
    this.#notify({ event, payment: { ...payment } });
  }
}

function rounded(reais: Reais): Reais {
  return Math.round(reais * 100) / 100;
}
