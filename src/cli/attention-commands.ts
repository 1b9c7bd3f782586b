import type { Command } from 'commander';
import { openAttention } from '../database/attention.ts';
import type { Attention } from '../database/entities/attention.ts';
import { ATTENTION } from '../domain/attention.ts';
import { aboutSubjects, resolveById } from './attention.ts';
import type { CliContext } from './context.ts';
import type { CliAction } from './operator.ts';

interface Json {
  readonly json?: true;
}

/** As many as a person can read at once, the longest waiting first. */
const LISTED = 100;

/** The subject is the object that needed a person. For a held payment it is the returned payment. */
function resolveAction({ storeId, devMode, kind, subjectId }: Attention): CliAction {
  return { action: 'attention/resolve', storeId, subjectId, devMode, details: { kind } };
}

/** `attention list` and `attention resolve`. */
export function addAttentionCommands(root: Command, { print, withDatabase, audited }: CliContext): void {
  const attention = root.command('attention').description('What the service cannot end by itself');
  attention
    .command('list')
    .description(`Lists problems that need a person and how to solve them, oldest first, at most ${LISTED}`)
    .option('--json', 'prints JSON')
    .action(async ({ json }: Json) => {
      const { open, about } = await withDatabase(async (em) => {
        const found = await openAttention(em, LISTED);
        return { open: found, about: await aboutSubjects(em, found) };
      });
      const described = open.map((row) => ({
        ...row,
        details: about.get(row.subjectId) ?? null,
        ...ATTENTION[row.kind],
      }));
      if (json) return print(JSON.stringify(described));
      print(described.length === 0 ? 'Nothing needs a person.' : described.map(textOf).join('\n\n'));
    });
  attention
    .command('resolve')
    .description('Records that it was handled; for a held payment, that its payer has the money back')
    .argument('<id>', 'an id from "attention list"')
    .option('--json', 'prints JSON')
    .action(async (id: string, { json }: Json) => {
      const resolved = await audited(
        (em, now) => resolveById(em, id, now),
        // An entry that was resolved before stays unchanged.
        (row, _em, now) => (row.resolvedAt === now ? [resolveAction(row)] : []),
      );
      print(
        json ? JSON.stringify(resolved) : `${id} is resolved since ${resolved.resolvedAt?.toISOString()}`,
      );
    });
}

type Described = Attention & (typeof ATTENTION)[keyof typeof ATTENTION] & { readonly details: string | null };

function textOf({ id, subjectId, storeId, devMode, since, details, what, why, remedy }: Described): string {
  const environment = devMode === null ? '' : ` (${devMode ? 'dev' : 'prod'})`;
  const owner = storeId === null ? '' : ` of ${storeId}${environment}`;
  return [
    `${id}  since ${since.toISOString()}`,
    `  what   ${what}`,
    `  about  ${subjectId}${owner}${details === null ? '' : `: ${details}`}`,
    `  why    ${why}`,
    `  do     ${remedy.replace('<id>', id)}`,
  ].join('\n');
}
