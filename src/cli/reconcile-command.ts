import type { Command } from 'commander';
import { type ComparedDay, compareDay, type DayTotals } from '../accounts/compare-day.ts';
import type { ComparedSent, SentTotals } from '../accounts/compare-sent.ts';
import type { AccountKeeping } from '../accounts/open-account.ts';
import { openAccount } from '../accounts/open-account.ts';
import { requireAccount } from '../accounts/provider-accounts.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import {
  addDays,
  type CivilDate,
  isCivilDate,
  saoPauloDateOf,
  saoPauloMidnight,
} from '../domain/civil-date.ts';
import { LISTED_AFTER_REMOVAL_MS } from '../domain/reconciliation.ts';
import { accountsToList } from '../notifications/provider-listings.ts';
import { readStatementDay } from '../notifications/statement-day.ts';
import type { StatementDay } from '../notifications/statement-rows.ts';
import { hasPort } from '../providers/provider.ts';
import type { CliContext } from './context.ts';
import { table } from './present.ts';
import { UsageError } from './usage-error.ts';
import { withAccounts } from './with-accounts.ts';

/** An account whose bank could not be queried. */
interface Unanswered {
  readonly accountId: string;
  readonly day: CivilDate;
  readonly error: string;
}

/** A day, and the same day in the books of a provider that has its own; null for any other. */
type Reconciled = ComparedDay & { readonly statement: StatementDay | null };

/** `reconcile`. */
export function addReconcileCommand(root: Command, context: CliContext): void {
  root
    .command('reconcile')
    .description(
      "Compares a day's payments, sent Pix and debits at the banks with the ledger; fails if a cent differs, and lists the differences",
    )
    .option('--day <YYYY-MM-DD>', 'in São Paulo time; default: yesterday')
    .option('--account <id>', 'one account; default: all whose provider lists payments')
    .action(async (options: { readonly day?: string; readonly account?: string }) => {
      const now = new Date();
      const { day = addDays(saoPauloDateOf(now), -1), account = null } = options;
      if (!isCivilDate(day)) throw new UsageError('--day: must be a day, written YYYY-MM-DD');
      if (day > saoPauloDateOf(now)) throw new UsageError('--day: must not be in the future');
      const results = await withAccounts(context, (accounts) => compareAll(accounts, account, day, now));
      context.output.answer(results, results.map(textOf).join('\n\n') || 'No account lists payments.');
      const unanswered = results.filter((result) => 'error' in result).length;
      if (unanswered > 0) throw new Error(`${unanswered} of ${results.length} accounts could not be queried`);
      const { length } = results.flatMap((result) =>
        'error' in result
          ? []
          : [
              ...result.differences,
              ...(result.sent?.differences ?? []),
              ...(result.mandates?.differences ?? []),
              ...(result.statement?.differences ?? []),
            ],
      );
      if (length > 0)
        throw new Error(`bank and ledger differ in ${length} ${length === 1 ? 'place' : 'places'}`);
    });
}

