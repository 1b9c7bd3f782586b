import type { CardToken, DeclineReason, TypedCard } from '../../../src/domain/card.ts';
import type { ChargeId } from '../../../src/domain/ids.ts';
import {
  BOLETOS_OF_ANY_KIND,
  type BoletosPort,
  type BoletoTerms,
  type IssueBoleto,
  type IssuedBoleto,
} from '../../../src/providers/ports/boletos.ts';
import type {
  CardAnswer,
  CardsPort,
  CardVerification,
  ChargeCard,
  VerifyCard,
} from '../../../src/providers/ports/cards.ts';
import type {
  ChargesPort,
  CloseAnswer,
  ProviderCharge,
  Refund,
  RefundAnswer,
  UnstoredCharge,
} from '../../../src/providers/ports/charges.ts';
import type { DisputesPort, ProviderDispute } from '../../../src/providers/ports/disputes.ts';
import type { EvidencePort, SubmitEvidence } from '../../../src/providers/ports/evidence.ts';
import type { IssueAnswer } from '../../../src/providers/ports/issuing.ts';
import type { ListingPort } from '../../../src/providers/ports/listing.ts';
import type { MandatesPort } from '../../../src/providers/ports/mandates.ts';
import type { ProviderPayment } from '../../../src/providers/ports/payment.ts';
import type {
  PayoutsPort,
  PayoutTerms,
  SendPix,
  TransferAnswer,
  TransferLookUp,
} from '../../../src/providers/ports/payouts.ts';
import type { IssuedPix, IssuePix, PixPort } from '../../../src/providers/ports/pix.ts';
import type { PaymentProvider } from '../../../src/providers/provider.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';

/** What the service asks a provider about a payment. */
export type ProviderCall =
  | 'findPayment'
  | 'close'
  | 'findByReference'
  | 'refund'
  | 'chargeCard'
  | 'verifyCard'
  | 'forgetCard'
  | 'findCard'
  | 'findDispute'
  | 'submitEvidence'
  | 'sendPix'
  | 'findTransfer';

const IS_DOWN = new ProviderError('RETRY', 'the provider is down');

/** It never refuses to issue, and never needs time for it. */
type Issued<What> = Extract<IssueAnswer<What>, { readonly outcome: 'ISSUED' }>;

export interface Deposit {
  readonly reference: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly payer?: ProviderPayment['payer'];
}

/**
 * A provider that fails on request like a real one: its calls fail, it accepts money for a closed charge or
 * several payments for one charge, and other events happen just before or after its answer. Tests also send
 * its notifications, so these can be late, duplicated or lost. It tracks where the money is.
 */
export class MisbehavingProvider implements PaymentProvider {
  readonly name: string = 'misbehaving';
  readonly maxExpirySeconds: number = 365 * 24 * 60 * 60;
  actionTimeoutMs: number = 15 * 60_000;
  readonly boletoTerms: BoletoTerms = {
    ...BOLETOS_OF_ANY_KIND,
    codeShowsAmount: true,
    issuer: { bankName: 'Banco Teste', agencyAndAccount: '0001 / 1', wallet: '17' },
  };
  readonly payoutTerms: PayoutTerms = { pixKey: true, ownAccount: true, txid: true };
  /** Set by a test that lists payments. */
  listing?: ListingPort;
  /** Set by a test of debits. */
  mandates?: MandatesPort;
  readonly #payments = new Map<string, ProviderPayment>();
  readonly #closed = new Set<string>();
  /** What went back, by its reference. */
  readonly #refunds = new Map<string, { readonly providerPaymentId: string; readonly amountCents: number }>();
  readonly #nextRefunds: RefundAnswer[] = [];
  readonly #disputes = new Map<string, ProviderDispute>();
  readonly #transferAnswers = new Map<string, TransferAnswer>();
  readonly #nextTransfers: TransferAnswer[] = [];
  /** Every time that it was asked to send money, or what has become of some. */
  readonly transfers: SendPix[] = [];
  /** Whether look-ups of transfers find nothing, as when they lag behind. */
  lookUpLags: boolean = false;
  #refusesReturns: boolean = false;
  readonly #hidden = new Set<string>();
  readonly #unknown = new Set<string>();
  readonly #declines: DeclineReason[] = [];
  readonly #undecided: CardAnswer[] = [];
  readonly #cardAnswers = new Map<string, CardAnswer>();
  readonly #failures = new Map<ProviderCall, number>();
  readonly #errors = new Map<ProviderCall, Error>();
  readonly #afterAnswer = new Map<ProviderCall, () => Promise<unknown>>();
  #issued = 0;
  readonly #references = new Map<ChargeId, string>();

