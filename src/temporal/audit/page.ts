import type { AuditKind } from '../../domain/audit.ts';
import type { StoreId } from '../../domain/ids.ts';

/** Something that is open, whose workflow should move it on. */
export interface OpenItem {
  readonly kind: AuditKind;
  /** Of the row that its workflow is of; of a settlement, the workflow's id. */
  readonly id: string;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  /** When something becomes of it, or should have; null for a payment link, which waits for ever. */
  readonly dueAt: Date | null;
}

/** Where a page ended. Instants are Postgres's own text: a Date would cut their last three digits. */
export interface Cursor {
  readonly at: string;
  readonly id: string;
}

export interface Page {
  readonly items: readonly OpenItem[];
  /** Null on the last page. */
  readonly next: Cursor | null;
}

/** What is looked for. */
export interface Sought {
  /** Due by then, and not moved on; null for all that is open. */
  readonly before: Date | null;
  /** Leaves out rows whose workflow is known to have been started since; null for none. */
  readonly startedBefore: Date | null;
}

/** Rows that one query looks at. */
export const PAGE_SIZE = 200;
