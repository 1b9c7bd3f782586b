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
    .description('Workflows of open objects')
    .command('rebuild')
    .description(
      'Recreates workflows that Temporal has lost from Postgres; safe to run at any time, and again',
    )
    .option('--started-before <instant>', 'skips workflows known to have been started since')
    .action(async ({ startedBefore }: RebuildOptions) => {
      const { rebuild } = await import('../recovery/rebuild.ts');
      const now = new Date();
      output.note(
        `If this is interrupted, continue with: workflows rebuild --started-before ${startedBefore ?? now.toISOString()}`,
      );
      const sought = { now, startedBefore: startedBefore === undefined ? null : instant(startedBefore) };
      let failed = 0;
      const rebuilt: object[] = [];
      await withWorkflows(async (service) => {
        for await (const { kind, resumed } of rebuild(service, sought)) {
          const started = resumed.filter(({ outcome }) => outcome === 'STARTED').length;
          const running = resumed.filter(({ outcome }) => outcome === 'RUNNING').length;
          failed += resumed.length - started - running;
          output.note(`${AUDIT_KINDS[kind].many}: ${started} started, ${running} already running`);
          rebuilt.push({ kind, started, running });
        }
      });
      if (output.isJson) output.answer({ rebuilt, failed, resumableFrom: startedBefore ?? now }, '');
      if (failed > 0)
        throw new Error(`${failed} could not be started: run it again; for refunds, workers must be running`);
      output.note('Every open object has its workflow.');
    });
}

function instant(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new UsageError('--started-before: must be an instant such as 2026-11-22T10:00:00Z');
  return date;
}
