import { keepAllOrders } from '../../database/charge-orders.ts';
import type { AuditKind } from '../../domain/audit.ts';
import { MARK_STARTED } from '../mark-started.ts';
import { openPages } from './find-open.ts';
import { type ResumeDeps, type Resumed, resume, TABLE_OF_KIND } from './resume.ts';

/**
 * Everything that has a workflow while it is open. What goes back to payers comes last, since a worker has to answer
 * for each; all others are only started.
 */
const REBUILT = [
  'payout',
  'settlement',
  'charge',
  'checkout',
  'subscription',
  'delivery',
  'resend',
  'refund',
  'return',
] as const;

/** Temporal gains nothing from more (docs/performance.md). */
const AT_ONCE = 16;

export interface RebuiltPage {
  readonly kind: AuditKind;
  readonly resumed: readonly Resumed[];
}

interface RebuildInput {
  readonly now: Date;
  /** Leaves out what is known to have been started since; null for nothing. */
  readonly startedBefore: Date | null;
}

/**
 * Makes the workflows of everything that is open anew, from Postgres, page by page. What runs stays as it is,
 * so that it may run twice, and beside workers. Each page is marked as started, so that one that was
 * interrupted goes on where it was, with the time of its beginning as `startedBefore`.
 * @throws where nothing of a page could be started: Temporal is out of reach.
 */
export async function* rebuild(
  deps: ResumeDeps,
  { now, startedBefore }: RebuildInput,
): AsyncGenerator<RebuiltPage> {
  // Who rebuilds may have restored Postgres, too: payers may hold codes of charges that it does not have any more.
  await keepAllOrders(deps.database, { now });
  for (const kind of REBUILT) {
    const isAnswered = kind === 'refund' || kind === 'return';
    const table = isAnswered || kind === 'settlement' ? null : TABLE_OF_KIND[kind];
    const sought = { before: null, startedBefore: table && startedBefore };
    for await (const items of openPages(deps.database.em, kind, sought)) {
      const resumed = await resume(deps, kind, items, now, AT_ONCE);
      const started = resumed.filter(({ outcome }) => outcome !== 'FAILED').map(({ id }) => id);
      if (started.length === 0 && !isAnswered)
        throw new Error('nothing could be started: is Temporal there?');
      if (table !== null) await MARK_STARTED[table](deps.database, { ids: started, now, isRestart: true });
      yield { kind, resumed };
    }
  }
}
