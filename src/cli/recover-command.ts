import type { Command } from 'commander';
import { requireAccount } from '../accounts/accounts.ts';
import { openAccount } from '../accounts/open-account.ts';
import { findLostWork, type LostWork, recoverAccount } from '../recovery/recover-account.ts';
import { keeping } from './account-commands.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';
import { UsageError } from './usage-error.ts';

interface RecoverOptions {
  readonly since: string;
  readonly yes?: boolean;
}

/** `accounts recover`. */
export function addRecoverCommand(accounts: Command, context: CliContext): void {
  accounts
    .command('recover')
    .description('After a restore: rebuilds what the bank knows and the restored database does not')
    .argument('<id>', 'the account')
    .requiredOption('--since <time>', 'when the backup was taken, such as 2026-11-24T03:00:00Z')
    .option('--yes', 'asks nothing')
    .action((id: string, options: RecoverOptions) => recover(context, id, options));
}

async function recover(context: CliContext, id: string, { since: text, yes = false }: RecoverOptions) {
  const now = new Date();
  const since = instantOf(text, now);
  await keeping(context, async (keys) => {
    const row = await requireAccount(keys.em, id);
    const provider = openAccount(row, keys);
    if (!provider.describe().listings)
      throw new UsageError('the provider lists neither charges nor payments');
    const account = { storeId: row.storeId, provider };
    const lost = await findLostWork(keys.em, account, since, now);
    context.output.note(lostTable(lost));
    await context.output.confirm(
      `${lost.charges.length} charges are rebuilt, and payments since ${since.toISOString()} are listed again.`,
      yes,
    );
    const terms = { since, now, platformFees: context.platformFees() };
    const recovered = await recoverAccount(keys.em, account, lost, terms);
    context.output.answer(
      { id, since, ...recovered },
      `Rebuilt ${recovered.charges} charges. Payments and refunds are booked within minutes after workers start.`,
    );
  });
}

/** @throws UsageError if it is no instant, or in the future. */
function instantOf(text: string, now: Date): Date {
  const since = new Date(text);
  if (Number.isNaN(since.getTime()) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new UsageError('--since: must be an instant with its zone, such as 2026-11-24T03:00:00Z');
  if (since > now) throw new UsageError('--since: must not be in the future');
  return since;
}

/** Of more, the first say as much. */
const LISTED = 20;

function lostTable({ charges }: LostWork): string {
  const rows = charges
    .slice(0, LISTED)
    .map(({ reference, status, amountCents, createdAt }) => [
      reference,
      status,
      String(amountCents),
      createdAt.toISOString(),
    ]);
  const listed = table(
    ['CHARGE', 'AT THE BANK', 'CENTS', 'CREATED'],
    rows,
    'Every charge of the bank has its row.',
  );
  return charges.length > LISTED ? `${listed}\nand ${charges.length - LISTED} more` : listed;
}
