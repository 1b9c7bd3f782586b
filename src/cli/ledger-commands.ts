import type { Command } from 'commander';
import { noteAttention, resolveAttention } from '../database/attention.ts';
import type { Em } from '../database/orm.ts';
import { type CheckedReport, verifySinceCheckpoint } from '../ledger/ledger-checkpoint.ts';
import type { Discrepancy } from '../ledger/verify-ledger.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';

interface Options {
  readonly full?: boolean;
  readonly json?: true;
}

/** `ledger verify`. */
export function addLedgerCommands(root: Command, { print, withDatabase }: CliContext): void {
  const ledger = root.command('ledger').description('The double-entry ledger of all stores');
  ledger
    .command('verify')
    .description('Recomputes every balance; fails if a cent differs, and lists the differences')
    .option('--full', 'reads the whole ledger, not only entries since the last successful run')
    .option('--json', 'prints JSON')
    .action(async ({ full = false, json }: Options) => {
      const report = await withDatabase((em) => verifyAndNote(em, new Date(), full));
      print(json ? JSON.stringify(report) : reportText(report));
      const { length } = report.discrepancies;
      if (length > 0)
        throw new Error(`the ledger is wrong in ${length} ${length === 1 ? 'place' : 'places'}`);
    });
}

/** Each finding is also recorded as needing attention, in case nobody reads this output. */
async function verifyAndNote(em: Em, now: Date, isFull: boolean): Promise<CheckedReport> {
  const report = await verifySinceCheckpoint(em, now, isFull);
  const drift = { kind: 'LEDGER_DRIFT', subjectId: 'ledger', now } as const;
  if (report.discrepancies.length === 0) await resolveAttention(em, drift);
  else await noteAttention(em, { ...drift, storeId: null, devMode: null, since: now });
  return report;
}

function reportText({ movements, since, stores, sums, discrepancies }: CheckedReport): string {
  const rows = [
    ['provider clearing', sums.clearingCents],
    ['store pending', sums.pendingCents],
    ['store available', sums.availableCents],
    ['store blocked', sums.blockedCents],
    ['on its way out', sums.outgoingCents],
    ['platform fees', sums.platformFeesCents],
    ['suspense', sums.suspenseCents],
    ['sub-accounts', sums.subAccountsCents],
  ].map(([account, cents]) => [String(account), String(cents)]);
  const verdict =
    discrepancies.length === 0 ? 'Every cent is where it belongs.' : discrepancyTable(discrepancies);
  const looked = since === null ? 'all of them were looked at' : `looked at what is new since ${since}`;
  const head = `${movements} movements of ${stores} stores\n${looked}`;
  return [head, table(['ACCOUNT', 'CENTS'], rows, ''), verdict].join('\n\n');
}

function discrepancyTable(discrepancies: readonly Discrepancy[]): string {
  const rows = discrepancies.map(({ storeId, devMode, account, differenceCents, subjectId, problem }) => [
    storeId,
    devMode ? 'dev' : 'prod',
    account,
    differenceCents > 0 ? `+${differenceCents}` : String(differenceCents),
    subjectId ?? '-',
    problem,
  ]);
  return table(['STORE', 'ENV', 'ACCOUNT', 'OFF BY', 'ABOUT', 'PROBLEM'], rows, '');
}
