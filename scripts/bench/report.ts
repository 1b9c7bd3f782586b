import { writeFileSync } from 'node:fs';
import { FIGURE_NAMES, type FigureName, type Figures, factsOf, isMet, targetText } from './figures.ts';
import { median } from './load.ts';
import type { Machine } from './machine.ts';

interface Line {
  readonly name: FigureName;
  /**
   * The median over the rounds. For ratios, the median of each round's own ratio; for figures that no round may exceed, the
   * worst round.
   */
  readonly value: number;
  readonly rounds: readonly number[];
  readonly met: boolean | null;
}

/** The medians of all figures over the rounds. */
export function linesOf(rounds: readonly Figures[]): Line[] {
  return FIGURE_NAMES.flatMap((name) => {
    const values = rounds.map((round) => round[name]).filter((value) => value !== undefined);
    if (values.length === 0) return [];
    const { target } = factsOf(name);
    // No round may exceed a maximum, so the worst round counts.
    const value = target !== undefined && 'atMost' in target ? Math.max(...values) : median(values);
    return [{ name, value, rounds: values, met: target === undefined ? null : isMet(target, value) }];
  });
}

export function reportText(lines: readonly Line[], machine: Machine): string {
  const rows = lines.map(({ name, value, rounds, met }) => {
    const { label, unit, target } = factsOf(name);
    const verdict =
      met === null || target === undefined ? '' : `${targetText(target)}  ${met ? 'reached' : 'MISSED'}`;
    return [label, `${rounded(value)} ${unit}`.trim(), rounds.map(rounded).join('  '), verdict];
  });
  return `${table([['', 'median (≤: worst)', 'rounds', 'target'], ...rows])}\n\n${machineText(machine)}`;
}

/** The report for programs, with all rounds. */
export function writeJson(
  file: string,
  lines: readonly Line[],
  rounds: readonly Figures[],
  machine: Machine,
): void {
  const medians = Object.fromEntries(lines.map(({ name, value }) => [name, value]));
  const targets = lines.flatMap(({ name, met }) => {
    const { target } = factsOf(name);
    return target === undefined ? [] : [{ name, ...target, met }];
  });
  writeFileSync(file, `${JSON.stringify({ machine, medians, targets, rounds }, null, 2)}\n`);
}

function machineText(machine: Machine): string {
  const { processor, memoryGiB, system, node, postgres, temporalServer, temporalSdk, mikroOrm } = machine;
  const facts = [
    `${processor}, ${memoryGiB} GiB, ${system}; ${machine.date}`,
    `Node ${node}, Postgres ${postgres}, Temporal server ${temporalServer}, SDK ${temporalSdk}, MikroORM ${mikroOrm}`,
  ];
  if (machine.loadBefore > 0.5)
    facts.push(`Others used this machine: its load was ${machine.loadBefore.toFixed(1)} before.`);
  if (machine.dataInMemory)
    facts.push('The data lay in memory: set TMPDIR to a folder on a disk for real figures.');
  return facts.join('\n');
}

/** Three significant digits, or all digits before the point. */
function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Formats columns at their widest cell. The second column has numbers and is aligned right. */
function table(rows: readonly string[][]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 1 ? cell.padStart(width(column)) : cell.padEnd(width(column))))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
