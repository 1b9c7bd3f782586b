import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { subjectProblems } from '../../scripts/check-subjects.ts';
import { subjectBreach } from '../../scripts/prose/subjects.ts';

describe('one subject', () => {
  it.each([
    'feat(api): add a filter',
    'fix!: process refunds once',
    'chore: address review',
    'test: pass the clock in',
    'fix(cli,pages): always close the page',
    'fix(feed): feed events in order',
    'docs: name `whoever` as a refused word',
  ])('accepts "%s"', (subject) => {
    expect(subjectBreach(subject)).toBeNull();
  });

  it.each([
    ['Add a filter', 'has no conventional prefix'],
    ['feature: add a filter', 'has no conventional prefix'],
    ['feat(api): added a filter', 'starts with "added"'],
    ['feat(api): adding a filter', 'starts with "adding"'],
    ['feat(api): adds a filter', 'starts with "adds"'],
    ['feat(api): ', 'starts with ""'],
    ['fix: send it to whoever asks', 'says "whoever"'],
    [`fix: ${'a'.repeat(68)}`, 'has 73 characters, 72 are allowed'],
  ])('refuses "%s"', (subject, why) => {
    expect(subjectBreach(subject)).toContain(why);
  });
});

describe('the commits of a repository', () => {
  let root: string;

  function git(...args: readonly string[]): void {
    const identity = [
      '-c',
      'user.name=Ana',
      '-c',
      'user.email=ana@example.com',
      '-c',
      'commit.gpgsign=false',
    ];
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'pipe' });
  }

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'recebe-subjects-'));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('reads all that the upstream branch lacks', () => {
    git('init', '--quiet');
    git('commit', '--allow-empty', '--message', 'Upstream');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('commit', '--allow-empty', '--message', 'One');
    git('commit', '--allow-empty', '--message', 'fix: add two');
    expect(subjectProblems(root)).toEqual({
      commits: 2,
      problems: [expect.stringMatching(/^\w+ One\n {2}has no conventional prefix/)],
    });
  });

  it('reads the last one if there is no upstream branch', () => {
    git('init', '--quiet');
    git('commit', '--allow-empty', '--message', 'One');
    git('commit', '--allow-empty', '--message', 'fix: add two');
    expect(subjectProblems(root)).toEqual({ commits: 1, problems: [] });
  });

  it('finds none in a folder without a repository', () => {
    expect(subjectProblems(root)).toEqual({ commits: 0, problems: [] });
  });
});