  /** A payer pays. @returns the payment, or null if the charge is closed and the money is refused. */
  pay(deposit: Deposit): ProviderPayment | null {
    return this.#closed.has(deposit.reference) ? null : this.payDespiteClosing(deposit);
  }

  /** What was paid under a reference, oldest first. */
  paymentsOf(reference: string): readonly ProviderPayment[] {
    return [...this.#payments.values()].filter((payment) => payment.reference === reference);
  }

  /** Takes money that should have been refused, as when the payer's bank settles late. */
  payDespiteClosing({ payer = { name: 'Maria Souza', taxId: '52998224725' }, ...deposit }: Deposit) {
    const providerPaymentId = `E${deposit.reference}-${this.#payments.size + 1}`;
    const payment: ProviderPayment = { ...deposit, payer, providerPaymentId };
    this.#payments.set(providerPaymentId, payment);
    return payment;
  }

  /** The next `times` calls throw. */
  failNext(call: ProviderCall, times: number, error: Error = IS_DOWN): void {
    this.#errors.set(call, error);
    this.#failures.set(call, times);
  }

  /** The issuer declines the next card. */
  declineNext(reason: DeclineReason): void {
    this.#declines.push(reason);
  }

  /** Drops declines that no card payment has used. */
  answerCardsFirst(...answers: CardAnswer[]): void {
    this.#undecided.push(...answers);
  }

  /** Drops answers that are not final. */
  forgetUndecided(): void {
    this.#undecided.length = 0;
  }

  forgetDeclines(): void {
    this.#declines.length = 0;
  }

  /** From now on payments are not sent back. */
  refuseReturns(refuses = true): void {
    this.#refusesReturns = refuses;
  }

  /** What comes of asking for refunds, one answer each time the provider is asked; then they are sent. */
  answerRefunds(...answers: RefundAnswer[]): void {
    this.#nextRefunds.push(...answers);
  }

  /** What becomes of the next transfers, one answer each time the provider is asked. */
  answerTransfers(...answers: TransferAnswer[]): void {
    this.#nextTransfers.push(...answers);
  }

  /** A payer's dispute, as the provider reports it from now on. */
  setDispute(dispute: ProviderDispute): void {
    this.#disputes.set(dispute.providerDisputeId, dispute);
  }

  /** Runs once, when the next call has its answer but the service does not have it yet. */
  afterNextAnswer(call: ProviderCall, happening: () => Promise<unknown>): void {
    this.#afterAnswer.set(call, happening);
  }

  /**
   * Closing will not mention this payment, as when it is still on its way through the provider's own systems.
   */
  hideFromClosing({ providerPaymentId }: ProviderPayment): void {
    this.#hidden.add(providerPaymentId);
  }

  /** Looking the payment up finds nothing, as at a bank whose systems lag behind its notifications. */
  hideFromLookUps({ providerPaymentId }: ProviderPayment, isHidden = true): void {
    if (isHidden) this.#unknown.add(providerPaymentId);
    else this.#unknown.delete(providerPaymentId);
  }

  isClosed(reference: string): boolean {
    return this.#closed.has(reference);
  }

  /** Whether the payment was returned or refunded in full. */
  isReturned(payment: ProviderPayment): boolean {
    return this.#keptOf(payment) <= 0;
  }

  #keptOf({ providerPaymentId, amountCents }: ProviderPayment): number {
    const ofPayment = [...this.#refunds.values()].filter(
      (each) => each.providerPaymentId === providerPaymentId,
    );
    return ofPayment.reduce((kept, refund) => kept - refund.amountCents, amountCents);
  }

