import { Command, CommanderError } from 'commander';
import { databaseUrlOf } from '../config.ts';
import { migrate } from '../database/migrate.ts';
import { addAttentionCommands } from './attention-commands.ts';
import { addBuildCommands } from './build-commands.ts';
import { type CliHost, contextOf } from './context.ts';
import { addDemoCommands } from './demo-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addSecretsCommands } from './secrets-commands.ts';
import { addStoreCommands } from './store-commands.ts';
import { UsageError } from './usage-error.ts';
import { addUserCommands } from './user-commands.ts';
import { addWorkflowCommands } from './workflow-commands.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command. @returns its exit code: 0 done, 1 failed, 2 not understood or not possible as asked. */
export async function runCli(args: readonly string[], host: CliHost): Promise<number> {
  try {
    await program(host).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
    host.printError(`error: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof UsageError ? WRONG_USAGE : FAILED;
  }
}

function program(host: CliHost): Command {
  const context = contextOf(host);
  const root = new Command('recebe')
    .description(
      'Manages stores, API keys and users, checks the ledger, and lists what needs a person or is overdue.',
    )
    .exitOverride();
  root.configureOutput({
    writeOut: (text) => host.print(text.trimEnd()),
    writeErr: (text) => host.printError(text.trimEnd()),
  });
  addStoreCommands(root, context);
  addKeyCommands(root, context);
  addUserCommands(root, context);
  addLedgerCommands(root, context);
  addAttentionCommands(root, context);
  addDoctorCommand(root, context);
  addWorkflowCommands(root, context);
  addBuildCommands(root, context);
  addSecretsCommands(root, context);
  addDemoCommands(root, context);
  root
    .command('migrate')
    .description('Brings the tables of the database up to date; safe to run at any time')
    .action(async () => {
      await migrate(databaseUrlOf(host.env));
      host.print('The database is up to date.');
    });
  return root;
}
