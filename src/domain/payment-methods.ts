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
  /** Whether the code always has a due date, and a bank confirms its payment a business day later. */
  readonly hasDueDate: boolean;
  /** Whether the code is a slip with a bar code: the slip has a page of its own, and the limits of boletos apply. */
  readonly hasSlip: boolean;
  /**
   * Who computes what a charge with a due date costs when it is late. RECEBE: by contract section 4.6. BANK: by Bacen's rules for PIX, and the
   * bank names the parts of what it took. Null: a charge has no due date.
   */
  readonly lateAmountBy: 'RECEBE' | 'BANK' | null;
  /** Whether the payer may split the payment into installments. */
  readonly takesInstallments: boolean;
  /** Whether a checkout may pass the fee on to the payer. */
  readonly passesFees: boolean;
  /** Whether the payer can authorize debits of later charges (Pix Automático). */
  readonly takesMandates: boolean;
  /**
   * How payers contest a payment. CHARGEBACK: at the card network, which takes evidence and may take more than was paid. MED: at their bank, and
   * the receiver's bank decides. Null: by no procedure of the method.
   */
  readonly contestedBy: 'CHARGEBACK' | 'MED' | null;
}

export const METHOD_TRAITS: Readonly<Record<ChargeMethod, MethodTraits>> = {
  PIX: {
    decidedBy: 'PAYER',
    minCents: 1,
    namesPayer: false,
    hasCode: true,
    keepsInstrument: false,
    hasDueDate: false,
    hasSlip: false,
    lateAmountBy: 'BANK',
    takesInstallments: false,
    passesFees: false,
    takesMandates: true,
    contestedBy: 'MED',
  },
  BOLETO: {
    decidedBy: 'PAYER',
    // The banks' fees make smaller boletos pointless (contract section 4).
    minCents: 300,
    namesPayer: true,
    hasCode: true,
    keepsInstrument: false,
    hasDueDate: true,
    hasSlip: true,
    lateAmountBy: 'RECEBE',
    takesInstallments: false,
    passesFees: false,
    takesMandates: false,
    contestedBy: null,
  },
  CARD: {
    decidedBy: 'ISSUER',
    minCents: 1,
    namesPayer: false,
    hasCode: false,
    keepsInstrument: true,
    hasDueDate: false,
    hasSlip: false,
    lateAmountBy: null,
    takesInstallments: true,
    passesFees: true,
    takesMandates: false,
    contestedBy: 'CHARGEBACK',
  },
  FREE: {
    decidedBy: 'NOBODY',
    minCents: 0,
    namesPayer: false,
    hasCode: false,
    keepsInstrument: false,
    hasDueDate: false,
    hasSlip: false,
    lateAmountBy: null,
    takesInstallments: false,
    passesFees: false,
    takesMandates: false,
    contestedBy: null,
  },
};

/**
 * The methods with a trait, as a list for SQL: `'CARD', 'FREE'`. Literals and not a parameter, as predicates of partial
 * indexes name methods. Postgres reads a list of one method as an equality.
 */
function sqlListOf(has: (traits: MethodTraits) => boolean): string {
  const names = Object.entries(METHOD_TRAITS).filter(([, traits]) => has(traits));
  return names.map(([name]) => `'${name}'`).join(', ');
}

/** The methods that are decided at once, as a list for SQL. */
export const SQL_DECIDED_AT_ONCE = sqlListOf(({ decidedBy }) => decidedBy !== 'PAYER');

/** The methods that an issuer decides, as a list for SQL. */
export const SQL_DECIDED_BY_ISSUER = sqlListOf(({ decidedBy }) => decidedBy === 'ISSUER');

/** The methods of payments of nothing, as a list for SQL. */
export const SQL_DECIDED_BY_NOBODY = sqlListOf(({ decidedBy }) => decidedBy === 'NOBODY');

/** The methods that pay something, as a list for SQL. */
export const SQL_PAYING = sqlListOf(({ decidedBy }) => decidedBy !== 'NOBODY');

/** The methods whose payment instrument is stored, as a list for SQL. */
export const SQL_KEEPING_INSTRUMENT = sqlListOf(({ keepsInstrument }) => keepsInstrument);

/** The methods that are paid with a code, as a list for SQL. */
export const SQL_WITH_CODE = sqlListOf(({ hasCode }) => hasCode);

/** The methods whose code is paid within seconds, as a list for SQL. */
export const SQL_WITH_INSTANT_CODE = sqlListOf(({ hasCode, hasDueDate }) => hasCode && !hasDueDate);

/** The methods whose code always has a due date, as a list for SQL. */
export const SQL_WITH_DUE_DATE = sqlListOf(({ hasDueDate }) => hasDueDate);
