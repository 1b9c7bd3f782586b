import { keepAllOrders } from '../charges/charge-orders.ts';
import type { AuditKind } from '../domain/audit.ts';
import { MARK_STARTED } from '../temporal/mark-started.ts';
import { openPages } from './find-open.ts';
import { obligationOf, REBUILT } from './obligations.ts';
import { type ResumeDeps, type Resumed, resume } from './resume.ts';

/** Temporal gains nothing from more (docs/performance.md). */
const RESUMED_AT_ONCE = 16;

export interface RebuiltPage {
  readonly kind: AuditKind;
  readonly resumed: readonly Resumed[];
}

interface RebuildInput {
  readonly now: Date;
  /** Excludes rows whose workflow is known to have been started since; null for none. */
  readonly startedBefore: Date | null;
}

/**
 * Rebuilds the workflows of everything that is open from Postgres, page by page. Running workflows stay as they
 * are, so it may run twice, and while workers are up. Each page is marked as started: an interrupted rebuild
 * continues if `startedBefore` is the time at which it began.
 * @throws if nothing of a page could be started: Temporal is unavailable.
 */
export async function* rebuild(
  deps: ResumeDeps,
  { now, startedBefore }: RebuildInput,
): AsyncGenerator<RebuiltPage> {
  // Postgres may have been restored too: payers may hold codes of charges that are no longer stored.
  await keepAllOrders(deps.database, { now });
  for (const kind of REBUILT) {
    const { workflow } = obligationOf(kind);
    const table = workflow?.table ?? null;
    const sought = { before: null, startedBefore: table && startedBefore };
    for await (const items of openPages(deps.database.em, kind, sought)) {
      const resumed = await resume(deps, kind, items, now, RESUMED_AT_ONCE);
      const started = resumed.filter(({ outcome }) => outcome !== 'FAILED').map(({ id }) => id);
      if (started.length === 0 && workflow !== undefined)
        throw new Error('nothing could be started: is Temporal there?');
      if (table !== null) await MARK_STARTED[table](deps.database, { ids: started, now, isRestart: true });
      yield { kind, resumed };
    }
  }
}
