import { CHARGE_METHODS, type ChargeMethod } from '../../domain/charge.ts';
import { STATEMENT_KINDS, type StatementAccount, type StatementKind } from '../../domain/ledger.ts';
import type { EntryPart } from '../../ledger/entries.ts';

/** What a transaction is: AbacatePay's words for the first five, ours for the others. Every transaction has exactly one. */
export const TRANSACTION_KINDS = [
  'DEPOSIT',
  'WITHDRAW',
  'REFUND',
  'CARD_APPROVED',
  'SWAP_INTERNAL_CREDIT_CARD_RECEIVED',
  'DISPUTE',
  'REVERSAL',
  'SUB_ACCOUNT',
] as const;
export type TransactionKind = (typeof TRANSACTION_KINDS)[number];

/** Those of AbacatePay's statuses that a booked transaction can have. */
export const TRANSACTION_STATUSES = ['COMPLETE', 'APPROVED'] as const;

/** AbacatePay's words. */
export const TRANSACTION_METHODS = ['PIX', 'PIX_QRCODE', 'CARD', 'BOLETO', 'TED', 'INTERNAL'] as const;

export interface TransactionFilter {
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly kind?: TransactionKind | undefined;
  readonly status?: (typeof TRANSACTION_STATUSES)[number] | undefined;
  readonly method?: (typeof TRANSACTION_METHODS)[number] | undefined;
}

/** Settlement takes from what is pending, which the statement shows when it becomes available. */
export const PENDING_KINDS = STATEMENT_KINDS.filter((kind) => kind !== 'SETTLEMENT');

const ACCOUNT_OF_STATUS = { COMPLETE: 'AVAILABLE', APPROVED: 'PENDING' } as const;

/** No transaction is a TED, and only a payment of nothing would be internal. */
const CHARGE_METHODS_OF: Readonly<Record<NonNullable<TransactionFilter['method']>, readonly ChargeMethod[]>> =
  { PIX: ['PIX'], PIX_QRCODE: ['PIX'], CARD: ['CARD'], BOLETO: ['BOLETO'], TED: [], INTERNAL: ['FREE'] };

const DEPOSITS = { PIX: 'DEPOSIT', BOLETO: 'DEPOSIT', FREE: 'DEPOSIT' } as const;

/** What a payment is until its money is available. */
const PENDING_KIND: Readonly<Record<ChargeMethod, TransactionKind>> = { ...DEPOSITS, CARD: 'CARD_APPROVED' };

/** What it is that the money becomes available. */
const SETTLED_KIND: Readonly<Record<ChargeMethod, TransactionKind>> = {
  ...DEPOSITS,
  CARD: 'SWAP_INTERNAL_CREDIT_CARD_RECEIVED',
};

const KIND_OF: Readonly<Record<StatementKind, (part: EntryPart) => TransactionKind>> = {
  PAYMENT: ({ account, method }) => (account === 'PENDING' ? PENDING_KIND[method] : 'DEPOSIT'),
  SETTLEMENT: ({ method }) => SETTLED_KIND[method],
  REFUND_RESERVED: () => 'REFUND',
  REFUND_REVIVED: () => 'REFUND',
  REFUND_FAILED: () => 'REVERSAL',
  DISPUTE_OPENED: () => 'DISPUTE',
  DISPUTE_WON: () => 'DISPUTE',
  DISPUTE_LOST: () => 'DISPUTE',
  DISPUTE_FEE: () => 'DISPUTE',
  DISPUTE_FEE_RETURNED: () => 'DISPUTE',
  EXCESS_TAKEN: () => 'DISPUTE',
  EXCESS_RETURNED: () => 'DISPUTE',
  PAYOUT_RESERVED: () => 'WITHDRAW',
  PAYOUT_REVIVED: () => 'WITHDRAW',
  PAYOUT_FAILED: () => 'REVERSAL',
  PAYOUT_RETURNED: () => 'REVERSAL',
  SUB_ACCOUNT_CREDITED: () => 'SUB_ACCOUNT',
  SUB_ACCOUNT_DEBITED: () => 'SUB_ACCOUNT',
};

/** What a transaction is, by the part of the statement that it is in. */
export function transactionKindOf(part: EntryPart): TransactionKind {
  return KIND_OF[part.kind](part);
}

export function isAnyGiven(filter: TransactionFilter): boolean {
  return [filter.kind, filter.status, filter.method].some((value) => value !== undefined);
}

/** All parts of the statement that transactions are made from. */
const PARTS: readonly EntryPart[] = [
  ...combined('AVAILABLE', STATEMENT_KINDS),
  ...combined('PENDING', PENDING_KINDS),
];

function combined(account: StatementAccount, kinds: readonly StatementKind[]): EntryPart[] {
  return kinds.flatMap((kind) => CHARGE_METHODS.map((method) => ({ account, kind, method })));
}

/** The parts of the statement whose transactions match. */
export function partsOf({ kind, status, method }: TransactionFilter): readonly EntryPart[] {
  return PARTS.filter(
    (part) =>
      (kind === undefined || transactionKindOf(part) === kind) &&
      (status === undefined || part.account === ACCOUNT_OF_STATUS[status]) &&
      (method === undefined || CHARGE_METHODS_OF[method].includes(part.method)) &&
      !(method === 'PIX_QRCODE' && part.kind.startsWith('PAYOUT')),
  );
}
