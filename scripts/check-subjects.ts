import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { subjectBreach } from './prose/subjects.ts';

const UPSTREAM = 'origin/main';

/** `npm run subjects`: fails if the subject of a commit that is not upstream breaks the rules. */
function main(root: string): void {
  const { commits, problems } = subjectProblems(root);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(
    `${commits} commits, subjects ${problems.length > 0 ? 'break the rules' : 'passed'}\n`,
  );
  process.exitCode = problems.length > 0 ? 1 : 0;
}

/**
 * Refused subjects of the commits that `origin/main` lacks. Without that branch, only the last commit is read, as
 * earlier ones cannot be changed. A folder that is no repository has no commits.
 */
export function subjectProblems(root: string): { commits: number; problems: string[] } {
  if (!existsSync(join(root, '.git'))) return { commits: 0, problems: [] };
  const hasUpstream = git(root, 'for-each-ref', `refs/remotes/${UPSTREAM}`) !== '';
  const range = hasUpstream ? [`${UPSTREAM}..HEAD`] : ['--max-count=1', 'HEAD'];
  const lines = git(root, 'log', '--no-merges', '--format=%h %s', ...range);
  const commits = lines.split('\n').filter((line) => line !== '');
  const problems = commits.flatMap((line) => {
    const subject = line.slice(line.indexOf(' ') + 1);
    const why = subjectBreach(subject);
    return why === null ? [] : [`${line}\n  ${why}`];
  });
  return { commits: commits.length, problems };
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

if (import.meta.main) main(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))));
