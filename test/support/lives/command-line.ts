import { runCli } from '../../../src/cli/run.ts';
import type { WorkflowWorld } from './workflow-world.ts';

/**
 * Runs a command against the database and the real Temporal server of a world. A world has one task queue. Commands start
 * runs of dev environments in the queue with `-dev` behind its name, so a world that is to serve them is named like that.
 */
export async function cli(
  { database, taskQueue }: Pick<WorkflowWorld, 'database' | 'taskQueue'>,
  args: string,
) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runCli(args.split(' '), {
    env: {
      DATABASE_URL: database.config.get('clientUrl') ?? '',
      TEMPORAL_ADDRESS: process.env.RECEBE_TEST_TEMPORAL_ADDRESS,
      TEMPORAL_TASK_QUEUE: taskQueue.replace(/-dev$/, ''),
    },
    print: (line) => out.push(line),
    printError: (line) => errors.push(line),
  });
  return { code, out: out.join('\n'), errors: errors.join('\n') };
}
