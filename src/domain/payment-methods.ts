import type { ChargeMethod } from './charge.ts';

/**
 * In which respects payment methods differ. Code branches on these and not on a method's name, so that a new method
 * is one line here. How a method is issued and settled is in `src/charges/methods/`.
 */
export interface MethodTraits {
  /**
   * Who decides whether a charge is paid. PAYER: the charge waits until its deadline. ISSUER: the card's issuer
   * answers at once. NOBODY: nothing is to pay, and no provider is involved.
   */
  readonly decidedBy: 'PAYER' | 'ISSUER' | 'NOBODY';
  /** Smaller amounts are refused. */
  readonly minCents: number;
  /**
   * Whether it requires the payer's name and tax id. With real money it then also requires the payee's (contract
   * section 4).
   */
  readonly namesPayer: boolean;
  /** Whether the payer pays with a code in their bank's app, which can be cancelled until then. */
  readonly hasCode: boolean;
  /** Whether the payment instrument is stored, so that later payments need nothing of the payer. */
  readonly keepsInstrument: boolean;
  /** Whether the code has a due date, and a bank confirms its payment a business day later. */
  readonly hasDueDate: boolean;
}

export const METHOD_TRAITS: Readonly<Record<ChargeMethod, MethodTraits>> = {
  PIX: {
    decidedBy: 'PAYER',
    minCents: 1,
    namesPayer: false,
    hasCode: true,
    keepsInstrument: false,
    hasDueDate: false,
  },
  BOLETO: {
    decidedBy: 'PAYER',
    // The banks' fees make smaller boletos pointless (contract section 4).
    minCents: 300,
    namesPayer: true,
    hasCode: true,
    keepsInstrument: false,
    hasDueDate: true,
  },
  CARD: {
    decidedBy: 'ISSUER',
    minCents: 1,
    namesPayer: false,
    hasCode: false,
    keepsInstrument: true,
    hasDueDate: false,
  },
  FREE: {
    decidedBy: 'NOBODY',
    minCents: 0,
    namesPayer: false,
    hasCode: false,
    keepsInstrument: false,
    hasDueDate: false,
  },
};

/** The methods with a trait, as a list for SQL: `'CARD', 'FREE'`. */
function sqlListOf(has: (traits: MethodTraits) => boolean): string {
  const names = Object.entries(METHOD_TRAITS).filter(([, traits]) => has(traits));
  return names.map(([name]) => `'${name}'`).join(', ');
}

/** The methods that are decided at once, as a list for SQL. */
export const SQL_DECIDED_AT_ONCE = sqlListOf(({ decidedBy }) => decidedBy !== 'PAYER');
