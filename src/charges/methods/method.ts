import type { Charge } from '../../database/entities/charge.ts';
import type { ChargeMethod, FailureReason, Fine, Interest } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { Payer } from '../../domain/payer.ts';
import type { RefundRefusal } from '../../domain/reversal.ts';
import type { Beneficiary, PaymentProvider } from '../../providers/provider.ts';

/** What is asked of each method beside the amount. */
export interface Terms {
  /** How long the code can be paid. */
  PIX: { readonly expiresInSeconds: number };
  BOLETO: { readonly dueDate: CivilDate; readonly interest: Interest | null; readonly fine: Fine | null };
  /**
   * A card that the provider has made a token of, and into how many instalments its issuer divides the
   * amount.
   */
  CARD: KeptCard & { readonly installmentsCount: number };
  /** A card is kept for the cycles of a subscription whose beginning costs nothing. */
  FREE: Partial<KeptCard>;
}

/** What is kept of a card, as a charge has it. */
export type KeptCard = Pick<Charge, 'cardToken' | 'cardBrand' | 'cardLastFour'>;

/** A charge to be issued. */
export interface ToIssue {
  readonly id: ChargeId;
  readonly amountCents: number;
  readonly description: string | null;
  /** Asked for only where the method prints it. */
  readonly beneficiary: () => Beneficiary | Promise<Beneficiary>;
  /** Who pays, as far as that is known before the charge is made. */
  readonly payer: Pick<Payer, 'name' | 'taxId'>;
  readonly provider: PaymentProvider;
  readonly now: Date;
}

/** What issuing adds to a charge: what the payment rail knows it by, its codes, and its deadlines. */
export type Issued = Pick<Charge, 'provider' | 'providerReference' | 'expiresAt' | 'closesAt'> &
  Partial<Charge>;

/** Everything that one way to pay does otherwise than another. */
export interface Method<Name extends ChargeMethod> {
  readonly idKind: 'pixCharge' | 'boletoCharge' | 'cardCharge' | 'freeCharge';
  /**
   * Who decides whether a charge is paid: its payer, who is waited for until a deadline; the card's issuer,
   * as soon as it is asked; or nobody, where nothing is to pay and no provider takes part.
   */
  readonly decidedBy: 'PAYER' | 'ISSUER' | 'NOBODY';
  /** Less is refused. */
  readonly minCents: number;
  /**
   * Whether it is made out to somebody, whose name and tax id must be known. So must be, for real money, those of
   * who is paid (contract section 4).
   */
  readonly namesPayer: boolean;
  /** Why a charge that is given up without an answer FAILED. */
  readonly givenUpAs: FailureReason;
  /** Why its payments are never refunded; null where they are. */
  readonly refundRefusal: RefundRefusal | null;
  /** When the store may use what was paid (contract section 4, "Settlement"). */
  settlesAt(paidAt: Date): Date;
  issue(charge: ToIssue, terms: Terms[Name]): Promise<Issued> | Issued;
}
