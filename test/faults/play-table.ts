import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { differences } from './books.ts';
import { Stage } from './scene.ts';
import { calmDown, play } from './story.ts';
import { allRows, LIVES, type Life, type Row } from './table.ts';

/** Every row of the table in one life of the worker. */
export function playTable(life: Life): void {
  let stage: Stage;
  let playedMs = 0;
  let played = 0;
  beforeAll(async () => {
    stage = await Stage.open();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
    const seconds = (playedMs / 1_000).toFixed(1);
    process.stderr.write(`${played} pairs of operation and fault, with ${LIVES[life]}: ${seconds} s\n`);
  });

  const playRow = async ({ rules, operation, chapters }: Row) => {
    const startedMs = performance.now();
    const scene = await stage.scene(life);
    try {
      for (const rule of rules) scene.psp.faults.order(rule);
      await play(scene, life, chapters);
      const { happened } = scene.psp.faults.report();
      await calmDown(scene);
      const hasHappened = `${rules[0].fault.kind} ${operation}` in happened;
      return { hasHappened, found: await differences(scene) };
    } finally {
      await scene.close();
      playedMs += performance.now() - startedMs;
      played += 1;
    }
  };

  describe(`with ${LIVES[life]}`, () => {
    for (const row of allRows())
      it(`keeps the books equal after ${row.title}`, async () => {
        expect(await playRow(row)).toEqual({ hasHappened: true, found: [] });
      });
  });
}
