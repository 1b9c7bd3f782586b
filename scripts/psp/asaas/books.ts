import { buildBarCode, digitableLine } from '../../../src/domain/boleto.ts';
import {
  addDays,
  civilDate,
  daysBetween,
  isCivilDate,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../../../src/domain/civil-date.ts';
import { calendarLater } from '../../../src/domain/cycle.ts';
import { buildBrCode } from '../../../src/domain/pix.ts';
import { AccountBook, type Reais, rounded } from './account-book.ts';

/** The clearing code of Asaas' own boletos. */
const BANK_CODE = '461';
/** Asaas' own limits for charges. */
const LEAST = { BOLETO: 5, PIX: 0.01, CREDIT_CARD: 5 } as const;
const MOST_INSTALLMENTS = 21;
/** Asaas keeps its fee of every installment, and pays the rest of the first one after so many days. */
const CARD_FEE = 0.0299;
const CREDIT_DAYS = 32;
const MONTH_DAYS = 30;
/** The months and days of a cycle. */
const SUBSCRIPTION_CYCLES: Readonly<Record<string, readonly [number, number]>> = {
  WEEKLY: [0, 7],
  BIWEEKLY: [0, 14],
  MONTHLY: [1, 0],
  BIMONTHLY: [2, 0],
  QUARTERLY: [3, 0],
  SEMIANNUALLY: [6, 0],
  YEARLY: [12, 0],
};
/** Asaas issues the payments of a subscription so long before they are due. */
const ISSUED_AHEAD_DAYS = 40;
/** The statuses of a chargeback, and the resulting status of its payment. */
const CHARGEBACKS = {
  REQUESTED: 'CHARGEBACK_REQUESTED',
  IN_DISPUTE: 'CHARGEBACK_DISPUTE',
  DISPUTE_LOST: 'CHARGEBACK_REQUESTED',
  REVERSED: 'CONFIRMED',
} as const;
export const CHARGEBACK_STATUSES = ['REQUESTED', 'IN_DISPUTE', 'DISPUTE_LOST', 'REVERSED'] as const;
/** A transfer to this key fails, and one to any other arrives. */
const FAILING_KEY = 'falha@example.com';

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
  /** The subscription that it is a payment of; null for any other. */
  readonly subscription: string | null;
  readonly billingType: 'BOLETO' | 'PIX' | 'CREDIT_CARD';
  readonly installment: string | null;
  readonly installmentNumber: number | null;
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
  confirmedDate: string | null;
  creditDate: string | null;
  estimatedCreditDate: string | null;
  creditCard: { readonly creditCardNumber: string; readonly creditCardBrand: string } | null;
  chargeback: { readonly status: string; readonly reason: string } | null;
  pixTransaction: string | null;
  readonly nossoNumero: string | null;
  readonly invoiceUrl: string;
  readonly bankSlipUrl: string | null;
  readonly interest: { readonly value: number };
  readonly fine: { readonly value: number; readonly type: string };
  readonly daysAfterDueDateToRegistrationCancellation: number | null;
  readonly refunds: BoxRefund[];
}

/** A subscription, in the form of Asaas' OpenAPI document. */
export interface BoxSubscription {
  readonly object: 'subscription';
  readonly id: string;
  readonly dateCreated: string;
  readonly customer: string;
  readonly billingType: BoxPayment['billingType'];
  readonly value: Reais;
  /** Of the next payment that is not issued yet. */
  nextDueDate: string;
  readonly cycle: string;
  readonly description: string | null;
  readonly endDate: string | null;
  readonly externalReference: string | null;
  status: string;
  deleted: boolean;
}

export interface BoxInstallment {
  readonly object: 'installment';
  readonly id: string;
  readonly value: Reais;
  readonly installmentCount: number;
  readonly billingType: 'CREDIT_CARD';
}

