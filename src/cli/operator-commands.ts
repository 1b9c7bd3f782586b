import type { Command } from 'commander';

import { migrate } from '../database/migrate.ts';
import { addAccountCommands } from './account-commands.ts';
import { addAttentionCommands } from './attention-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBuildCommands } from './build-commands.ts';
import { contextOf } from './context.ts';
import { addDemoCommands } from './demo-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import type { CliHost, Output } from './host.ts';
import { databaseUrlOf } from './instance.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addLogCommand } from './log-commands.ts';
import { addReconcileCommand } from './reconcile-command.ts';
import { addRecoverCommand } from './recover-command.ts';
import { addSecretsCommands } from './secrets-commands.ts';
import { addStoreCommands } from './store-commands.ts';
import { addUserCommands } from './user-commands.ts';
import { addWorkflowCommands } from './workflow-commands.ts';

/** Commands of whoever runs the service: on its database and its Temporal server. */
export function addOperatorCommands(root: Command, host: CliHost, output: Output): void {
  const context = contextOf(host, output);
  root.commandsGroup('For whoever runs the service, on its database and Temporal server:');
  addStoreCommands(root, context);
  addKeyCommands(root, context);
  addRecoverCommand(addAccountCommands(root, context), context);
  addUserCommands(root, context);
  addLedgerCommands(root, context);
  addReconcileCommand(root, context);
  addAttentionCommands(root, context);
  addAuditCommands(root, context);
  addDoctorCommand(root, context);
  addWorkflowCommands(root, context);
  addBuildCommands(root, context);
  addSecretsCommands(root, context);
  addDemoCommands(root, context);
  addLogCommand(root, host, output);
  root
    .command('migrate')
    .description('Brings the tables of the database up to date; safe to run at any time')
    .action(async () => {
      await migrate(databaseUrlOf(host.env));
      output.answer({ migrated: true }, 'The database is up to date.');
    });
}
