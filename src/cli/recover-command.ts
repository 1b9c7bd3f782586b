import type { Command } from 'commander';
import type { AccountKeeping } from '../accounts/open-account.ts';
import { openAccount } from '../accounts/open-account.ts';
import { requireAccount } from '../accounts/provider-accounts.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import { hasPort } from '../providers/provider.ts';
import { findLostWork, type LostWork, recoverAccount } from '../recovery/lost-rows/recover-account.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';
import { UsageError } from './usage-error.ts';
import { withAccounts } from './with-accounts.ts';

interface RecoverOptions {
  readonly since: string;
  readonly yes?: boolean;
}

/** `accounts recover`. */
export function addRecoverCommand(accounts: Command, context: CliContext): void {
  accounts
    .command('recover')
    .description(
      'After a restore: rebuilds charges and payouts that the bank knows but the restored database does not',
    )
    .argument('<id>', 'the account')
    .requiredOption('--since <time>', 'when the backup was taken, such as 2026-11-24T03:00:00Z')
    .option('--yes', 'skips the confirmation')
    .action((id: string, options: RecoverOptions) => recover(context, id, options));
}

async function recover(context: CliContext, id: string, { since: text, yes = false }: RecoverOptions) {
  const now = new Date();
  const since = instantOf(text, now);
  await withAccounts(context, async (keys) => {
    const row = await requireAccount(keys.em, id);
    const provider = openAccount(row, keys);
    if (!hasPort(provider, 'listing'))
      throw new UsageError('the provider lists neither charges nor payments');
    const account = { storeId: row.storeId, provider, payoutKey: ownKeyOf(row, keys) };
    const lost = await findLostWork(keys.em, account, since, now);
    context.output.note(`${lostChargesTable(lost)}\n\n${lostPayoutsTable(lost)}`);
    await context.output.confirm(
      `${lost.charges.length} charges and ${lost.payouts.length} payouts will be rebuilt. Payments and sent Pix since ${since.toISOString()} will be listed again.`,
      yes,
    );
    await recordAsked(context, row, since, lost);
    const terms = { since, now, platformFees: context.platformFees() };
    const recovered = await recoverAccount(keys.em, account, lost, terms);
    context.output.answer(
      { id, since, ...recovered },
      `Rebuilt ${recovered.charges} charges and ${recovered.payouts} payouts. Payments, refunds and returns are recorded within minutes after workers start.`,
    );
  });
}

/** The PIX key of the store's own account; null if the account does not name it. */
function ownKeyOf({ kind, settings }: ProviderAccount, { kinds }: AccountKeeping): string | null {
  const setting = kinds[kind]?.ownAccountSetting ?? null;
  return setting === null ? null : (settings[setting] ?? null);
}

/** Recorded before it starts: it is not one transaction and may be interrupted. */
async function recordAsked(
  { audited }: CliContext,
  { id: subjectId, storeId }: ProviderAccount,
  since: Date,
  { charges, payouts }: LostWork,
): Promise<void> {
  const details = { since: since.toISOString(), charges: charges.length, payouts: payouts.length };
  await audited(
    async () => undefined,
    () => [{ action: 'accounts/recover', storeId, subjectId, devMode: false, details }],
  );
}

/** @throws UsageError if the text is not an instant, or lies in the future. */
function instantOf(text: string, now: Date): Date {
  const since = new Date(text);
  if (Number.isNaN(since.getTime()) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new UsageError('--since: must be an instant with its zone, such as 2026-11-24T03:00:00Z');
  if (since > now) throw new UsageError('--since: must not be in the future');
  return since;
}

/** More rows would add nothing. */
const LISTED = 20;

function lostChargesTable({ charges }: LostWork): string {
  const rows = charges.map(({ reference, status, amountCents, createdAt }) => [
    reference,
    status,
    String(amountCents),
    createdAt.toISOString(),
  ]);
  const headings = ['CHARGE', 'AT THE BANK', 'CENTS', 'CREATED'];
  return firstOf(headings, rows, 'No charges are missing.');
}

/** Omits the payees' keys, which may be tax ids. */
function lostPayoutsTable({ payouts }: LostWork): string {
  const rows = payouts.map(({ reference, status, amountCents, orderedAt }) => [
    reference,
    status,
    String(amountCents),
    orderedAt.toISOString(),
  ]);
  const headings = ['PAYOUT', 'AT THE BANK', 'CENTS', 'ORDERED'];
  return firstOf(headings, rows, 'No payouts are missing.');
}

function firstOf(headings: readonly string[], rows: readonly string[][], none: string): string {
  const listed = table(headings, rows.slice(0, LISTED), none);
  return rows.length > LISTED ? `${listed}\nand ${rows.length - LISTED} more` : listed;
}
