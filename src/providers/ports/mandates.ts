import type { CivilDate } from '../../domain/civil-date.ts';
import type { ProviderPage, TimeWindow } from './pages.ts';
import type { Beneficiary, ProviderPayment } from './payment.ts';

/**
 * Recurring debits that a payer authorizes once at their bank (Pix Automático). A mandate is the authorization, a debit
 * instruction orders one debit under it. Every call may be repeated with the same input and has one effect; a throw
 * means "not known". Calls carry the store's time, by which the sandbox answers; banks have a clock of their own.
 */
export interface MandatesPort extends MandateTerms {
  /** Creates a mandate and the code that the payer reads. Nobody is debited before the payer accepts. */
  create(request: CreateMandate): Promise<MandateAnswer>;
  /** Null if the provider does not know it, or not yet. */
  find(providerMandateId: string, now: Date): Promise<ProviderMandate | null>;
  /** Ends a mandate. Instructions that it carries are cancelled one by one, with {@link cancelInstruction}. */
  cancel(providerMandateId: string, now: Date): Promise<CancelMandateAnswer>;
  /** Orders the debit of one cycle. */
  instruct(request: InstructDebit): Promise<InstructionAnswer>;
  /** Null if the provider does not know it, or not yet. */
  findInstruction(reference: string, now: Date): Promise<ProviderInstruction | null>;
  /** Cancels an instruction. Not possible from the day of its first attempt on. */
  cancelInstruction(reference: string, now: Date): Promise<CancelInstructionAnswer>;
  /** Orders another attempt on a later date, for the same amount. An attempt that was ordered for that date is the answer. */
  retry(request: RetryDebit): Promise<InstructionAnswer>;
  /** Mandates created within this time, page by page, no matter who requested them. */
  listMandates(time: TimeWindow, cursor: string | null): Promise<ProviderPage<ProviderMandate>>;
  /** Instructions created within this time, page by page. */
  listInstructions(time: TimeWindow, cursor: string | null): Promise<ProviderPage<ProviderInstruction>>;
}

export interface MandateTerms {
  readonly periodicities: readonly Periodicity[];
  /** An instruction must reach the payer's bank this many days before its due date. */
  readonly noticeDays: { readonly most: number; readonly least: number };
  /** Attempts after a failed due date, on different dates. */
  readonly retries: { readonly most: number; readonly withinDays: number };
  /** CONSENT: the code asks for consent only. CHARGE_AND_CONSENT: it also pays a charge. */
  readonly codes: readonly ('CONSENT' | 'CHARGE_AND_CONSENT')[];
  readonly amounts: readonly MandateAmount['kind'][];
  /** Who may receive debits. */
  readonly receivers: 'CNPJ' | 'ANY';
}

export type Periodicity = 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'SEMIANNUALLY' | 'ANNUALLY';

/** VARIABLE: each instruction names its amount. A payer may set a ceiling, but none below `minimumCents`. */
export type MandateAmount =
  | { readonly kind: 'FIXED'; readonly amountCents: number }
  | { readonly kind: 'VARIABLE'; readonly minimumCents: number | null };

export interface CreateMandate {
  /** An id of ours, such as `subs_…`. The same reference is the same mandate. */
  readonly reference: string;
  /** The time of the first request, also in repeated ones. */
  readonly now: Date;
  readonly payer: { readonly name: string; readonly taxId: string };
  readonly beneficiary: Beneficiary;
  /** What the payer's bank shows, at most 35 characters. */
  readonly description: string | null;
  readonly periodicity: Periodicity;
  /** The expected date of the first debit. */
  readonly firstDate: CivilDate;
  /** Null if the mandate does not end by itself. */
  readonly lastDate: CivilDate | null;
  readonly amount: MandateAmount;
  readonly allowsRetries: boolean;
  /** The reference of an issued charge whose payment accepts the mandate; null for a code that asks for consent only. */
  readonly chargeReference: string | null;
}

/**
 * The result of creating a mandate. PENDING: a repeated request gets the answer. REFUSED is final. ENDED: an earlier
 * request created it, and nobody can accept it any more.
 */
