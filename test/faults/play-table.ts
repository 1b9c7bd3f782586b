import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { differences } from './books.ts';
import { Stage } from './fault-fixture.ts';
import { playsOf } from './plays.ts';
import { calmDown, play } from './scenario.ts';
import { allRows, type Row, WORKER_STATES, type WorkerState } from './table.ts';

/** Defines the tests of all rows that are played in this worker state. */
export function playTable(workerState: WorkerState): void {
  let stage: Stage;
  let playedMs = 0;
  let played = 0;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    const seconds = (playedMs / 1_000).toFixed(1);
    process.stderr.write(
      `${played} pairs of operation and fault, with ${WORKER_STATES[workerState]}: ${seconds} s\n`,
    );
  });

  const playRow = async ({ rules, operation, steps }: Row) => {
    const startedMs = performance.now();
    const fixture = await stage.fixture(workerState);
    try {
      for (const rule of rules) fixture.psp.faults.order(rule);
      await play(fixture, workerState, steps);
      const { happened } = fixture.psp.faults.report();
      await calmDown(fixture);
      const hasHappened = `${rules[0].fault.kind} ${operation}` in happened;
      return { hasHappened, found: await differences(fixture) };
    } finally {
      await fixture.close();
      playedMs += performance.now() - startedMs;
      played += 1;
    }
  };

  describe(`with ${WORKER_STATES[workerState]}`, () => {
    for (const { row } of playsOf(allRows()).filter((play) => play.workerState === workerState))
      it(`keeps the books equal after ${row.title}`, async () => {
        expect(await playRow(row)).toEqual({ hasHappened: true, found: [] });
      });
  });
}
