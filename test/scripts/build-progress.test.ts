import { describe, expect, it } from '@jest/globals';
import { BuildProgress } from '../../scripts/embedded/build-progress.mjs';

function progress() {
  const lines: string[] = [];
  const build = new BuildProgress((line) => lines.push(line));
  const percents = () => lines.map((line) => Number(/(\d+) %$/.exec(line)?.[1]));
  return { build, percents };
}

describe('the progress of building the Temporal server', () => {
  it('counts modules, then packages, and never shows 100 % before the end', () => {
    const { build, percents } = progress();
    for (let module = 1; module <= 200; module += 1)
      build.read(`# get https://registry.example/m${module}/@v/v1.0.0.zip: 200 OK (0.1s)\n`);
    expect(percents().at(-1)).toBe(10);
    build.startsCompiling();
    for (let count = 1; count <= 440; count += 1) build.read('net/http\n');
    expect(percents().at(-1)).toBe(54);
    for (let count = 1; count <= 600; count += 1) build.read('go.temporal.io/server/common/log\n');
    expect(percents().at(-1)).toBe(99);
    expect(percents()).toEqual([...new Set(percents())].sort((one, other) => one - other));
  });

  it('ignores other lines, and joins lines that arrive in parts', () => {
    const { build, percents } = progress();
    build.startsCompiling();
    build.read('# an error of some package\n./main.go:3:5: undefined: x\n'.repeat(100));
    expect(percents()).toEqual([10]);
    for (let count = 1; count <= 10; count += 1) {
      build.read('go.temporal.io/ser');
      build.read('ver/common\n');
    }
    expect(percents()).toEqual([10, 11]);
  });
});
