import { bankIdOf } from '../../../src/providers/bacen/ids.ts';
import type { BankCharge, BankState } from '../../psp/state.ts';
import type { BankShop } from '../bank/bank-shop.ts';
import { compareBank } from '../differences/bank.ts';
import type { MoneyRows } from '../real-money/money-rows.ts';

/**
 * Compares the state of the bank with the restored rows. Orders that never reached the bank, and those that had no effect
 * there, may be lost with their rows (docs/operating.md, "What a restore loses"). Money that moved, and codes that can be paid,
 * must have rows.
 */
export function compareRestored(state: BankState, rows: MoneyRows, shop: BankShop): string[] {
  const needed = withoutDeadWork(state, rows);
  const atBank = idsOf(needed);
  const isRestored = (bankId: string) => atBank.has(bankId) || hasRow(rows, bankId);
  const promised: BankShop = {
    ...shop,
    charges: shop.charges.filter(({ id }) => isRestored(id.slice(-TXID_LENGTH))),
    refundIds: new Set([...shop.refundIds].filter((id) => isRestored(bankIdOf(id)))),
    payouts: shop.payouts.filter(({ id }) => isRestored(bankIdOf(id))),
  };
  return [
    ...compareBank(needed, rows, promised),
    // A code that was removed, or that expired unpaid, may have no row.
    ...shop.contradictions.filter((each) => !each.endsWith(': NOT_FOUND')),
  ];
}

const TXID_LENGTH = 26;

/** Leaves out codes that cannot be paid and transfers that failed, unless they have a row. */
function withoutDeadWork(state: BankState, rows: MoneyRows): BankState {
  const paid = new Set(Object.values(state.payments).map(({ txid }) => txid));
  const isDead = (charge: BankCharge) => !paid.has(charge.txid) && !isPayable(charge);
  const kept = <Item>(items: Record<string, Item>, isKept: (item: Item) => boolean) =>
    Object.fromEntries(Object.entries(items).filter(([id, item]) => hasRow(rows, id) || isKept(item)));
  return {
    ...state,
    charges: kept(state.charges, (charge) => !isDead(charge)),
    transfers: kept(state.transfers, ({ status }) => status === 'REALIZADO'),
  };
}

function isPayable({ status, createdAt, asked }: BankCharge): boolean {
  const expiresAtMs = Date.parse(createdAt) + (asked.calendario.expiracao ?? 0) * 1_000;
  return status === 'ATIVA' && expiresAtMs > Date.now();
}

function idsOf({ charges, payments, transfers }: BankState): ReadonlySet<string> {
  const refunds = Object.values(payments).flatMap((payment) => payment.refunds);
  return new Set([
    ...Object.keys(charges),
    ...Object.keys(transfers),
    ...refunds.filter(({ status }) => status === 'DEVOLVIDO').map(({ id }) => id),
  ]);
}

function hasRow({ charges, refunds, payouts }: MoneyRows, bankId: string): boolean {
  if (charges.some(({ reference }) => reference === bankId)) return true;
  return [...refunds, ...payouts].some(({ id }) => bankIdOf(id) === bankId);
}
