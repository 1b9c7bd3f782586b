import type { Command } from 'commander';
import { type Discrepancy, type LedgerReport, verifyLedger } from '../database/ledger/verify-ledger.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';

interface Json {
  readonly json?: true;
}

/** `ledger verify`. */
export function addLedgerCommands(root: Command, { print, withDatabase }: CliContext): void {
  const ledger = root.command('ledger').description('The double-entry ledger of all stores');
  ledger
    .command('verify')
    .description('Recomputes every balance; fails, and says where, if a cent is off')
    .option('--json', 'prints JSON')
    .action(async ({ json }: Json) => {
      const report = await withDatabase((em) => verifyLedger(em));
      print(json ? JSON.stringify(report) : reportText(report));
      const { length } = report.discrepancies;
      if (length > 0)
        throw new Error(`the ledger is wrong in ${length} ${length === 1 ? 'place' : 'places'}`);
    });
}

function reportText({ movements, stores, sums, discrepancies }: LedgerReport): string {
  const rows = [
    ['provider clearing', sums.clearingCents],
    ['store pending', sums.pendingCents],
    ['store available', sums.availableCents],
    ['store blocked', sums.blockedCents],
    ['on its way out', sums.outgoingCents],
    ['platform fees', sums.platformFeesCents],
    ['suspense', sums.suspenseCents],
  ].map(([account, cents]) => [String(account), String(cents)]);
  const verdict =
    discrepancies.length === 0 ? 'Every cent is where it belongs.' : discrepancyTable(discrepancies);
  return [`${movements} movements of ${stores} stores`, table(['ACCOUNT', 'CENTS'], rows, ''), verdict].join(
    '\n\n',
  );
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
