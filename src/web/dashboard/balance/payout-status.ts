import type { PayoutStatus } from '../../../domain/payout.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { badge } from '../frame/components.ts';
import type { Say } from '../frame/locale.ts';
import { amountCell, statusBadge, statusName } from '../words.ts';

/** A refunded payment is money that left the store; a refunded payout is money that came back to it. */
const CAME_BACK = 'dashboard.cameBack' as const;

export function payoutStatusName(status: PayoutStatus, say: Say): string {
  return status === 'REFUNDED' ? say(CAME_BACK) : statusName(status, say);
}

/** Why a payout failed, by the service's and the sandbox's own words for it. */
const REASONS: Readonly<Record<string, MessageKey>> = {
  account_closed: 'dashboard.balance.failure.accountClosed',
  key_not_found: 'dashboard.balance.failure.keyNotFound',
  suspected_fraud: 'dashboard.balance.failure.suspectedFraud',
  approval_rejected: 'dashboard.balance.failure.rejected',
  approval_expired: 'dashboard.balance.failure.notApproved',
  'the bank could not carry it out': 'dashboard.balance.failure.notCarriedOut',
};

/** The reason in words; a bank's own text stays as it is. */
export function payoutFailureWords(reason: string, say: Say): string {
  const words = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined;
  return words === undefined ? reason : say(words);
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
  if (reason !== null) return html`${shown} ${payoutFailureWords(reason, say)}`;
  if (returnedAmount === 0 || returnedAmount === amount) return shown;
  return html`${shown} ${say('dashboard.balance.cameBackInPart')} ${amountCell(returnedAmount)}`;
}
