import type { Command } from 'commander';

import { migrate } from '../database/migrate.ts';
import { grantServiceRole, RoleUnfit } from '../database/service-role.ts';
import { addAccountCommands } from './account-commands.ts';
import { addAttentionCommands } from './attention-commands.ts';
import { addAuditCommands } from './audit-commands.ts';
import { addBuildCommands } from './build-commands.ts';
import { contextOf } from './context.ts';
import { addDemoCommands } from './demo-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import type { CliHost, Output } from './host.ts';
import { addImportCommands } from './import-commands.ts';
import { databaseUrlOf } from './instance.ts';
import { addKeyCommands } from './key-commands.ts';
import { addLedgerCommands } from './ledger-commands.ts';
import { addLogCommand } from './log-commands.ts';
import { addReconcileCommand } from './reconcile-command.ts';
import { addRecoverCommand } from './recover-command.ts';
import { addSecretsCommands } from './secrets-commands.ts';
import { addStoreCommands } from './store-commands.ts';
import { UsageError } from './usage-error.ts';
import { addUserCommands } from './user-commands.ts';
import { addWorkflowCommands } from './workflow-commands.ts';

/** Commands for operators: they use the service's database and Temporal server. */
export function addOperatorCommands(root: Command, host: CliHost, output: Output): void {
  const context = contextOf(host, output);
  root.commandsGroup("For operators, using the service's database and Temporal server:");
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
  addImportCommands(root, context, host);
  addDemoCommands(root, context);
  addLogCommand(root, host, output);
  root
    .command('migrate')
    .description('Migrates the database to this version; safe to run at any time')
    .option(
      '--service-role <role>',
      'also grants this role the rights that API, workers and commands need, except changing the audit log',
    )
    .action(async ({ serviceRole = null }: { readonly serviceRole?: string | null }) => {
      const url = databaseUrlOf(host.env);
      await migrate(url);
      if (serviceRole !== null) await grantTo(url, serviceRole);
      const granted = serviceRole === null ? '' : ` "${serviceRole}" can run the service.`;
      output.answer({ migrated: true, serviceRole }, `The database is up to date.${granted}`);
    });
}

/** @throws UsageError if the role cannot run the service, or could change the audit log. */
async function grantTo(url: string, role: string): Promise<void> {
  try {
    await grantServiceRole(url, role);
  } catch (error) {
    if (error instanceof RoleUnfit) throw new UsageError(`--service-role: ${error.message}`);
    throw error;
  }
}
