import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LossOptions, type LossRun, runLoss } from './loss.ts';

/** The outcome of things that were open when Temporal lost its data, compared with a run that kept the data. */
export interface LossReport {
  readonly count: number;
  readonly kept: LossRun;
  readonly lost: LossRun;
  readonly differences: readonly string[];
}

/** Runs the scenario with and without the loss, one after the other, and compares. */
export async function loseTemporal({ folder, log, ...options }: LossOptions): Promise<LossReport> {
  const run = async (name: 'kept' | 'lost') => {
    const its = join(folder, name);
    mkdirSync(its);
    log(`Temporal's data is ${name}`);
    return runLoss({ ...options, folder: its, log }, name === 'lost');
  };
  const kept = await run('kept');
  const lost = await run('lost');
  const differences = [
    ...kept.wrong.map((each) => `where nothing was lost: ${each}`),
    ...lost.wrong.map((each) => `rebuilt: ${each}`),
    ...unlike('ended so', kept.outcomes, lost.outcomes),
    ...unlike('in all', kept.totals, lost.totals),
    ...(kept.taken === lost.taken
      ? []
      : [`${kept.taken} webhooks were taken, and ${lost.taken} where it was rebuilt`]),
  ];
  return { count: options.count, kept, lost, differences };
}

function unlike<Value>(
  what: string,
  kept: ReadonlyMap<string, Value>,
  lost: ReadonlyMap<string, Value>,
): string[] {
  return [...new Set([...kept.keys(), ...lost.keys()])]
    .filter((name) => kept.get(name) !== lost.get(name))
    .map((name) => `${what}: ${kept.get(name) ?? 0}, and rebuilt ${lost.get(name) ?? 0}: ${name}`);
}

/** The report as people read it. @param folder where data and logs are kept where something differs. */
export function lossReportText({ count, kept, lost, differences }: LossReport, folder: string): string {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const open = [...lost.open].map(([kind, number]) => `${number} ${kind}`).join(', ');
  const auditor = (run: LossRun) => run.startedByAuditor.length;
  return [
    `${count} things were open in ${[...lost.outcomes].length} ways, and more were asked for as all went down`,
    `Rows that were open when Temporal's data was lost: ${open}`,
    `Rebuilt in ${seconds(lost.rebuiltMs ?? 0)} s. All had ended ${seconds(lost.settledMs)} s after all was up again, ` +
      `and ${seconds(kept.settledMs)} s where nothing was lost`,
    `Things that the auditor started again: ${auditor(lost)}, and ${auditor(kept)} where nothing was lost`,
    `${lost.taken} webhooks were taken`,
    differences.length === 0
      ? '0 differences'
      : [`${differences.length} differences:`, ...differences, `Data and logs are kept in ${folder}`].join(
          '\n  ',
        ),
  ].join('\n');
}
