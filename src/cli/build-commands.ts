import type { Command } from 'commander';
import type { WorkerBuild } from '../temporal/worker-builds.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';
import { UsageError } from './usage-error.ts';

/** `builds list`, `builds make-current` and `builds ramp`. */
export function addBuildCommands(root: Command, { print, output, withTemporal }: CliContext): void {
  const builds = root
    .command('builds')
    .description('Which worker build runs workflows while old and new workers run side by side');
  const fromThere = () => import('../temporal/worker-builds.ts');

  builds
    .command('list')
    .description('Lists builds, their open runs, and whether their workers may be stopped')
    .option('--json', 'prints JSON')
    .action(async ({ json }: { readonly json?: true }) => {
      const { listBuilds } = await fromThere();
      const known = await withTemporal(listBuilds);
      print(json ? JSON.stringify(known) : buildTable(known));
    });

  builds
    .command('make-current')
    .description('Makes this build current: all runs continue on it; safe to run again')
    .argument('[build]', 'the WORKER_BUILD_ID of its workers, which must be running')
    .option('--unversioned', 'returns to workers without a build id')
    .action(async (build: string | undefined, { unversioned }: { readonly unversioned?: true }) => {
      if ((build === undefined) === (unversioned === undefined))
        throw new UsageError('name a build, or give --unversioned');
      const { makeCurrent } = await fromThere();
      await withTemporal((client, deployment) => makeCurrent(client, deployment, build ?? null));
      output.answer(
        { current: build ?? null },
        build === undefined ? 'Workers without a build id are current.' : `Build ${build} is current.`,
      );
    });

  builds
    .command('ramp')
    .description('Sends a percentage of all runs to a build that is not current yet')
    .argument('<build>', 'the WORKER_BUILD_ID of its workers, which must be running')
    .argument('<percent>', 'percentage, 1 to 100; 0 stops the ramp')
    .action(async (build: string, text: string) => {
      const percent = Number(text);
      if (!/^\d{1,3}$/.test(text) || percent > 100)
        throw new UsageError('percent: must be a whole number from 0 to 100');
      const { ramp } = await fromThere();
      await withTemporal((client, deployment) => ramp(client, deployment, build, percent));
      output.answer(
        { ramping: percent === 0 ? null : build, percent },
        percent === 0 ? 'No build is ramping.' : `Build ${build} takes ${percent} % of all runs.`,
      );
    });
}

function buildTable(builds: readonly WorkerBuild[]): string {
  const rows = builds.map((build) => [
    build.buildId,
    build.percent === null ? build.state.toLowerCase() : `ramping (${build.percent} %)`,
    String(build.pinnedRuns),
    String(build.otherRuns),
    workersOf(build),
  ]);
  const headings = ['BUILD', 'STATE', 'PINNED RUNS', 'OTHER RUNS', 'ITS WORKERS'];
  return table(headings, rows, 'No worker with a WORKER_BUILD_ID has been started yet.');
}

function workersOf({ state, mayStop }: WorkerBuild): string {
  if (mayStop) return 'may be stopped';
  return state === 'NEW' ? 'wait until it is current' : 'are needed';
}