/** How a card payment on Asaas' page ends. */
export interface CardOptions {
  /** The issuer refuses it; the payment stays open for another card. */
  readonly isRefused?: boolean | undefined;
  /** A person analyzes the risk first: `pay` again, or `reprove`. */
  readonly isAnalyzed?: boolean | undefined;
  /** Pays even a removed charge. */
  readonly isForced?: boolean | undefined;
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
  /** The amount that a bank accepted instead of the amount due that day. */
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
  readonly installments = new Map<string, BoxInstallment>();
  readonly subscriptions = new Map<string, BoxSubscription>();
  readonly transfers = new Map<string, BoxTransfer>();
  readonly transactions = new Map<string, Record<string, unknown>>();
  readonly codes = new Map<string, string>();
  readonly barCodes = new Map<string, string>();
  /** When each payment and transfer was made, by the box's clock. */
  readonly madeAtMs = new Map<string, number>();
  /** The statement of the account. */
  readonly book = new AccountBook();
  /** Where the pages of payments are. */
  pagesUrl = 'https://sandbox.asaas.example';
  /** Without a PIX key at the account, Asaas refuses PIX codes. */
  hasPixKey: boolean = true;
  /** The only site to which payers are sent back; null for any https address. */
  site: string | null = null;
  #aheadMs = 0;
  #count = 0;
  /** Where Asaas sends the payers of a payment once they have paid. */
  readonly #returns = new Map<string, string>();
  readonly #notify: (event: BoxEvent) => void;

  constructor(notify: (event: BoxEvent) => void) {
    this.#notify = notify;
  }

  now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  get balance(): Reais {
    return this.book.balance;
  }

  /** Moves the clock forward. Unpaid payments past their due date become overdue. */
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

  /** Issues the payments that are due within the days in which Asaas issues them. */
  addSubscription(body: Record<string, unknown>): BoxSubscription {
    const { customer, description = null, endDate = null, externalReference = null } = body;
    const [first, every] = [String(body.nextDueDate), String(body.cycle)];
    const [months, days] = SUBSCRIPTION_CYCLES[every] ?? [0, 0];
    if (months === 0 && days === 0) throw new Refused('invalid_cycle', 'O ciclo informado é inválido.');
    const id = `sub_${String(this.subscriptions.size + 1).padStart(12, '0')}`;
    if (!isCivilDate(first)) throw new Refused('invalid_nextDueDate', 'A data informada é inválida.');
    const until = addDays(saoPauloDateOf(this.now()), ISSUED_AHEAD_DAYS);
    let nextDueDate = first;
    for (let issued = 1; nextDueDate <= until; issued += 1) {
      this.issue({ ...body, dueDate: nextDueDate, subscription: id });
      nextDueDate = saoPauloDateOf(calendarLater(saoPauloMidnight(first), months * issued, days * issued));
    }
    const subscription: BoxSubscription = {
      object: 'subscription',
      id,
      dateCreated: this.today(),
      customer: String(customer),
      billingType: body.billingType as BoxPayment['billingType'],
      value: Number(body.value),
      nextDueDate,
      cycle: every,
      description: description === null ? null : String(description),
      endDate: endDate === null ? null : String(endDate),
      externalReference: externalReference === null ? null : String(externalReference),
      status: 'ACTIVE',
      deleted: false,
    };
    this.subscriptions.set(id, subscription);
    return subscription;
  }

  issue(body: Record<string, unknown>): BoxPayment {
    const { billingType, customer, description = null } = body;
    const count = Number(body.installmentCount ?? 1);
    const [value, dueDate] = [Number(count > 1 ? body.totalValue : body.value), String(body.dueDate)];
    if (billingType !== 'BOLETO' && billingType !== 'PIX' && billingType !== 'CREDIT_CARD')
      throw new Refused('invalid_billingType', 'A forma de pagamento não está habilitada.');
    if (!this.customers.has(String(customer)))
      throw new Refused('invalid_customer', 'Cliente inválido ou não informado.');
    if (!(value >= LEAST[billingType])) throw new Refused('invalid_value', 'O valor é menor que o mínimo.');
    if (!isCivilDate(dueDate) || dueDate < this.today())
      throw new Refused('invalid_dueDate', 'Não é permitido data de vencimento inferior a hoje.');
    if (String(description ?? '').length > 500)
      throw new Refused('invalid_description', 'A descrição é longa demais.');
    if (
      !(Number.isInteger(count) && count >= 1 && count <= MOST_INSTALLMENTS) ||
      (count > 1 && billingType !== 'CREDIT_CARD')
    )
      throw new Refused('invalid_installmentCount', 'O número de parcelas não é permitido.');
    this.#refuseOtherSite(body.callback);
    if (count === 1) return this.#issueOne(body, { value, installment: null, number: null });
    return this.#issueInstallments(body, value, count);
  }

