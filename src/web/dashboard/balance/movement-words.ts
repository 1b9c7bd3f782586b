import type { StatementAccount, StatementKind } from '../../../domain/ledger.ts';

/** The parts of the balance. */
export const ACCOUNTS: Readonly<Record<StatementAccount, readonly [string, string]>> = {
  AVAILABLE: ['Disponível', 'Available'],
  PENDING: ['A receber', 'Pending'],
  BLOCKED: ['Bloqueado', 'Blocked'],
};

export const MOVEMENTS: Readonly<Record<StatementKind, readonly [string, string]>> = {
  PAYMENT: ['Pagamento', 'Payment'],
  SETTLEMENT: ['Liquidação', 'Settlement'],
  REFUND_RESERVED: ['Reembolso', 'Refund'],
  REFUND_FAILED: ['Reembolso que falhou', 'Refund that failed'],
  DISPUTE_OPENED: ['Disputa aberta', 'Dispute opened'],
  DISPUTE_WON: ['Disputa ganha', 'Dispute won'],
  DISPUTE_LOST: ['Disputa perdida', 'Dispute lost'],
  PAYOUT_RESERVED: ['Repasse', 'Payout'],
  PAYOUT_FAILED: ['Repasse que falhou', 'Payout that failed'],
  REFUND_REVIVED: [
    'Reembolso feito pelo banco depois de falhar',
    'Refund that the bank made after it failed',
  ],
  PAYOUT_REVIVED: ['Repasse feito pelo banco depois de falhar', 'Payout that the bank made after it failed'],
  PAYOUT_RETURNED: ['Repasse devolvido', 'Payout that came back'],
};
