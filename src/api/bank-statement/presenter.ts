import type { StatementKind } from '../../domain/ledger.ts';
import type { StatementEntry } from '../../ledger/entries.ts';
import { transactionKindOf } from './filters.ts';
import type { Parties } from './parties.ts';
import type { ShownBankMovement, ShownBankTransaction } from './schema.ts';
import { transactionIdOf } from './transactions.ts';

type Words = Pick<ShownBankMovement, 'category' | 'description'>;

const WORDS: Readonly<Record<StatementKind, Words>> = {
  PAYMENT: { category: 'transaction', description: 'Pagamento recebido' },
  SETTLEMENT: { category: 'transaction', description: 'Liquidação de pagamento' },
  REFUND_RESERVED: { category: 'refund', description: 'Reembolso' },
  REFUND_FAILED: { category: 'reversal', description: 'Reembolso não concluído' },
  REFUND_REVIVED: { category: 'refund', description: 'Reembolso' },
  DISPUTE_OPENED: { category: 'reversal', description: 'Bloqueio por disputa' },
  DISPUTE_WON: { category: 'reversal', description: 'Disputa ganha' },
  DISPUTE_LOST: { category: 'reversal', description: 'Disputa perdida' },
  DISPUTE_FEE: { category: 'fee', description: 'Tarifa de disputa' },
  DISPUTE_FEE_RETURNED: { category: 'fee', description: 'Tarifa de disputa devolvida' },
  EXCESS_TAKEN: { category: 'reversal', description: 'Valor retirado além do pagamento' },
  EXCESS_RETURNED: { category: 'reversal', description: 'Valor além do pagamento devolvido' },
  PAYOUT_RESERVED: { category: 'withdrawal', description: 'Saque' },
  PAYOUT_FAILED: { category: 'reversal', description: 'Saque não concluído' },
  PAYOUT_REVIVED: { category: 'withdrawal', description: 'Saque' },
  PAYOUT_RETURNED: { category: 'reversal', description: 'Saque devolvido' },
  SUB_ACCOUNT_CREDITED: { category: 'transaction', description: 'Repasse para subconta' },
  SUB_ACCOUNT_DEBITED: { category: 'transaction', description: 'Valor recebido de subconta' },
};

/**
 * An entry of the statement as a transaction. The ledger books amounts after the fee: here the amount before it and the fee are two
 * movements, whose effects add up to the entry.
 */
export function presentTransaction(
  entry: StatementEntry,
  parties: Parties,
  devMode: boolean,
): ShownBankTransaction {
  const { amountCents, platformFeeCents } = entry;
  const movements = [mainMovement(entry, parties, amountCents + platformFeeCents), feeMovement(entry)];
  return {
    id: transactionIdOf(entry),
    devMode,
    movements: movements.filter((movement) => movement.amount > 0),
    currency: 'BRL',
    createdAt: entry.bookedAt.toISOString(),
    checkoutId: parties.checkoutId,
    paymentIntentId: parties.chargeId,
    referenceId: parties.referenceId,
    customer: parties.customer,
  };
}

function mainMovement(entry: StatementEntry, { method }: Parties, cents: number): ShownBankMovement {
  const kind = transactionKindOf({ ...entry, method });
  return {
    ...WORDS[entry.kind],
    amount: Math.abs(cents),
    kind: kind === 'CARD_APPROVED' ? kind : kindOf(cents),
    method: method === 'FREE' ? 'INTERNAL' : method,
    balanceEffect: effectOf(entry, cents),
  };
}

/** A fee that the platform returns is credited. */
function feeMovement(entry: StatementEntry): ShownBankMovement {
  const cents = -entry.platformFeeCents;
  const isReturned = cents > 0;
  return {
    amount: Math.abs(cents),
    kind: kindOf(cents),
    method: 'INTERNAL',
    description: isReturned ? 'Tarifa devolvida' : 'Tarifa',
    category: isReturned ? 'reversal' : 'fee',
    balanceEffect: effectOf(entry, cents),
  };
}

function kindOf(cents: number): ShownBankMovement['kind'] {
  return cents > 0 ? 'DEPOSIT' : 'WITHDRAW';
}

function effectOf({ account }: StatementEntry, cents: number): ShownBankMovement['balanceEffect'] {
  if (account !== 'AVAILABLE') return 'none';
  return cents > 0 ? 'credit' : 'debit';
}
