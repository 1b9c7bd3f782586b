import type { ChargeId } from '../../domain/ids.ts';
import type { Beneficiary, ProviderPayment } from './payment.ts';

/** The fields of every order for a code. */
export interface Issue {
  readonly chargeId: ChargeId;
  readonly amountCents: number;
  readonly description: string | null;
  readonly beneficiary: Beneficiary;
  /** The payer as given for this charge; a boleto requires both fields. */
  readonly payer: ProviderPayment['payer'];
}

/**
 * The result of issuing a code. PENDING: a repeated request with the same charge gets the answer. REFUSED is final,
 * with the provider's own reason. PAID: an earlier request issued it, and someone has paid it. DEAD: an earlier
 * request issued it, and nobody can pay it any more; another charge has to replace it. A throw means "not known".
 */
export type IssueAnswer<Issued> =
  | { readonly outcome: 'ISSUED'; readonly issued: Issued }
  | { readonly outcome: 'PAID'; readonly issued: Issued; readonly payment: ProviderPayment }
  | { readonly outcome: 'DEAD'; readonly reason: string }
  | { readonly outcome: 'PENDING'; readonly pollAfterMs: number }
  | { readonly outcome: 'REFUSED'; readonly reason: string };
