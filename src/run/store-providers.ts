import type { Logger } from 'pino';
import { AccountProviders } from '../accounts/account-providers.ts';
import type { Database } from '../database/orm.ts';
import { PROVIDER_KINDS } from '../providers/kinds.ts';
import type { Providers } from '../providers/providers.ts';
import { SandboxBank } from '../providers/sandbox/sandbox-bank.ts';
import { SandboxDisputes } from '../providers/sandbox/sandbox-disputes.ts';
import { sandboxMandates } from '../providers/sandbox/sandbox-mandates.ts';
import { createSandboxProvider } from '../providers/sandbox/sandbox-provider.ts';
import { SandboxTransfers } from '../providers/sandbox/sandbox-transfers.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';

/** The accounts of stores, and the sandbox of their dev environments, without the parts of a running service. */
export function storeProviders(database: Database, secretsKeys: SecretsKeys, log: Logger): Providers {
  const bank = new SandboxBank(database);
  const sandbox = createSandboxProvider(
    bank,
    new SandboxDisputes(database),
    new SandboxTransfers(database),
    sandboxMandates(database, bank),
  );
  return new AccountProviders({ database, secretsKeys, kinds: PROVIDER_KINDS, sandbox, log });
}