  /** The last installment contains the remaining cents. */
  #issueInstallments(body: Record<string, unknown>, total: Reais, count: number): BoxPayment {
    const id = `11111111-0000-4000-8000-${String(this.installments.size + 1).padStart(12, '0')}`;
    const row = {
      object: 'installment',
      id,
      value: total,
      installmentCount: count,
      billingType: 'CREDIT_CARD',
    } as const;
    this.installments.set(id, row);
    const each = Math.floor((total * 100) / count + 1e-6) / 100;
    const parts = Array.from({ length: count }, (_, nth) => {
      const value = nth === count - 1 ? rounded(total - each * (count - 1)) : each;
      const dueDate = addDays(civilDate(String(body.dueDate)), nth * MONTH_DAYS);
      return this.#issueOne({ ...body, dueDate }, { value, installment: id, number: nth + 1 });
    });
    const [first] = parts;
    if (first === undefined) throw new Error('an order has at least one installment');
    return first;
  }

  #refuseOtherSite(callback: unknown): void {
    if (callback === undefined) return;
    const url = URL.parse(String(Object(callback).successUrl ?? ''));
    if (url === null || (this.site !== null && url.hostname !== this.site))
      throw new Refused('invalid_callback', 'O domínio da URL de retorno é diferente do cadastrado.');
  }

  #issueOne(
    body: Record<string, unknown>,
    { value, installment, number }: { value: Reais; installment: string | null; number: number | null },
  ): BoxPayment {
    const { customer, description = null, externalReference = null } = body;
    const billingType = body.billingType as BoxPayment['billingType'];
    const dueDate = String(body.dueDate);
    this.#count += 1;
    const isBoleto = billingType === 'BOLETO';
    const id = `pay_${String(this.#count).padStart(16, '0')}`;
    const payment: BoxPayment = {
      object: 'payment',
      id,
      dateCreated: this.today(),
      customer: String(customer),
      subscription: body.subscription === undefined ? null : String(body.subscription),
      billingType,
      installment,
      installmentNumber: number,
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
      confirmedDate: null,
      creditDate: null,
      estimatedCreditDate: null,
      creditCard: null,
      chargeback: null,
      pixTransaction: null,
      nossoNumero: isBoleto ? String(this.#count) : null,
      invoiceUrl: `${this.pagesUrl}/i/${id.slice(4)}`,
      bankSlipUrl: isBoleto ? `${this.pagesUrl}/b/pdf/${id.slice(4)}` : null,
      interest: { value: 0, ...(body.interest as object) },
      fine: { value: 0, type: 'PERCENTAGE', ...(body.fine as object) },
      daysAfterDueDateToRegistrationCancellation:
        (body.daysAfterDueDateToRegistrationCancellation as number | undefined) ?? null,
      refunds: [],
    };
    this.payments.set(id, payment);
    const back = Object(body.callback).successUrl;
    if (back !== undefined) this.#returns.set(id, String(back));
    this.madeAtMs.set(id, this.now().getTime());
    if (billingType !== 'CREDIT_CARD') this.#issueCodes(payment);
    this.#sendEvent('PAYMENT_CREATED', payment);
    return payment;
  }

  /**
   * A payer pays. The box computes fine and interest of the day, as Asaas does.
   * @returns whether the code could be paid.
   */
  pay(id: string, given: PayOptions = {}): boolean {
    const payment = this.payment(id);
    if (payment === null || payment.billingType === 'CREDIT_CARD') return false;
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
    this.#bookReceipt(payment);
    if (given.atBank !== true) this.#receivePix(payment);
    this.#sendEvent('PAYMENT_RECEIVED', payment);
    return true;
  }

  /**
   * A payer types a card on the page of a payment, which stands for all its installments.
   * @returns whether the card was accepted.
   */
  payByCard(
    id: string,
    { isRefused = false, isAnalyzed = false, isForced = false }: CardOptions = {},
  ): boolean {
    const parts = this.partsOf(id);
    const [first] = parts;
    if (first?.billingType !== 'CREDIT_CARD') return false;
    const isOpen = !first.deleted && ['PENDING', 'OVERDUE', 'AWAITING_RISK_ANALYSIS'].includes(first.status);
    if (!isOpen && !isForced) return false;
    if (isRefused) {
      this.#sendEvent('PAYMENT_CREDIT_CARD_CAPTURE_REFUSED', first);
      return false;
    }
    if (isAnalyzed) {
      for (const part of parts) part.status = 'AWAITING_RISK_ANALYSIS';
      this.#sendEvent('PAYMENT_AWAITING_RISK_ANALYSIS', first);
      return false;
    }
    for (const [nth, part] of parts.entries()) {
      const creditedOn = addDays(civilDate(this.today()), CREDIT_DAYS + nth * MONTH_DAYS);
      Object.assign(part, {
        status: 'CONFIRMED',
        deleted: false,
        netValue: rounded(part.value * (1 - CARD_FEE)),
        confirmedDate: this.today(),
        clientPaymentDate: this.today(),
        creditDate: creditedOn,
        estimatedCreditDate: creditedOn,
        creditCard: { creditCardNumber: '4242', creditCardBrand: 'VISA' },
      });
    }
    for (const part of parts) this.#sendEvent('PAYMENT_CONFIRMED', part);
    return true;
  }

  /** The analysis of a card payment ends with a no: its payer may try another card. */
  reprove(id: string): void {
    for (const part of this.partsOf(id)) part.status = 'PENDING';
    const [first] = this.partsOf(id);
    if (first !== undefined) this.#sendEvent('PAYMENT_REPROVED_BY_RISK_ANALYSIS', first);
  }

  /** The card's issuer charges a payment back, or decides about that. @returns whether it is a paid card payment. */
  chargeBack(id: string, status: (typeof CHARGEBACK_STATUSES)[number]): boolean {
    const parts = this.partsOf(id).filter(({ confirmedDate }) => confirmedDate !== null);
    for (const part of parts) this.#chargeBackPart(part, status);
    const [first] = parts;
    if (first === undefined) return false;
    const event = status === 'REVERSED' ? 'AWAITING_CHARGEBACK_REVERSAL' : CHARGEBACKS[status];
    this.#sendEvent(`PAYMENT_${event}`, first);
    return true;
  }

  /** Asaas blocks what it has paid of the payment, and releases it once the dispute is won. */
  #chargeBackPart(part: BoxPayment, status: (typeof CHARGEBACK_STATUSES)[number]): void {
    const wasBlocked = part.chargeback !== null && part.chargeback.status !== 'REVERSED';
    const isReversed = status === 'REVERSED';
    const isReceived = part.paymentDate !== null;
    Object.assign(part, {
      status: isReversed && isReceived ? 'RECEIVED' : CHARGEBACKS[status],
      chargeback: { status, reason: 'COMMERCIAL_DISAGREEMENT' },
    });
    if (!isReceived || wasBlocked !== isReversed) return;
    const type = isReversed ? 'CHARGEBACK_REVERSAL' : 'CHARGEBACK';
    const value = isReversed ? part.value : -part.value;
    this.book.add({ type, value, date: this.today(), paymentId: part.id });
  }

  /** Where the payer of a payment goes after paying; null if the order named no address. */
  returnTo({ id }: BoxPayment): string | null {
    return this.#returns.get(id) ?? null;
  }

  /** The payments of one order, the first installment first. @param id of any of them, or of all. */
  partsOf(id: string): BoxPayment[] {
    const installment = this.installments.has(id) ? id : this.payment(id)?.installment;
    if (installment === null || installment === undefined) return [this.payments.get(id) ?? []].flat();
    return [...this.payments.values()].filter((each) => each.installment === installment);
  }

  /** The fine once, and the interest by day, from the day after the due date. */
  amountToday({ value, dueDate, fine, interest }: BoxPayment): Reais {
    const days = daysBetween(civilDate(dueDate), civilDate(this.today()));
    if (days <= 0) return value;
    const once = fine.type === 'FIXED' ? fine.value : (value * fine.value) / 100;
    return rounded(value + once + (value * interest.value * days) / 3_000);
  }

  /** Removes all installments of an order at once. */
  remove(payment: BoxPayment): void {
    if (payment.deleted) return;
    if (!['PENDING', 'OVERDUE'].includes(payment.status))
      throw new Refused('invalid_action', 'Não é possível remover uma cobrança paga.');
    for (const part of this.partsOf(payment.id)) {
      part.deleted = true;
      this.#sendEvent('PAYMENT_DELETED', part);
    }
  }

  refund(payment: BoxPayment, body: Record<string, unknown>): void {
    const gone = payment.refunds.reduce((sum, refund) => sum + refund.value, 0);
    const value = Number(body.value ?? payment.value - gone);
    if (payment.billingType === 'BOLETO' && payment.pixTransaction === null)
      throw new Refused('invalid_action', 'Boleto pago por código de barras: use o estorno por link.');
    const isPaid = payment.status === 'RECEIVED' || payment.status === 'CONFIRMED';
    if (!isPaid || gone + value > payment.value + 1e-9)
      throw new Refused('invalid_action', 'O valor do estorno é maior que o disponível.');
    const description = body.description === undefined ? null : String(body.description);
    payment.refunds.push({ dateCreated: this.localNow(), status: 'DONE', value, description });
    this.book.add({ type: 'PAYMENT_REVERSAL', value: -value, date: this.today(), paymentId: payment.id });
    const isWhole = Math.abs(gone + value - payment.value) < 1e-9;
    if (isWhole) payment.status = 'REFUNDED';
    this.#sendEvent(isWhole ? 'PAYMENT_REFUNDED' : 'PAYMENT_PARTIALLY_REFUNDED', payment);
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
    this.book.add({ type: 'TRANSFER', value: -value, date: this.today(), transferId: transfer.id });
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
    this.#credit(payment);
    if (payment.status !== 'PENDING' || payment.deleted || payment.dueDate >= this.today()) return;
    payment.status = 'OVERDUE';
    this.#sendEvent('PAYMENT_OVERDUE', payment);
  }

  /** The money of a card payment arrives on its scheduled day. */
  #credit(payment: BoxPayment): void {
    const { status, creditDate } = payment;
    if (status !== 'CONFIRMED' || creditDate === null || creditDate > this.today()) return;
    Object.assign(payment, { status: 'RECEIVED', paymentDate: creditDate });
    this.#bookReceipt(payment);
    this.#sendEvent('PAYMENT_RECEIVED', payment);
  }

  #bookReceipt({ id: paymentId, value, netValue }: BoxPayment): void {
    const date = this.today();
    this.book.add({ type: 'PAYMENT_RECEIVED', value, date, paymentId });
    this.book.add({ type: 'PAYMENT_FEE', value: netValue - value, date, paymentId });
  }

  #carryOut(transfer: BoxTransfer): void {
    const { id: transferId, value } = transfer;
    const fails = transfer.bankAccount.pixAddressKey === FAILING_KEY;
    if (fails) this.book.add({ type: 'TRANSFER_REVERSAL', value, date: this.today(), transferId });
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

  #sendEvent(event: string, payment: BoxPayment): void {
    this.#notify({ event, payment: { ...payment } });
  }
}