  /** The money of this charge that has not gone back, in cents. */
  keptCents(reference: string): number {
    const ofCharge = [...this.#payments.values()].filter((payment) => payment.reference === reference);
    return ofCharge.reduce((sum, payment) => sum + this.#keptOf(payment), 0);
  }

  get charges(): ChargesPort {
    return {
      refunds: { partial: true, asynchronous: false, windowDays: 90 },
      findPayment: (id) => this.findPayment(id),
      findByReference: (reference) => this.findByReference(reference),
      close: (reference) => this.close(reference),
      closeUnstored: (chargeId) => this.closeUnstored(chargeId),
      findUnstored: (chargeId) => this.findUnstored(chargeId),
      refund: (request) => this.refund(request),
    };
  }

  get pix(): PixPort {
    return { maxExpirySeconds: this.maxExpirySeconds, issue: (request) => this.issuePix(request) };
  }

  get boletos(): BoletosPort | undefined {
    return {
      ...this.boletoTerms,
      issue: (request) => this.issueBoleto(request),
      ...(this.boletoTerms.codeShowsAmount === true && { brCodeFor: (request) => this.brCodeFor(request) }),
    };
  }

  get cards(): CardsPort | undefined {
    return {
      maxInstallments: 12,
      actionTimeoutMs: this.actionTimeoutMs,
      entry: { kind: 'TYPED', tokenize: (card) => this.tokenizeCard(card) },
      charge: (request) => this.chargeCard(request),
      verify: (request) => this.verifyCard(request),
      find: (token) => this.findCard(token),
      forget: (token) => this.forgetCard(token),
    };
  }

  get payouts(): PayoutsPort {
    return {
      ...this.payoutTerms,
      send: (request) => this.sendPix(request),
      find: (transfer) => this.findTransfer(transfer),
    };
  }

  get disputes(): DisputesPort | undefined {
    return { find: (id) => this.findDispute(id) };
  }

  issuePix({ chargeId }: IssuePix): Promise<Issued<IssuedPix>> {
    const issued = this.#issue();
    this.#references.set(chargeId, issued.reference);
    return Promise.resolve({ outcome: 'ISSUED', issued });
  }

  issueBoleto(_request: IssueBoleto): Promise<Issued<IssuedBoleto>> {
    const codes = { ...this.#issue(), barCode: '9'.repeat(44), ourNumber: String(this.#issued) };
    return Promise.resolve({ outcome: 'ISSUED', issued: codes });
  }

  #issue(): IssuedPix {
    this.#issued += 1;
    const reference = `REF${String(this.#issued).padStart(10, '0')}`;
    return { reference, brCode: `BR-CODE-${reference}` };
  }

  brCodeFor(request: { readonly reference: string }): Promise<string> {
    return Promise.resolve(`BR-CODE-${request.reference}`);
  }

  tokenizeCard({ number }: TypedCard): Promise<CardToken> {
    const lastFour = number.slice(-4);
    return Promise.resolve({ token: `tok-${lastFour}`, brand: 'visa', lastFour, expiryMonth: null });
  }

  /** The first answer of a reference stands; what it has closed it declines. */
  chargeCard({ reference, amountCents, now, payer }: ChargeCard): Promise<CardAnswer> {
    return this.#answer('chargeCard', () => {
      const earlier = this.#cardAnswers.get(reference);
      if (earlier !== undefined) return earlier;
      const undecided = this.#closed.has(reference) ? undefined : this.#undecided.shift();
      if (undecided !== undefined) return undecided;
      const reason = this.#closed.has(reference) ? 'processing_error' : this.#declines.shift();
      const answer: CardAnswer =
        reason === undefined
          ? {
              outcome: 'APPROVED',
              payment: this.payDespiteClosing({ reference, amountCents, paidAt: now, payer }),
            }
          : { outcome: 'DECLINED', reason };
      this.#cardAnswers.set(reference, answer);
      return answer;
    });
  }

  /** Stored cards by token, as the provider knows them now. */
  readonly storedCards = new Map<string, CardToken>();

  /** What it says of new cards. */
  verification: CardVerification = { outcome: 'VERIFIED' };

  /** Every time that it was asked to verify a card. */
  readonly verified: VerifyCard[] = [];

  verifyCard(request: VerifyCard): Promise<CardVerification> {
    this.verified.push(request);
    return this.#answer('verifyCard', () => this.verification);
  }

  findCard(token: string): Promise<CardToken | null> {
    return this.#answer('findCard', () => this.storedCards.get(token) ?? null);
  }

  /** Tokens in the order in which they were erased. */
  readonly forgotten: string[] = [];

  forgetCard(token: string): Promise<void> {
    return this.#answer('forgetCard', () => void this.forgotten.push(token));
  }

