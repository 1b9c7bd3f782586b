import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { noteBrokenAudit } from '../audit-log/note-broken-audit.ts';
import { type AuditReport, auditHeads, CHAIN_PROBLEMS, type ChainHead } from '../audit-log/verify-audit.ts';
import type { Em } from '../database/orm.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';
import { UsageError } from './usage-error.ts';

/** Lines per transaction. Other writers of the same store wait only for a moment. */
const ERASED_AT_ONCE = 5_000;

/** The output of `audit heads --json`. */
const headsFile = z.array(
  z.object({ chain: z.string(), lines: z.int().min(0), hash: z.string().regex(/^(?:[0-9a-f]{64})?$/) }),
);

/** `audit verify`, `audit heads` and `audit forget`. */
export function addAuditCommands(root: Command, context: CliContext): void {
  const audit = root.command('audit').description('The audit log, whose lines form a chain for each store');
  addVerify(audit, context);
  addHeads(audit, context);
  addForget(audit, context);
}

function addVerify(audit: Command, { output, withDatabase }: CliContext): void {
  audit
    .command('verify')
    .description('Verifies the chains from their last verified lines; fails if one is broken, and says where')
    .option('--full', 'reads all lines')
    .option(
      '--heads <file>',
      'heads printed earlier by "audit heads --json": each must still be in its chain',
    )
    .option('--json', 'prints JSON')
    .action(async ({ full = false, heads }: { readonly full?: boolean; readonly heads?: string }) => {
      const kept = heads === undefined ? [] : readHeads(heads);
      const report = await withDatabase((em) => noteBrokenAudit(em, new Date(), { isFull: full, kept }));
      output.answer(report, auditText(report));
      const verdict = auditVerdict(report);
      if (verdict !== null) throw new Error(verdict);
    });
}

function addHeads(audit: Command, { output, withDatabase }: CliContext): void {
  audit
    .command('heads')
    .description("Prints the head of each chain; store them where the service's operators cannot write")
    .option('--json', 'prints JSON, which "audit verify --heads" reads')
    .action(async () => {
      const heads = await withDatabase(auditHeads);
      output.answer(heads, headTable(heads));
    });
}

function addForget(audit: Command, context: CliContext): void {
  audit
    .command('forget')
    .description('Erases IP addresses and operators from lines older than six months; the chains stay intact')
    .requiredOption('--before <YYYY-MM-DD>', 'lines before this day, in UTC')
    .option('--yes', 'skips the confirmation')
    .option('--json', 'prints JSON')
    .action(async ({ before, yes = false }: { readonly before: string; readonly yes?: boolean }) => {
      const day = z.iso.date().safeParse(before);
      if (!day.success) throw new UsageError('--before: must be a day, written YYYY-MM-DD');
      await context.output.confirm(`IP addresses and operators before ${before} will be erased.`, yes);
      const erased = await forget(context, `${before}T00:00:00Z`);
      context.output.answer({ before, erased }, `Erased IP addresses and operators from ${erased} lines.`);
    });
}

/** Erases in batches. The database writes a line with each, so an interrupted run has recorded what it erased. */
async function forget({ withDatabase, operator }: CliContext, before: string): Promise<number> {
  const given = { before, atMost: ERASED_AT_ONCE, operator: operator() };
  let total = 0;
  for (;;) {
    const erased = await withDatabase((em) => forgetSome(em, given));
    total += erased;
    if (erased < ERASED_AT_ONCE) return total;
  }
}

async function forgetSome(
  em: Em,
  given: { readonly before: string; readonly atMost: number; readonly operator: string },
): Promise<number> {
  const erasing = em.execute<{ erased: number }[]>(
    'select forget_audit_people(:before, :atMost, :operator) as erased',
    given,
  );
  const [row] = await erasing.catch((error: unknown) => {
    if (error instanceof Error && error.message.includes('12.965'))
      throw new UsageError('--before: must be six months ago, or longer (Lei 12.965/2014, art. 15)');
    throw error;
  });
  return row?.erased ?? 0;
}

/** @throws UsageError if the file is not the output of `audit heads --json`. */
function readHeads(path: string): ChainHead[] {
  try {
    return headsFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new UsageError('--heads: must be a file that "audit heads --json" has printed');
  }
}

function headTable(heads: readonly ChainHead[]): string {
  const rows = heads.map(({ chain, lines, hash }) => [chain, String(lines), hash]);
  return table(['CHAIN', 'LINES', 'HASH OF THE LAST'], rows, 'No line has been written yet.');
}

/** The result of a verification in words. */
export function auditText({ lines, heads, faults }: AuditReport): string {
  const head = `Audit log: ${lines} new lines verified in ${heads.length} chains.`;
  if (faults.length === 0) return `${head} Nothing is missing or changed.`;
  const rows = faults.map(({ chain, position, lineId, problem }) => [
    chain,
    String(position),
    lineId ?? '-',
    CHAIN_PROBLEMS[problem],
  ]);
  return `${head}\n\n${table(['CHAIN', 'POSITION', 'LINE', 'PROBLEM'], rows, '')}`;
}

/** The problem in one sentence; null if there is none. */
export function auditVerdict({ faults }: AuditReport): string | null {
  const [first] = faults;
  if (first === undefined) return null;
  const { chain, position, problem } = first;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : '';
  return `the audit log is broken: ${CHAIN_PROBLEMS[problem]} (position ${position} of ${chain}${more})`;
}