export type MandateAnswer =
  | { readonly outcome: 'CREATED'; readonly mandate: ProviderMandate; readonly brCode: string }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  | { readonly outcome: 'ENDED'; readonly mandate: ProviderMandate }
  | { readonly outcome: 'REFUSED'; readonly reason: string };

/** UNKNOWN: a status of a later version, which ends nothing. */
export type MandateStatus = 'PENDING' | 'ACTIVE' | 'REJECTED' | 'EXPIRED' | 'CANCELLED' | 'UNKNOWN';

export interface ProviderMandate {
  readonly providerMandateId: string;
  /** The `reference` of its request, or the provider's text if Recebe did not request it. */
  readonly reference: string;
  readonly status: MandateStatus;
  /** Why it was rejected or cancelled; null while it was not, or if the provider does not say. */
  readonly end: ProviderEnd | null;
  readonly periodicity: Periodicity | null;
  readonly firstDate: CivilDate;
  readonly lastDate: CivilDate | null;
  readonly amount: MandateAmount;
  readonly allowsRetries: boolean;
}

export interface ProviderEnd {
  /** Null for a rejection, and for a party that this release does not know. */
  readonly by: 'PAYER' | 'PAYER_BANK' | 'RECEIVER' | 'RECEIVER_BANK' | null;
  /** The provider's code, such as `SLCR`. */
  readonly code: string;
}

/** ENDED: it had ended in another way. PENDING: a repeated request gets the answer. */
export type CancelMandateAnswer =
  | { readonly outcome: 'CANCELLED' }
  | { readonly outcome: 'ENDED'; readonly status: MandateStatus }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number };

export interface InstructDebit {
  /** An id of ours: the same reference is the same instruction, and its payment carries it. */
  readonly reference: string;
  readonly providerMandateId: string;
  readonly amountCents: number;
  readonly dueDate: CivilDate;
  /** What the payer's bank shows, at most 140 characters. */
  readonly description: string | null;
  /** The time of the request. */
  readonly now: Date;
  /** Whether an earlier request may have reached the provider: a refusal then says nothing about that one. */
  readonly mayHaveBeenOrdered?: boolean;
}

export interface RetryDebit {
  readonly reference: string;
  /** A later date within {@link MandateTerms.retries} of the due date. */
  readonly date: CivilDate;
  /** The time of the request. */
  readonly now: Date;
}

/** INSTRUCTED: the provider has it, in whatever state. REFUSED is final: nothing was ordered by this request. */
export type InstructionAnswer =
  | { readonly outcome: 'INSTRUCTED'; readonly instruction: ProviderInstruction }
  | { readonly outcome: 'REFUSED'; readonly reason: string };

/** TOO_LATE: its first attempt is today or has been, so it may still be paid. */
export type CancelInstructionAnswer =
  | { readonly outcome: 'CANCELLED' | 'TOO_LATE' }
  | { readonly outcome: 'ENDED'; readonly instruction: ProviderInstruction }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number };

/**
 * PENDING: the payer's bank has not answered. SCHEDULED: it will debit, or waits for another attempt. EXPIRED: it
 * could not debit. REJECTED: it never will. UNKNOWN: a status of a later version, which ends nothing.
 */
export type InstructionStatus =
  | 'PENDING'
  | 'SCHEDULED'
  | 'PAID'
  | 'EXPIRED'
  | 'REJECTED'
  | 'CANCELLED'
  | 'UNKNOWN';

export interface ProviderInstruction {
  readonly reference: string;
  readonly providerMandateId: string;
  readonly status: InstructionStatus;
  readonly amountCents: number;
  readonly dueDate: CivilDate;
  /** Oldest first. */
  readonly attempts: readonly DebitAttempt[];
  readonly end: ProviderEnd | null;
  readonly providerPaymentIds: readonly ProviderPayment['providerPaymentId'][];
}

export interface DebitAttempt {
  readonly date: CivilDate;
  /** RETRY: ordered by {@link MandatesPort.retry}. OTHER: of the provider itself, or of a later version. */
  readonly kind: 'FIRST' | 'RETRY' | 'OTHER';
  readonly status: 'OPEN' | 'PAID' | 'FAILED' | 'CANCELLED' | 'UNKNOWN';
  /** The code of a failure, such as `AM04`; null if the provider names none. */
  readonly code: string | null;
}
