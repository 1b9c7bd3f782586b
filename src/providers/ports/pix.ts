import type { Fine, Interest } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { Payer, PayerAddress } from '../../domain/payer.ts';
import type { Issue, IssueAnswer } from './issuing.ts';

/** Codes that are paid once, until they expire. */
export interface PixPort extends PixTerms {
  issue(request: IssuePix): Promise<IssueAnswer<IssuedPix>>;
  /** Issues a code with a due date (Bacen's `cobv`). Absent if the provider has none. */
  issueDue?(request: IssueDuePix): Promise<IssueAnswer<IssuedPix>>;
}

export interface PixTerms {
  readonly maxExpirySeconds: number;
  /** Whether a charge must name its payer, with CPF or CNPJ; absent if it need not. */
  readonly namesPayer?: boolean;
}

export interface IssuePix extends Issue {
  /** An integer; a later payer is refused by their bank. */
  readonly expiresInSeconds: number;
  /** The time of the request, from which the expiry counts. */
  readonly now: Date;
}

/**
 * A code with a due date. Its bank computes the amount of the day from these terms by Bacen's rules, refuses late payments, and
 * reports the parts of a payment as `components`.
 */
export interface IssueDuePix extends Omit<Issue, 'payer'> {
  readonly payer: DuePixPayer;
  /** The time of the request. */
  readonly now: Date;
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
  /** Calendar days after the due date, or after the business day that follows it; 0 if that day is the last. */
  readonly daysPayableAfterDueDate: number;
}

/** The payer as given for this charge; both are required. Some banks ask for the address too. */
export interface DuePixPayer extends Pick<Payer, 'name' | 'taxId'> {
  readonly address?: PayerAddress | null;
}

export interface IssuedPix {
  /** The provider's id of the charge; unique per provider. */
  readonly reference: string;
  readonly brCode: string;
  /** When the provider stops accepting payments; null or absent if it does not say. */
  readonly expiresAt?: Date | null;
}
