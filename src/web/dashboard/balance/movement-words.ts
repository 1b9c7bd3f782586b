import type { StatementAccount, StatementKind } from '../../../domain/ledger.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';

/** The parts of the balance. */
export const ACCOUNTS: Readonly<Record<StatementAccount, MessageKey>> = {
  AVAILABLE: 'dashboard.available',
  PENDING: 'dashboard.balance.accounts.pending',
  BLOCKED: 'dashboard.balance.accounts.blocked',
};

export const MOVEMENTS: Readonly<Record<StatementKind, MessageKey>> = {
  PAYMENT: 'dashboard.payment',
  SETTLEMENT: 'dashboard.balance.movements.settlement',
  REFUND_RESERVED: 'dashboard.balance.movements.refundReserved',
  REFUND_FAILED: 'dashboard.balance.movements.refundFailed',
  DISPUTE_OPENED: 'dashboard.disputeOpened',
  DISPUTE_WON: 'dashboard.disputeWon',
  DISPUTE_LOST: 'dashboard.disputeLost',
  DISPUTE_FEE: 'dashboard.balance.movements.disputeFee',
  DISPUTE_FEE_RETURNED: 'dashboard.balance.movements.disputeFeeReturned',
  EXCESS_TAKEN: 'dashboard.balance.movements.excessTaken',
  EXCESS_RETURNED: 'dashboard.balance.movements.excessReturned',
  PAYOUT_RESERVED: 'dashboard.balance.movements.payoutReserved',
  PAYOUT_FAILED: 'dashboard.balance.movements.payoutFailed',
  REFUND_REVIVED: 'dashboard.balance.movements.refundRevived',
  PAYOUT_REVIVED: 'dashboard.balance.movements.payoutRevived',
  PAYOUT_RETURNED: 'dashboard.balance.movements.payoutReturned',
  SUB_ACCOUNT_CREDITED: 'dashboard.balance.movements.subAccountCredited',
  SUB_ACCOUNT_DEBITED: 'dashboard.balance.movements.subAccountDebited',
};
