import { noteEndingCertificates } from '../accounts/ending-certificates.ts';
import { recordAbandonedLines } from '../audit-log/expected-line.ts';
import { noteBrokenAudit } from '../audit-log/note-broken-audit.ts';
import {
  AUDIT_KINDS,
  type AuditCount,
  type AuditInput,
  type AuditKind,
  type AuditReport,
} from '../domain/audit.ts';
import { closeInvoicesLeftOpen } from '../invoices/close-left-open.ts';
import { type ClosedRun, openAfterRuns } from './closed-runs.ts';
import { noteExpiringKeys } from './expiring-keys.ts';
import { openPages } from './find-open.ts';
import { OverdueNotes } from './overdue-notes.ts';
import { overdueBefore } from './overdue-rows.ts';
import type { OpenItem } from './page.ts';
import { type ResumeDeps, type Resumed, resume } from './resume.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Temporal lists a closed run only some time after it has closed. */
const OVERLAP_MS = 15 * MINUTE_MS;

/** How far the first audit looks back. */
const FIRST_LOOK_BACK_MS = 3 * DAY_MS;

/** If audits are further apart, nothing was watched in between. */
const LONGEST_GAP_MS = 30 * MINUTE_MS;

/** The most ids of each kind in a report. */
const NAMED_IDS = 10;

export interface AuditDeps extends ResumeDeps {
  /** Runs that ended since then other than by their own code. */
  readonly closedRuns: (since: Date) => AsyncIterable<ClosedRun>;
}

/**
 * Finds every overdue row, and every run that was ended from outside while its row is open, and resumes each. A row
 * that stays overdue is noted for a person. Any number of audits may run at once. An audit that stops early is
 * repeated from the beginning: what it has resumed is running, or no longer overdue.
 *
 * @param isOver called between two pages; ends the audit early.
 */
export async function audit(
  deps: AuditDeps,
  { nowMs, last }: AuditInput,
  isOver: () => void = () => {},
): Promise<AuditReport> {
  const now = new Date(nowMs);
  const isWatched = last !== null && nowMs - last.atMs < LONGEST_GAP_MS;
  const watchedSinceMs = isWatched ? last.watchedSinceMs : nowMs;
  const notes = new OverdueNotes(deps.database, deps.log, now, new Date(watchedSinceMs));
  const tally = new Tally();
  for (const [kind, page] of overduePages(deps, now)) {
    for await (const items of page) {
      isOver();
      tally.add(kind, await resume(deps, kind, items, now));
      await notes.take(items);
    }
  }
  const since = new Date((last?.atMs ?? nowMs - FIRST_LOOK_BACK_MS) - OVERLAP_MS);
  for await (const items of openAfterRuns(deps.database, deps.closedRuns(since))) {
    isOver();
    for (const [kind, some] of byKind(items.filter((item) => !tally.has(item)))) {
      const resumed = await resume(deps, kind, some, now);
      // An audit, or the person who ended the run, has started an open run again since.
      tally.add(
        kind,
        resumed.filter(({ outcome }) => outcome !== 'RUNNING'),
      );
    }
  }
  await closeInvoicesLeftOpen(deps.database, now, deps.log);
  await noteEndingCertificates(deps.database, now, deps.log);
  await noteExpiringKeys(deps.database, now, deps.log);
  await recordAbandonedLines(deps.database, now);
  await noteBrokenAudit(deps.database.em.fork(), now, { log: deps.log });
  await notes.resolveOthers();
  return { atMs: nowMs, watchedSinceMs, counts: tally.counts(), noted: notes.noted };
}

/** Overdue rows, kind by kind, read page by page. */
export function* overduePages(
  { database }: Pick<ResumeDeps, 'database'>,
  now: Date,
): Generator<[AuditKind, AsyncGenerator<OpenItem[]>]> {
  for (const kind of Object.keys(AUDIT_KINDS) as AuditKind[]) {
    const sought = { before: overdueBefore(kind, now), startedBefore: null };
    yield [kind, openPages(database.em, kind, sought)];
  }
}

export function byKind(items: readonly OpenItem[]): Map<AuditKind, OpenItem[]> {
  return Map.groupBy(items, ({ kind }) => kind);
}

/** Counts resumed rows by outcome. */
class Tally {
  readonly #counts = new Map<AuditKind, { -readonly [Name in keyof AuditCount]: AuditCount[Name] }>();
  readonly #seen = new Set<string>();

  add(kind: AuditKind, resumed: readonly Resumed[]): void {
    const count = this.#counts.get(kind) ?? { found: 0, started: 0, running: 0, failed: 0, ids: [] };
    for (const { id, outcome } of resumed) {
      this.#seen.add(`${kind}/${id}`);
      count.found += 1;
      if (outcome === 'STARTED') count.started += 1;
      if (outcome === 'RUNNING') count.running += 1;
      if (outcome === 'FAILED') count.failed += 1;
      if (count.ids.length < NAMED_IDS) count.ids = [...count.ids, id];
    }
    if (resumed.length > 0) this.#counts.set(kind, count);
  }

  has({ kind, id }: OpenItem): boolean {
    return this.#seen.has(`${kind}/${id}`);
  }

  counts(): AuditReport['counts'] {
    return Object.fromEntries(this.#counts);
  }
}