  findPayment(providerPaymentId: string): Promise<ProviderPayment | null> {
    return this.#answer('findPayment', () =>
      this.#unknown.has(providerPaymentId) ? null : (this.#payments.get(providerPaymentId) ?? null),
    );
  }

  findByReference(reference: string): Promise<ProviderCharge> {
    return this.#answer('findByReference', () => {
      const payments = [...this.#payments.values()].filter((payment) => payment.reference === reference);
      const unpaid = this.#closed.has(reference) ? 'CLOSED' : 'OPEN';
      return { status: payments.length > 0 ? 'PAID' : unpaid, payments };
    });
  }

  close(reference: string): Promise<CloseAnswer> {
    return this.#answer('close', () => {
      const kept = [...this.#payments.values()].find(
        (payment) =>
          payment.reference === reference &&
          !this.isReturned(payment) &&
          !this.#hidden.has(payment.providerPaymentId),
      );
      if (kept !== undefined) return { outcome: 'PAID', payment: kept };
      this.#closed.add(reference);
      return { outcome: 'CLOSED' };
    });
  }

  async closeUnstored(chargeId: ChargeId): Promise<CloseAnswer> {
    const reference = this.#references.get(chargeId);
    return reference === undefined ? { outcome: 'CLOSED' } : this.close(reference);
  }

  async findUnstored(chargeId: ChargeId): Promise<UnstoredCharge> {
    const reference = this.#references.get(chargeId);
    if (reference === undefined) return { status: 'GONE' };
    const { status, payments } = await this.findByReference(reference);
    if (status === 'PAID') return { status, payments };
    return { status: status === 'CLOSED' ? 'GONE' : 'OPEN' };
  }

  refund({ refundReference, providerPaymentId, amountCents }: Refund): Promise<RefundAnswer> {
    return this.#answer('refund', () => {
      if (!this.#payments.has(providerPaymentId)) throw new Error(`no payment ${providerPaymentId}`);
      if (this.#refunds.has(refundReference)) return { outcome: 'RETURNED' };
      if (this.#refusesReturns) return { outcome: 'REFUSED', reason: 'too late' };
      const answer = this.#nextRefunds.shift() ?? { outcome: 'RETURNED' };
      if (answer.outcome === 'RETURNED')
        this.#refunds.set(refundReference, { providerPaymentId, amountCents });
      return answer;
    });
  }

  /** Evidence as it was received, once per submission. */
  readonly submissions = new Map<string, SubmitEvidence>();
  /** The reason why evidence is refused; null if it is taken. */
  evidenceRefusal: string | null = null;

  get evidence(): EvidencePort {
    const done = { outcome: 'DONE' } as const;
    return {
      submit: (request) =>
        this.#answer('submitEvidence', () => {
          const { evidenceRefusal: reason } = this;
          if (reason !== null) return { outcome: 'REFUSED', reason } as const;
          this.submissions.set(request.submissionKey, request);
          this.#changeDispute(request.providerDisputeId, { stage: 'UNDER_REVIEW', hasEvidence: true });
          return done;
        }),
      accept: (providerDisputeId) =>
        this.#answer('submitEvidence', () => {
          this.#changeDispute(providerDisputeId, { status: 'LOST', stage: null });
          return done;
        }),
    };
  }

  #changeDispute(id: string, change: Partial<ProviderDispute>): void {
    const dispute = this.#disputes.get(id);
    if (dispute !== undefined) this.#disputes.set(id, { ...dispute, ...change });
  }

  findDispute(providerDisputeId: string): Promise<ProviderDispute | null> {
    return this.#answer('findDispute', () => this.#disputes.get(providerDisputeId) ?? null);
  }

  /** The first answer of a reference stands, unless it was PENDING. */
  sendPix(request: SendPix): Promise<TransferAnswer> {
    return this.#answer('sendPix', () => {
      const { reference } = request;
      this.transfers.push(request);
      const earlier = this.#transferAnswers.get(reference);
      if (earlier !== undefined && earlier.outcome !== 'PENDING') return earlier;
      const answer = this.#nextTransfers.shift() ?? {
        outcome: 'COMPLETE',
        endToEndIdentifier: `E${reference.slice(-11)}`,
      };
      this.#transferAnswers.set(reference, answer);
      return answer;
    });
  }

  /** It knows what it answered before; {@link lookUpLags} makes its look-up lag. */
  findTransfer({ reference }: SendPix): Promise<TransferLookUp> {
    return this.#answer('findTransfer', () => {
      const known = this.lookUpLags ? undefined : this.#transferAnswers.get(reference);
      return known ?? { outcome: 'NOT_FOUND', isFinal: !this.lookUpLags };
    });
  }

  async #answer<Answer>(call: ProviderCall, answer: () => Answer): Promise<Answer> {
    const failures = this.#failures.get(call) ?? 0;
    this.#failures.set(call, Math.max(0, failures - 1));
    if (failures > 0) throw this.#errors.get(call) ?? IS_DOWN;
    const given = answer();
    const happening = this.#afterAnswer.get(call);
    this.#afterAnswer.delete(call);
    await happening?.();
    return given;
  }
}
