/** A number of reais, as Asaas has it. */
export type Reais = number;

/** A line of the statement, in the form of Asaas' OpenAPI document (`FinancialTransaction`). */
export interface BookedLine {
  readonly object: 'financialTransaction';
  readonly id: string;
  readonly type: string;
  /** Negative if the money leaves the account. */
  readonly value: Reais;
  /** After this line. */
  readonly balance: Reais;
  /** Day in São Paulo. */
  readonly date: string;
  readonly description: string;
  readonly paymentId: string | null;
  readonly transferId: string | null;
}

interface Booking {
  readonly type: string;
  readonly value: Reais;
  readonly date: string;
  readonly paymentId?: string;
  readonly transferId?: string;
}

const START_BALANCE = 10_000;

/** The balance of an account, and every movement that changed it, oldest first. */
export class AccountBook {
  readonly lines: BookedLine[] = [];
  balance: Reais = START_BALANCE;

  /** Books a movement. A movement of zero adds no line. */
  add({ type, value, date, paymentId = undefined, transferId = undefined }: Booking): void {
    if (value === 0) return;
    this.balance = rounded(this.balance + value);
    this.lines.push({
      object: 'financialTransaction',
      id: `fit_${String(this.lines.length + 1).padStart(12, '0')}`,
      type,
      value: rounded(value),
      balance: this.balance,
      date,
      description: type,
      paymentId: paymentId ?? null,
      transferId: transferId ?? null,
    });
  }
}

/** To whole cents. */
export function rounded(reais: Reais): Reais {
  return Math.round(reais * 100) / 100;
}
