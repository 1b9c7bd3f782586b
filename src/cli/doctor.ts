import type { AuditKind, ResumeOutcome } from '../domain/audit.ts';
import { byKind, overduePages } from '../recovery/audit.ts';
import { openAfterRuns } from '../recovery/closed-runs.ts';
import type { OpenItem } from '../recovery/page.ts';
import { resume, workflowStateOf } from '../recovery/resume.ts';
import { isTemporalAway } from '../temporal/away.ts';
import type { WorkflowService } from './context.ts';

/** How many of each kind are listed, the oldest first; all are counted. */
const LISTED = 20;

/** How far back to look for workflows that were terminated by hand. */
const LOOK_BACK_MS = 3 * 24 * 60 * 60_000;

/** The timeout of requests to Temporal. */
const TIMEOUT_MS = 10_000;

/** The timeout for listing all runs that were terminated by hand. */
const LIST_TIMEOUT_MS = 60_000;

/** An overdue object, or one whose workflow was terminated by hand. */
export interface Finding extends OpenItem {
  /** The workflow's status before anything was resumed: RUNNING, how it ended, or NONE; null if unknown. */
  readonly workflow: string | null;
  /** Null if nothing was resumed. */
  readonly outcome: ResumeOutcome | null;
}

export interface Diagnosis {
  readonly counts: Partial<Record<AuditKind, number>>;
  readonly findings: readonly Finding[];
  readonly failed: number;
  readonly isTemporalAway: boolean;
}

/** Finds what the auditor would find. @param fix also resumes it; otherwise nothing is changed. */
export async function diagnose(service: WorkflowService, now: Date, fix: boolean): Promise<Diagnosis> {
  const diagnosis = new Findings(service, now, fix);
  for (const [kind, pages] of overduePages(service, now)) {
    for await (const items of pages) await diagnosis.add(kind, items);
  }
  await diagnosis.addEndedByHand();
  return diagnosis;
}

class Findings implements Diagnosis {
  readonly counts: Partial<Record<AuditKind, number>> = {};
  readonly findings: Finding[] = [];
  failed = 0;
  isTemporalAway: boolean = false;
  readonly #service: WorkflowService;
  readonly #now: Date;
  readonly #fix: boolean;
  readonly #seen = new Set<string>();

  constructor(service: WorkflowService, now: Date, fix: boolean) {
    this.#service = service;
    this.#now = now;
    this.#fix = fix;
  }

  async add(kind: AuditKind, items: readonly OpenItem[]): Promise<void> {
    const count = this.counts[kind] ?? 0;
    const listed = items.slice(0, Math.max(0, LISTED - count));
    const states = new Map(
      await Promise.all(listed.map(async (item) => [item.id, await this.#stateOf(item)] as const)),
    );
    const outcomes = await this.#resume(kind, items);
    this.counts[kind] = count + items.length;
    for (const item of items) this.#seen.add(`${kind}/${item.id}`);
    for (const item of listed) {
      const workflow = states.get(item.id) ?? null;
      this.findings.push({ ...item, workflow, outcome: outcomes.get(item.id) ?? null });
    }
  }

  /** Adds objects that are not overdue yet but have no workflow any more. */
  async addEndedByHand(): Promise<void> {
    const { database, closedRuns, client } = this.#service;
    const since = new Date(this.#now.getTime() - LOOK_BACK_MS);
    try {
      await client.withDeadline(Date.now() + LIST_TIMEOUT_MS, async () => {
        for await (const open of openAfterRuns(database, closedRuns(since)))
          await this.#addUnlessRunning(open);
      });
    } catch (error) {
      if (!isTemporalAway(error)) throw error;
      this.isTemporalAway = true;
    }
  }

  async #addUnlessRunning(open: readonly OpenItem[]): Promise<void> {
    for (const [kind, items] of byKind(open.filter(({ kind, id }) => !this.#seen.has(`${kind}/${id}`)))) {
      const running = await Promise.all(items.map(async (item) => (await this.#stateOf(item)) === 'RUNNING'));
      const ended = items.filter((_, index) => !running[index]);
      if (ended.length > 0) await this.add(kind, ended);
    }
  }

  async #resume(kind: AuditKind, items: readonly OpenItem[]): Promise<Map<string, ResumeOutcome>> {
    if (!this.#fix) return new Map();
    const resumed = await resume(this.#service, kind, items, this.#now);
    this.failed += resumed.filter(({ outcome }) => outcome === 'FAILED').length;
    return new Map(resumed.map(({ id, outcome }) => [id, outcome]));
  }

  async #stateOf(item: OpenItem): Promise<string | null> {
    if (this.isTemporalAway) return null;
    const { client } = this.#service;
    try {
      return await client.withDeadline(Date.now() + TIMEOUT_MS, () => workflowStateOf(client, item));
    } catch (error) {
      if (!isTemporalAway(error)) throw error;
      this.isTemporalAway = true;
      return null;
    }
  }
}
