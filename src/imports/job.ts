import type { Em } from '../database/orm.ts';
import type { CardToken } from '../domain/card.ts';
import type { ImportInto } from './import-ids.ts';
import type { References } from './references.ts';
import type { Problem } from './rows.ts';

/** The card of a subscription: to be charged, to be asked for, or not known to the provider. */
export type FoundCard =
  | { readonly card: CardToken }
  | { readonly card: null; readonly problem: string | null };

/** What planning a row depends on. */
export interface ImportJob extends ImportInto {
  readonly references: References;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Looks a card of the other system up in the token map and at the provider. */
  readonly findCard: (foreignCardId: string | null) => Promise<FoundCard>;
  /** Why the store cannot charge by a method; null if it can. */
  readonly methodProblem: (method: 'PIX' | 'CARD') => Promise<string | null>;
}

/** A row that can be imported. */
export interface Planned extends Written {
  /** What a person should do about it; null for nothing. */
  readonly note: string | null;
  /** What no other row of the store may have, such as a tax id; null for nothing. */
  readonly uniqueBy: string | null;
  /** What rows that refer to it need of it. */
  readonly value: unknown;
  /** Writes it in the caller's transaction. @returns what became of it after all; null for what was planned. */
  readonly write: (tx: Em) => Promise<Written | null>;
}

/** What becomes of a row. */
export interface Written {
  /** The id that it has here. */
  readonly rowId: string;
  /** FOUND if the store had it already. */
  readonly outcome: 'MADE' | 'FOUND';
}

/** A row that the store has already in these terms: nothing is written. */
export function foundInStore(existing: { readonly id: string }): Planned {
  return {
    rowId: existing.id,
    outcome: 'FOUND',
    note: null,
    uniqueBy: null,
    value: existing,
    write: async () => null,
  };
}

/** What is wrong with a row beside the form of its fields. */
export class Refused extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('the row is refused');
    this.name = 'Refused';
    this.problems = problems;
  }
}

/** Rejects a row for one field. */
export function refuse(field: string, problem: string): never {
  throw new Refused([{ field, problem }]);
}
