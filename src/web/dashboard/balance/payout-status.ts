import type { PayoutStatus } from '../../../domain/payout.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';
import { amountCell, statusBadge, statusName } from '../words.ts';

/** A refunded payment is money that left the store; a refunded payout is money that came back to it. */
const CAME_BACK = 'dashboard.cameBack' as const;

export function payoutStatusName(status: PayoutStatus, say: Say): string {
  return status === 'REFUNDED' ? say(CAME_BACK) : statusName(status, say);
}

interface Shown {
  readonly status: PayoutStatus;
  readonly amount: number;
  readonly returnedAmount: number;
  readonly reason: string | null;
}

/** The status of a payout, why it failed, and the returned amount if only a part came back. */
export function payoutStatusCell({ status, amount, returnedAmount, reason }: Shown, say: Say): Html {
  if (status === 'REFUNDED') return badge('plain', payoutStatusName(status, say));
  const shown = statusBadge(status, say);
  if (reason !== null) return html`${shown} ${reason}`;
  if (returnedAmount === 0 || returnedAmount === amount) return shown;
  return html`${shown} ${say('dashboard.balance.cameBackInPart')} ${amountCell(returnedAmount)}`;
}
