import { IS_THOROUGH } from '../support/jest/thoroughness.ts';
import { type Row, WORKER_STATES, type WorkerState } from './table.ts';

/** A row of the table and the state of the worker while it is played. */
export interface Play {
  readonly row: Row;
  readonly workerState: WorkerState;
}

const STATES = Object.keys(WORKER_STATES) as readonly WorkerState[];

/**
 * Every row in every state before a release. Else a covering array of them: every row once, every operation in every
 * state, and every way of every fault in every state.
 */
export function playsOf(rows: readonly Row[], isThorough: boolean = IS_THOROUGH): readonly Play[] {
  if (isThorough) return rows.flatMap((row) => STATES.map((workerState) => ({ row, workerState })));
  const covered = new Set<string>();
  const plays: Play[] = [];
  const add = (play: Play) => {
    plays.push(play);
    for (const pair of pairsOf(play)) covered.add(pair);
  };
  const gainOf = (play: Play) => pairsOf(play).filter((pair) => !covered.has(pair)).length;
  // The next state wins ties, so that the states share the rows.
  for (const [index, row] of rows.entries()) {
    const choices = STATES.map((_, turn) => ({ row, workerState: stateAt(index + turn) }));
    add(choices.toSorted((one, other) => gainOf(other) - gainOf(one))[0] as Play);
  }
  for (const row of rows)
    for (const workerState of STATES) if (gainOf({ row, workerState }) > 0) add({ row, workerState });
  return plays;
}

/** The pairs that a play covers: its operation and its way of the fault, each with the worker state. */
export function pairsOf({ row: { operation, title }, workerState }: Play): readonly string[] {
  const way = title.slice(operation.length);
  return [`${operation} × ${workerState}`, `${way} × ${workerState}`];
}

function stateAt(index: number): WorkerState {
  return STATES[index % STATES.length] as WorkerState;
}
