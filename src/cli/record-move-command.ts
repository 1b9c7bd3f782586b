import type { Command } from 'commander';
import { formatBrl, isAmountCents } from '../domain/money.ts';
import { type RecordedMove, recordMove, WrongMove } from '../ledger/account-moves.ts';
import type { CliContext } from './context.ts';
import type { CliAction } from './operator.ts';
import { label, UsageError } from './usage-error.ts';

interface MoveOptions {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly reference: string;
  readonly yes?: boolean;
}

/** `accounts record-move`. */
export function addRecordMove(accounts: Command, { output, audited }: CliContext): void {
  accounts
    .command('record-move')
    .description(
      'Records a transfer that a store made at its banks between two of its accounts; moves no money',
    )
    .requiredOption('--from <id>', 'the account that the money left; may be a removed one')
    .requiredOption('--to <id>', 'the account of the same store that received the money')
    .requiredOption('--amount <cents>', 'amount in cents')
    .requiredOption(
      '--reference <text>',
      "what the bank knows the transfer by, such as its end-to-end id; the store's moves each have their own",
    )
    .option('--yes', 'skips the confirmation')
    .action(async ({ yes = false, ...options }: MoveOptions) => {
      const given = {
        fromProvider: options.from,
        toProvider: options.to,
        amountCents: centsIn(options.amount),
        reference: label('--reference', options.reference),
      };
      const what = `${formatBrl(given.amountCents)} from ${given.fromProvider} to ${given.toProvider}`;
      await output.confirm(`Payouts are limited by this from now on: the store has moved ${what}.`, yes);
      const { move, isNew } = await namingOptions(() =>
        audited((em, now) => recordMove(em, given, now), actionsOf),
      );
      output.answer(
        move,
        isNew ? `Recorded ${move.id}: ${what}.` : `${move.id} was recorded before: ${what}.`,
      );
    });
}

function actionsOf({ move, isNew }: RecordedMove): readonly CliAction[] {
  const { id: subjectId, storeId, fromProvider: from, toProvider: to, amountCents, reference } = move;
  const details = { from, to, amountCents, reference };
  return isNew ? [{ action: 'accounts/record-move', storeId, subjectId, devMode: false, details }] : [];
}

function centsIn(text: string): number {
  const cents = /^\d+$/.test(text) ? Number(text) : null;
  if (isAmountCents(cents)) return cents;
  throw new UsageError('--amount: must be whole cents of at least 1, such as 250000 for R$ 2.500,00');
}

async function namingOptions<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof WrongMove ? new UsageError(error.message) : error;
  }
}
