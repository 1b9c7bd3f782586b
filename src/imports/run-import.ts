import { type ImportedRow, ImportedRowEntity } from '../database/entities/imported-row.ts';
import { insertNew } from '../database/insert-new.ts';
import type { Database, Em } from '../database/orm.ts';
import { storeTimeOf } from '../database/store-clock.ts';
import { isUniqueViolation } from '../database/unique-violation.ts';
import type { ImportKind } from '../domain/imports.ts';
import { importKeyOf } from './import-ids.ts';
import { type ImportJob, type Planned, Refused } from './job.ts';
import { prepareCoupon } from './prepare-coupon.ts';
import { prepareCustomer } from './prepare-customer.ts';
import { preparePayment } from './prepare-payment.ts';
import { prepareProduct } from './prepare-product.ts';
import { prepareSubscription } from './prepare-subscription.ts';
import { type Problem, type RowOf, readRow } from './rows.ts';
import type { Source, SourcedRow } from './source.ts';

/** What became of a row. */
export type RowResult =
  /** Made, or found in the store; in a dry run, what would be. */
  | { readonly outcome: 'MADE' | 'FOUND'; readonly rowId: string; readonly note: string | null }
  /** An earlier run has imported it. */
  | { readonly outcome: 'UNCHANGED'; readonly rowId: string }
  | { readonly outcome: 'SKIPPED'; readonly reason: string }
  | { readonly outcome: 'REFUSED'; readonly problems: readonly Problem[] };

export interface ImportRun {
  readonly database: Database;
  readonly job: ImportJob;
  readonly source: Source;
  /** Writes nothing. */
  readonly isDry: boolean;
  /** Called after each row, in their order. */
  readonly onRow: (row: SourcedRow, result: RowResult) => void;
  /** Stops before the next row. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Imports the rows of another system, one transaction each. It can be stopped or killed at any point and run again: rows that
 * were imported stay as they are, and the others follow.
 * @throws SourceError if the other system cannot be read any further.
 */
export async function runImport({ database, job, source, isDry, onRow, signal }: ImportRun): Promise<void> {
  const seen = new Map<string, string>();
  for await (const row of source.rows()) {
    signal?.throwIfAborted();
    const key = importKeyOf(job, row.kind, row.id);
    const earlier = seen.get(key);
    seen.set(key, row.place);
    // A page of another system may repeat a row of the one before; two lines of a file are two rows.
    const result =
      earlier !== undefined && earlier !== row.place && row.id !== ''
        ? refused({ field: 'id', problem: `is taken: it is also in ${earlier}` })
        : await importRow(database, job, row, isDry);
    onRow(row, named(source, row.kind, result));
  }
}

/** The fields as the other system calls them. */
function named(source: Source, kind: ImportKind, result: RowResult): RowResult {
  if (result.outcome !== 'REFUSED') return result;
  const nameOf = (field: string) => source.nameOf?.(kind, field) ?? field;
  return refused(...result.problems.map(({ field, problem }) => ({ field: nameOf(field), problem })));
}

function refused(...problems: readonly Problem[]): RowResult {
  return { outcome: 'REFUSED', problems };
}

type Planner<Kind extends ImportKind> = (
  em: Em,
  job: ImportJob,
  foreignId: string,
  row: RowOf[Kind],
  now: Date,
) => Promise<Planned>;

const PLANNERS: { readonly [Kind in ImportKind]: Planner<Kind> } = {
  customer: prepareCustomer,
  product: prepareProduct,
  coupon: prepareCoupon,
  subscription: prepareSubscription,
  payment: preparePayment,
};

async function importRow(
  database: Database,
  job: ImportJob,
  { kind, id, fields, problems = [], skipped, note }: SourcedRow,
  isDry: boolean,
): Promise<RowResult> {
  if (id === '') return refused({ field: 'id', problem: 'is required' }, ...problems);
  if (skipped !== undefined) return { outcome: 'SKIPPED', reason: skipped };
  const rowId = await job.references.rowIdOf(kind, id);
  if (rowId !== null) return { outcome: 'UNCHANGED', rowId };
  const read = readRow(kind, id, fields, problems);
  if (read.problems !== null) return refused(...read.problems);
  // Another process may insert the same row, or one with the same tax id, external id or code: it is planned again then.
  for (let tries = 1; ; tries += 1) {
    try {
      const made = await importOnce(database, job, { kind, id, row: read.row }, isDry);
      return made.outcome === 'UNCHANGED' ? made : { ...made, note: made.note ?? note ?? null };
    } catch (error) {
      if (error instanceof Refused) return refused(...error.problems);
      if (!isUniqueViolation(error) || tries === MOST_TRIES) throw error;
      const meanwhile = await job.references.rowIdOf(kind, id);
      if (meanwhile !== null) return { outcome: 'UNCHANGED', rowId: meanwhile };
    }
  }
}

const MOST_TRIES = 5;

interface RightRow<Kind extends ImportKind> {
  readonly kind: Kind;
  readonly id: string;
  readonly row: RowOf[Kind];
}

type Made = Extract<RowResult, { readonly outcome: 'MADE' | 'FOUND' | 'UNCHANGED' }>;

async function importOnce<Kind extends ImportKind>(
  database: Database,
  job: ImportJob,
  { kind, id, row }: RightRow<Kind>,
  isDry: boolean,
): Promise<Made> {
  const now = await storeTimeOf(database, job, new Date());
  const plan: Planner<Kind> = PLANNERS[kind];
  const planned = await plan(database.em.fork(), job, id, row, now);
  const { note } = planned;
  if (isDry) {
    job.references.plan(kind, id, planned.value, planned.uniqueBy);
    return { outcome: planned.outcome, rowId: planned.rowId, note };
  }
  return database.em
    .fork()
    .transactional(async (tx) => {
      const { rowId, outcome } = (await planned.write(tx)) ?? planned;
      const { storeId, devMode } = job;
      const key = importKeyOf(job, kind, id);
      const line: ImportedRow = { storeId, devMode, key, kind, rowId, outcome, importedAt: now };
      if (!(await insertNew(tx, ImportedRowEntity, line))) throw new AnotherRun();
      return { outcome, rowId, note };
    })
    .catch(async (error: unknown): Promise<Made> => {
      if (!(error instanceof AnotherRun)) throw error;
      const rowId = await job.references.rowIdOf(kind, id);
      if (rowId === null) throw error;
      return { outcome: 'UNCHANGED', rowId };
    });
}

/** Another run has imported the row meanwhile: what this one has written is rolled back. */
class AnotherRun extends Error {}
