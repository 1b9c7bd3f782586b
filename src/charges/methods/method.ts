import type { Charge } from '../../database/entities/charge.ts';
import type { ChargeMethod, FailureReason, Fine, Interest, PaymentMethod } from '../../domain/charge.ts';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { ChargeId } from '../../domain/ids.ts';
import type { MethodTraits } from '../../domain/payment-methods.ts';
import type { RefundRefusal } from '../../domain/reversal.ts';
import type { BoletoPayer } from '../../providers/ports/boletos.ts';
import type { Beneficiary } from '../../providers/ports/payment.ts';
import type { PaymentProvider } from '../../providers/provider.ts';
import type { ServingProvider } from '../../providers/providers.ts';
import type { BoletoRefusal } from '../boleto-limits.ts';

/** The inputs of each method besides the amount. */
export interface Terms {
  /** How long the code is payable, or its due date. */
  PIX: { readonly expiresInSeconds: number } | DueTerms;
  BOLETO: DueTerms;
  /** A card as the provider's token, and the number of installments. */
  CARD: KeptCard & { readonly installmentsCount: number };
  /** A card is stored for later cycles if the start of a subscription costs nothing. */
  FREE: Partial<KeptCard>;
}

interface DueTerms {
  readonly dueDate: CivilDate;
  readonly interest: Interest | null;
  readonly fine: Fine | null;
}

/** The stored fields of a card. */
export type KeptCard = Pick<Charge, 'cardToken' | 'cardBrand' | 'cardLastFour' | 'cardExpiryMonth'> &
  Partial<Pick<Charge, 'cardWallet'>>;

/** A provider of this method; a payment of nothing needs none of its ports. */
export type MethodProvider<Name extends ChargeMethod> = Name extends PaymentMethod
  ? ServingProvider<Name>
  : PaymentProvider;

/** A charge to be issued. */
export interface ToIssue<Name extends ChargeMethod> {
  readonly id: ChargeId;
  readonly amountCents: number;
  readonly description: string | null;
  /** Called only if the method prints it. */
  readonly beneficiary: () => Beneficiary | Promise<Beneficiary>;
  /** The payer, as far as known before the charge exists. */
  readonly payer: BoletoPayer;
  readonly provider: MethodProvider<Name>;
  readonly now: Date;
}

/** What issuing adds to a charge: the provider's reference, its codes and its deadlines. */
export type Issued = Pick<Charge, 'provider' | 'providerReference' | 'expiresAt' | 'closesAt'> &
  Partial<Charge>;

/** How charges of a method are issued, settled and refunded. */
export interface Method<Name extends ChargeMethod> extends MethodTraits {
  readonly idKind: 'pixCharge' | 'boletoCharge' | 'cardCharge' | 'freeCharge';
  /** The failure reason of a charge that is given up without an answer. */
  readonly givenUpAs: FailureReason;
  /** Why its payments are never refunded; null if they can be. */
  readonly refundRefusal: RefundRefusal | null;
  /** When the payment becomes available to the store (contract section 4, "Settlement"). */
  settlesAt(paidAt: Date): Date;
  /** The provider with the port that issues the charges. @throws ProviderError UNSUPPORTED if it has none. */
  served(provider: PaymentProvider): MethodProvider<Name>;
  /** What the limits of the provider do not allow; absent if no provider has limits. */
  refusals?(charge: Omit<ToIssue<Name>, 'id'>, terms: Terms[Name]): readonly BoletoRefusal[];
  issue(charge: ToIssue<Name>, terms: Terms[Name]): Promise<Issued> | Issued;
}
