import type { ImportKind } from '../domain/imports.ts';
import type { Problem } from './rows.ts';

/** A row of another system. */
export interface SourcedRow {
  readonly kind: ImportKind;
  /** Where it is, for people: `customers.csv, line 3`, or `customers`. */
  readonly place: string;
  /** Its id there; empty if it has none. */
  readonly id: string;
  /** In the form of `rows.ts`, not yet checked. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** What could not be read. Absent if everything could. */
  readonly problems?: readonly Problem[];
  /** Why it is right to leave it out, such as a subscription that has ended. Absent if it is imported. */
  readonly skipped?: string;
  /** What a person should know about it, although it can be imported. */
  readonly note?: string;
}

/** Another system. */
export interface Source {
  /** A part of what identifies its rows: it must never change. */
  readonly name: string;
  /**
   * Everything there is, read as it is needed: rows before those that refer to them.
   * @throws SourceError if the other system cannot be read any further.
   */
  rows(): AsyncIterable<SourcedRow>;
  /** What the other system calls a field of {@link SourcedRow.fields}. Absent if it has the same names. */
  nameOf?(kind: ImportKind, field: string): string;
}

/** The other system could not be read: nothing is wrong with what was imported so far. */
export class SourceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
  }
}
