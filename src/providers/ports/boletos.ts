import type { Fine, Interest } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { Issue, IssueAnswer } from './issuing.ts';
import type { IssuedPix } from './pix.ts';

/** Boletos with a bar code and a PIX code. */
export interface BoletosPort extends BoletoTerms {
  issue(request: IssueBoleto): Promise<IssueAnswer<IssuedBoleto>>;
  /** The PIX code of a boleto for the amount due today, which grows once it is late (contract section 4). */
  brCodeFor(request: IssueBrCode): Promise<string>;
}

export interface BoletoTerms {
  /** Smaller amounts are refused. */
  readonly minCents: number;
  readonly issuer: BoletoIssuer;
  /** Whether a PIX code contains the amount. Otherwise the provider names it when a payer's bank reads the code. */
  readonly codeShowsAmount: boolean;
}

/** The bank behind a provider's boletos, as printed on them (Febraban, ficha de compensação). */
export interface BoletoIssuer {
  readonly bankName: string;
  /** Agency and account of the beneficiary, in the bank's format. */
  readonly agencyAndAccount: string;
  /** The bank's code for the kind of collection ("carteira"). */
  readonly wallet: string;
}

/** The provider computes the amount of the day from these terms, and refuses late payments. */
export interface IssueBoleto extends Issue {
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
  /** Calendar days after the due date, or after the business day that follows it; 0 if that day is the last. */
  readonly daysPayableAfterDueDate: number;
}

export interface IssuedBoleto extends Omit<IssuedPix, 'expiresAt'> {
  /** The 44 digits of the bar code. */
  readonly barCode: string;
  readonly ourNumber: string;
}

/** The input for a code with the amount due today. */
export interface IssueBrCode extends Omit<Issue, 'payer'> {
  readonly reference: string;
}
