import type { EntryKind } from '../../../domain/sub-account.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';

/** Why the balance of a sub-account changed. */
export const ENTRY_WORDS: Readonly<Record<EntryKind, MessageKey>> = {
  PAYMENT: 'dashboard.subAccounts.kinds.payment',
  REFUND_RESERVED: 'dashboard.balance.movements.refundReserved',
  REFUND_FAILED: 'dashboard.balance.movements.refundFailed',
  REFUND_REVIVED: 'dashboard.balance.movements.refundRevived',
  DISPUTE_OPENED: 'dashboard.disputeOpened',
  DISPUTE_WON: 'dashboard.disputeWon',
  PAYOUT_RESERVED: 'dashboard.subAccounts.kinds.withdrawal',
  PAYOUT_FAILED: 'dashboard.subAccounts.kinds.withdrawalFailed',
  PAYOUT_REVIVED: 'dashboard.subAccounts.kinds.withdrawalRevived',
  PAYOUT_RETURNED: 'dashboard.subAccounts.kinds.withdrawalReturned',
};