/** An account that cannot be queried does not block the others. */
async function compareAll(
  keys: AccountKeeping,
  accountId: string | null,
  day: CivilDate,
  now: Date,
): Promise<(Reconciled | Unanswered)[]> {
  const results: (Reconciled | Unanswered)[] = [];
  for (const account of await accountsOf(keys, accountId, day)) {
    try {
      const provider = openAccount(account, keys);
      if (hasPort(provider, 'listing')) {
        const compared = await compareDay(keys.em, account, provider, day, now);
        const { statement } = provider;
        const booked = statement && (await readStatementDay(keys.em, account, statement, day, now));
        results.push({ ...compared, statement: booked ?? null });
      } else if (accountId !== null)
        throw new UsageError('--account: must be one whose provider lists payments');
    } catch (error) {
      if (error instanceof UsageError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      results.push({ accountId: account.id, day, error: reason });
    }
  }
  return results;
}

/** For a day, the accounts that could receive payments on it. */
async function accountsOf(
  { em }: AccountKeeping,
  id: string | null,
  day: CivilDate,
): Promise<ProviderAccount[]> {
  if (id !== null) return [await requireAccount(em, id)];
  const removedAfter = new Date(saoPauloMidnight(day).getTime() - LISTED_AFTER_REMOVAL_MS);
  const dayEnd = saoPauloMidnight(addDays(day, 1));
  const accounts: ProviderAccount[] = [];
  for (const listing of await accountsToList(em, { removedAfter }))
    if (listing.createdAt < dayEnd) accounts.push(await requireAccount(em, listing.id));
  return accounts;
}

function textOf(result: Reconciled | Unanswered): string {
  const head = `${result.accountId} on ${result.day}`;
  if ('error' in result) return `${head}: ${result.error}`;
  const { bank, here, differences } = result;
  const rows = differences.map(({ problem, providerPaymentId, chargeId, bankCents, hereCents }) => [
    problem,
    providerPaymentId,
    chargeId ?? '-',
    cents(bankCents),
    cents(hereCents),
  ]);
  return [
    head,
    totalsTable(bank, here),
    table(['PROBLEM', 'PAYMENT', 'CHARGE', 'BANK', 'HERE'], rows, 'All payments match the bank.'),
    ...(result.sent === null ? [] : [sentText(result.sent)]),
    ...(result.mandates === null ? [] : [mandatesText(result.mandates)]),
    ...(result.statement === null ? [] : [statementText(result.statement)]),
  ].join('\n');
}

function cents(amount: number | null): string {
  return amount === null ? '-' : String(amount);
}

function sentText({ bank, here, differences }: ComparedSent): string {
  const totals = (name: string, { transfers, cents: sentCents, returnedCents }: SentTotals) =>
    [name, transfers, sentCents, returnedCents].map(String);
  const rows = differences.map(({ problem, endToEndIdentifier, payoutId, bankCents, hereCents }) => [
    problem,
    endToEndIdentifier,
    payoutId ?? '-',
    cents(bankCents),
    cents(hereCents),
  ]);
  return [
    table(['', 'SENT PIX', 'CENTS', 'CAME BACK'], [totals('bank', bank), totals('here', here)], ''),
    table(['PROBLEM', 'PIX', 'PAYOUT', 'BANK', 'HERE'], rows, 'All sent Pix match the bank.'),
  ].join('\n');
}

function mandatesText({ bank, here, differences }: NonNullable<ComparedDay['mandates']>): string {
  const totals = (name: string, { mandates, debits }: typeof bank) => [name, mandates, debits].map(String);
  const rows = differences.map(({ problem, providerId, id, bankCents, hereCents }) => [
    problem,
    providerId,
    id ?? '-',
    cents(bankCents),
    cents(hereCents),
  ]);
  return [
    table(['', 'AUTHORIZATIONS', 'DEBITS ORDERED'], [totals('bank', bank), totals('here', here)], ''),
    table(['PROBLEM', 'AT BANK', 'ID', 'BANK', 'HERE'], rows, 'All debits match the bank.'),
  ].join('\n');
}

/** The provider's own books of the day, in cents. */
function statementText(day: StatementDay): string {
  const { totals, entries, foreignPayments, isComplete, differences, payouts } = day;
  const sums = [
    totals.grossCents,
    totals.feeCents,
    totals.refundCents,
    totals.disputeCents,
    totals.adjustmentCents,
    totals.netCents,
    totals.payoutCents,
    totals.balanceCents ?? '-',
  ].map(String);
  const rows = differences.map(({ problem, entryId, providerPaymentId, providerCents, hereCents }) => [
    problem,
    entryId,
    providerPaymentId,
    cents(providerCents),
    cents(hereCents),
  ]);
  const sent = payouts.map(({ id, amountCents, status, arrivesOn }) => [
    id,
    String(amountCents),
    status,
    arrivesOn,
  ]);
  return [
    table(['PAID', 'FEES', 'REFUNDS', 'DISPUTES', 'ADJUSTMENTS', 'NET', 'PAID OUT', 'BALANCE'], [sums], ''),
    `${entries} entries${isComplete ? '' : ', and more that could not be read'}; ${foreignPayments} payments of other programs`,
    ...(sent.length === 0 ? [] : [table(['PAYOUT TO THE BANK', 'CENTS', 'STATUS', 'ARRIVES'], sent, '')]),
    table(['PROBLEM', 'ENTRY', 'PAYMENT', 'PROVIDER', 'HERE'], rows, "The provider's books match."),
  ].join('\n');
}

function totalsTable(bank: DayTotals, here: DayTotals): string {
  const row = (name: string, { payments, cents, refundedCents }: DayTotals) =>
    [name, payments, cents, refundedCents].map(String);
  return table(['', 'PAYMENTS', 'CENTS', 'SENT BACK'], [row('bank', bank), row('here', here)], '');
}
