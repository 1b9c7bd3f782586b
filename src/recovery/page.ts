import type { AuditKind } from '../domain/audit.ts';
import type { StoreId } from '../domain/ids.ts';

/** An open item that its workflow should advance. */
export interface OpenItem {
  readonly kind: AuditKind;
  /** The id of the workflow's row; for a settlement, the workflow's id. */
  readonly id: string;
  readonly storeId: StoreId;
  readonly devMode: boolean;
  /** When it is or was due; null for a payment link, which waits for ever. */
  readonly dueAt: Date | null;
}

/** Where a page ended. Instants are Postgres's own text: a Date would lose their last three digits. */
export interface Cursor {
  readonly at: string;
  readonly id: string;
}

export interface Page {
  readonly items: readonly OpenItem[];
  /** Null on the last page. */
  readonly next: Cursor | null;
}

/** The filter of a page. */
export interface Sought {
  /** Only items due by then; null for all open ones. */
  readonly before: Date | null;
  /** Excludes rows whose workflow is known to have been started since; null for none. */
  readonly startedBefore: Date | null;
}

/** Rows per query. */
export const PAGE_SIZE = 200;
