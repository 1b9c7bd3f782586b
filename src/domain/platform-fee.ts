import type { ChargeMethod, PaymentMethod } from './charge.ts';
import { roundHalfUpDivide } from './money.ts';

/** A fixed part and a share of a payment (contract section 4, "platformFee"). */
export interface PlatformFee {
  readonly fixedCents: number;
  /** Hundredths of a percent: 350 is 3.5 %. */
  readonly share: number;
}

/** The fee of a method, and of its payments with several installments if theirs differs. */
interface MethodFee extends PlatformFee {
  readonly byInstallments?: ReadonlyMap<number, PlatformFee>;
}

export type PlatformFees = Readonly<Record<PaymentMethod, MethodFee>>;

/** The fee of an amount in cents; the share is rounded half up. */
export function feeCentsOf({ fixedCents, share }: PlatformFee, amountCents: number): number {
  return fixedCents + roundHalfUpDivide(BigInt(amountCents) * BigInt(share), 10_000n);
}

/** The platform's fee of a payment in so many installments. */
export function platformFeeOf(
  fees: PlatformFees,
  method: PaymentMethod,
  installmentsCount: number,
): PlatformFee {
  return fees[method].byInstallments?.get(installmentsCount) ?? fees[method];
}

/** The fee of a charge in cents. A payment of nothing has no fee. @param installmentsCount of a card payment. */
export function platformFeeCentsOf(
  fees: PlatformFees,
  method: ChargeMethod,
  amountCents: number,
  installmentsCount = 1,
): number {
  if (method === 'FREE') return 0;
  return feeCentsOf(platformFeeOf(fees, method, installmentsCount), amountCents);
}
