import type { ChargeMethod } from './charge.ts';
import { roundHalfUpDivide } from './money.ts';

/** The platform's fee of a payment: a fixed part and a share (contract section 4, "platformFee"). */
export interface PlatformFee {
  readonly fixedCents: number;
  /** Hundredths of a percent: 350 is 3.5 %. */
  readonly share: number;
}

export type PlatformFees = Readonly<Record<Exclude<ChargeMethod, 'FREE'>, PlatformFee>>;

/** The fee of a charge in cents; the share is rounded half up. A payment of nothing has no fee. */
export function platformFeeCentsOf(fees: PlatformFees, method: ChargeMethod, amountCents: number): number {
  if (method === 'FREE') return 0;
  const { fixedCents, share } = fees[method];
  return fixedCents + roundHalfUpDivide(BigInt(amountCents) * BigInt(share), 10_000n);
}
