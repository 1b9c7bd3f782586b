import type { AccountKeeping } from '../accounts/open-account.ts';
import type { AuditDetails } from '../audit-log/record-action.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import { namingOptions } from './account-options.ts';
import type { ActionsOf, CliContext } from './context.ts';
import type { CliAction } from './operator.ts';

/** Runs `work` on accounts with the configured keys and providers. */
export async function withAccounts<Result>(
  { withDatabase, secretsKeys }: CliContext,
  work: (accounts: AccountKeeping) => Promise<Result>,
): Promise<Result> {
  const keys = secretsKeys();
  // Imported here so that other commands do not load it.
  const { PROVIDER_KINDS } = await import('../providers/kinds.ts');
  return namingOptions(() => withDatabase((em) => work({ em, keys, kinds: PROVIDER_KINDS })));
}

/** Like {@link withAccounts}, in a transaction that also records the account's change in the audit log. */
export async function withAuditedAccounts<Result>(
  context: CliContext,
  work: (accounts: AccountKeeping, now: Date) => Promise<Result>,
  actionsOf: ActionsOf<Result>,
): Promise<Result> {
  const keys = context.secretsKeys();
  const { PROVIDER_KINDS } = await import('../providers/kinds.ts');
  return namingOptions(() =>
    context.audited((em, now) => work({ em, keys, kinds: PROVIDER_KINDS }, now), actionsOf),
  );
}

/** The line of an account in the audit log. */
export function accountAction(
  action: string,
  { id, storeId }: ProviderAccount,
  details: AuditDetails,
): CliAction {
  return { action, storeId, subjectId: id, devMode: false, details };
}
