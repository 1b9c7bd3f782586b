import type { Command } from 'commander';
import { AUDIT_KINDS } from '../domain/audit.ts';
import type { CliContext } from './context.ts';
import { UsageError } from './usage-error.ts';

interface RebuildOptions {
  readonly startedBefore?: string;
}

/** `workflows rebuild`. */
export function addWorkflowCommands(root: Command, { output, withWorkflows }: CliContext): void {
  root
    .command('workflows')
    .description('The workflows of everything that is open')
    .command('rebuild')
    .description(
      'Makes them anew from Postgres, where Temporal has lost them; safe to run at any time, and again',
    )
    .option('--started-before <instant>', 'leaves out those that are known to have been started since')
    .action(async ({ startedBefore }: RebuildOptions) => {
      const { rebuild } = await import('../temporal/audit/rebuild.ts');
      const now = new Date();
      output.note(
        `Should this be interrupted, go on with: workflows rebuild --started-before ${startedBefore ?? now.toISOString()}`,
      );
      const sought = { now, startedBefore: startedBefore === undefined ? null : instant(startedBefore) };
      let failed = 0;
      const rebuilt: object[] = [];
      await withWorkflows(async (service) => {
        for await (const { kind, resumed } of rebuild(service, sought)) {
          const started = resumed.filter(({ outcome }) => outcome === 'STARTED').length;
          const running = resumed.filter(({ outcome }) => outcome === 'RUNNING').length;
          failed += resumed.length - started - running;
          output.note(`${AUDIT_KINDS[kind].many}: ${started} made anew, ${running} running already`);
          rebuilt.push({ kind, started, running });
        }
      });
      if (output.isJson) output.answer({ rebuilt, failed, resumableFrom: startedBefore ?? now }, '');
      if (failed > 0)
        throw new Error(`${failed} could not be made: run it again, and for refunds with workers running`);
      output.note('Everything that is open has its workflow.');
    });
}

function instant(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new UsageError('--started-before: must be an instant such as 2026-11-22T10:00:00Z');
  return date;
}
