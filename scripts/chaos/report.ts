/** The result of a run. */
export interface Report {
  readonly seed: number;
  readonly durationMs: number;
  readonly scenarios: ReadonlyMap<string, number>;
  /** The requests of clients, and how often they were repeated. */
  readonly operations: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, number>;
  /** The provider of real money. */
  readonly provider: string;
  /** The faults inside the provider since its last start. */
  readonly providerFaults: ReadonlyMap<string, number>;
  readonly rows: ReadonlyMap<string, number>;
  /** The counts of the provider in a box, by its own state. */
  readonly atProvider: ReadonlyMap<string, number>;
  /** Webhooks that all endpoints received. */
  readonly webhooks: number;
  readonly workflows: {
    readonly count: number;
    readonly mostEvents: number;
    /** Runs of charges and checkouts that continue although their rows have ended. */
    readonly outliving: number;
    /** Runs that were restarted because they were stuck, or their workers were killed again and again. */
    readonly restarted: number;
  };
  /** Processes that ended without being stopped. */
  readonly endedByThemselves: number;
  /** Work that only the auditor has resumed. */
  readonly startedByAuditor: readonly string[];
  /** From the end of the faults to the end of all work. */
  readonly settledAfterMs: number;
  /** The last work that was still open. */
  readonly lastToEnd: readonly string[];
  /** All differences, with ids. */
  readonly differences: readonly string[];
}

/** The most differences that are listed. */
const LISTED = 60;

/** The report as people read it. @param folder where data and logs are kept where something differs. */
export function reportText(report: Report, folder: string): string {
  const { seed, durationMs, differences, settledAfterMs, workflows, endedByThemselves, webhooks } = report;
  const { startedByAuditor, lastToEnd, provider } = report;
  const minutes = durationMs / 60_000;
  const faults = sumOf(report.faults);
  const verdict =
    differences.length === 0
      ? '0 lost, 0 doubled'
      : [
          `${differences.length} differences:`,
          ...differences.slice(0, LISTED).map((each) => `  ${each}`),
          `Data and logs are kept in ${folder}`,
          `Again: npm run chaos -- --provider ${provider} --minutes ${minutes} --seed ${seed}`,
        ].join('\n');
  return [
    `Seed ${seed}, ${minutes} minutes, provider ${provider}`,
    section(`${sumOf(report.scenarios)} scenarios`, report.scenarios),
    section('Asked by clients', report.operations),
    section(`${faults} faults`, report.faults),
    section(
      `${sumOf(report.providerFaults)} faults inside the provider since its last start`,
      report.providerFaults,
    ),
    section('Rows', report.rows),
    section('At the provider', report.atProvider),
    `${webhooks} webhooks received; ${workflows.count} workflows, the longest of ${workflows.mostEvents} events, ` +
      `${workflows.outliving} that outlive their row, ${workflows.restarted} restarted; ${endedByThemselves} processes ended by themselves`,
    `${startedByAuditor.length} things were started again by the auditor${listed(startedByAuditor)}`,
    `All had ended ${(settledAfterMs / 1_000).toFixed(1)} s after the faults stopped, the last of them:${listed(lastToEnd)}`,
    verdict,
  ].join('\n\n');
}

function listed(lines: readonly string[]): string {
  return lines
    .slice(0, LISTED)
    .map((line) => `\n         ${line}`)
    .join('');
}

function section(title: string, counts: ReadonlyMap<string, number>): string {
  const lines = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  return [title, ...lines.map(([what, count]) => `${String(count).padStart(7)}  ${what}`)].join('\n');
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
