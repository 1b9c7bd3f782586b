import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { parse as parseYaml } from 'yaml';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The npm scripts that a text runs, without their arguments. */
const scriptsIn = (text: string, pattern: RegExp) =>
  new Set(Array.from(text.matchAll(pattern), ([, name]) => name));

it('runs every program of .ci/run on GitHub too', () => {
  const { jobs } = parseYaml(read('.github/workflows/ci.yml'));
  const commands: string[] = [
    ...jobs.check.steps.map(({ run = '' }: { run?: string }) => run),
    ...jobs.test.strategy.matrix.include.map(({ command }: { command: string }) => command),
  ];
  const onGitHub = scriptsIn(commands.join('\n'), /npm run --silent (\S+)/g);
  const local = read('.ci/run');
  const locally = new Set([
    ...scriptsIn(local, /^npm run --silent (\S+)/gm),
    ...scriptsIn(local, /^\s*(?:if .*then )?judge \w+ ([\w:]+)/gm),
  ]);
  expect(locally.size).toBeGreaterThan(5);
  expect([...locally].filter((name) => !onGitHub.has(name))).toEqual([]);
});
