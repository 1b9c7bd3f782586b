import type { Fine, Interest } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import type { Payer, PayerAddress } from '../../domain/payer.ts';
import type { Issue, IssueAnswer } from './issuing.ts';
import type { IssuedPix } from './pix.ts';

/** Boletos with a bar code, and most of them with a PIX code too. */
export interface BoletosPort extends BoletoTerms {
  issue(request: IssueBoleto): Promise<IssueAnswer<IssuedBoleto>>;
  /**
   * The PIX code of a boleto for the amount due today, which grows once it is late (contract section 4). It is computed without a
   * request, since lists show it of each boleto. Absent unless the code contains the amount (`codeShowsAmount`).
   */
  brCodeFor?(request: IssueBrCode): Promise<string>;
}

/** What a provider's boletos can be. Requests outside of it are refused before the provider is called. */
export interface BoletoTerms {
  /** The smallest and the largest amount. */
  readonly minCents: number;
  readonly maxCents: number;
  /** Calendar days from the day of the request to the earliest and to the latest due date. */
  readonly minDueDays: number;
  readonly maxDueDays: number;
  /** Whether a late boleto can cost more. */
  readonly interest: boolean;
  readonly fine: boolean;
  /** What it needs of the payer beside name and tax id, which every boleto needs. */
  readonly payerNeeds: readonly ('email' | 'address')[];
  readonly issuer: BoletoIssuer;
  /**
   * Whether a PIX code contains the amount. Otherwise the provider names it when a payer's bank reads the code. Null if
   * its boletos have no PIX code.
   */
  readonly codeShowsAmount: boolean | null;
}

/** The terms of a provider without limits of its own (contract section 4.5). */
export const BOLETOS_OF_ANY_KIND = {
  minCents: 300,
  maxCents: MAX_AMOUNT_CENTS,
  minDueDays: 0,
  maxDueDays: 365,
  interest: true,
  fine: true,
  payerNeeds: [],
} as const satisfies Partial<BoletoTerms>;

/** The bank behind a provider's boletos, as printed on them (Febraban, ficha de compensação). */
export interface BoletoIssuer {
  readonly bankName: string;
  /** Agency and account of the beneficiary, in the bank's format; null if the provider does not report them. */
  readonly agencyAndAccount: string | null;
  /** The bank's code for the kind of collection ("carteira"); null if the provider does not report it. */
  readonly wallet: string | null;
}

/** The provider computes the amount of the day from these terms, and refuses late payments. */
export interface IssueBoleto extends Omit<Issue, 'payer'> {
  readonly payer: BoletoPayer;
  /** The time of the request. */
  readonly now: Date;
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
  /** Calendar days after the due date, or after the business day that follows it; 0 if that day is the last. */
  readonly daysPayableAfterDueDate: number;
}

/** The payer as given for this charge. E-mail and address are there if {@link BoletoTerms.payerNeeds} names them. */
export interface BoletoPayer extends Pick<Payer, 'name' | 'taxId'> {
  readonly email?: string | null;
  readonly address?: PayerAddress | null;
}

export interface IssuedBoleto extends Omit<IssuedPix, 'expiresAt' | 'brCode'> {
  /** Null or absent if it has no PIX code. */
  readonly brCode?: string | null;
  /** The 44 digits of the bar code. */
  readonly barCode: string;
  /** Null or absent if the provider does not report it. */
  readonly ourNumber?: string | null;
  /**
   * When the provider has reported every payment made until the last day to pay; until then the charge stays open. Null or
   * absent if it reports payments at once.
   */
  readonly reportedBy?: Date | null;
  /** The provider's own page of the boleto; null or absent if there is none. */
  readonly voucherUrl?: string | null;
  /** The provider's own boleto to print; null or absent if there is none. */
  readonly voucherPdfUrl?: string | null;
}

/** The input for a code with the amount due today. */
export interface IssueBrCode extends Omit<Issue, 'payer'> {
  readonly reference: string;
}
