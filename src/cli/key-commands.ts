import { type Command, Option } from 'commander';
import type { ApiKey } from '../database/entities/api-key.ts';
import type { CliContext } from './context.ts';
import { issueKey, listKeys, parsePermissions, revokeKey } from './keys.ts';
import type { CliAction } from './operator.ts';
import { keyJson, keyTable } from './present.ts';

interface Json {
  readonly json?: true;
}

interface CreateOptions extends Json {
  readonly store: string;
  readonly environment: 'dev' | 'prod';
  readonly description: string;
  readonly permissions: string;
}

/** `keys create`, `keys list` and `keys revoke`. */
export function addKeyCommands(root: Command, context: CliContext): void {
  const keys = root.command('keys').description('API keys, each of one store and one environment');
  addCreate(keys, context);
  addList(keys, context);
  addRevoke(keys, context);
}

function addCreate(keys: Command, { print, audited }: CliContext): void {
  keys
    .command('create')
    .description('Creates an API key and prints its text, this once')
    .requiredOption('--store <id>', 'the store it is for')
    .addOption(
      new Option('--environment <environment>', 'dev for simulated payments, prod for real ones')
        .choices(['dev', 'prod'])
        .makeOptionMandatory(),
    )
    .requiredOption('--description <text>', 'what it is used for')
    .requiredOption('--permissions <list>', '"all", or names separated by commas, such as WEBHOOK:READ')
    .option('--json', 'prints JSON')
    .action(async ({ json, store, environment, description, permissions }: CreateOptions) => {
      const given = {
        storeId: store,
        devMode: environment === 'dev',
        description,
        permissions: parsePermissions(permissions),
      };
      const { key, keyText } = await audited(
        (em, now) => issueKey(em, given, now),
        (made) => [keyAction('keys/create', made.key)],
      );
      if (json) return print(JSON.stringify({ ...keyJson(key), key: keyText }));
      print(
        `Created ${key.id}\n\n  ${keyText}\n\nKeep it now: it is stored as a hash and cannot be shown again.`,
      );
    });
}

function addList(keys: Command, { print, withDatabase }: CliContext): void {
  keys
    .command('list')
    .description('Lists the keys of a store, oldest first')
    .requiredOption('--store <id>', 'the store')
    .option('--json', 'prints JSON')
    .action(async ({ store, json }: { store: string } & Json) => {
      const found = await withDatabase((em) => listKeys(em, store));
      print(json ? JSON.stringify(found.map(keyJson)) : keyTable(found));
    });
}

function addRevoke(keys: Command, { print, output, audited }: CliContext): void {
  keys
    .command('revoke')
    .description('Revokes a key: requests with it are refused from now on')
    .argument('<id>', "the key's id, not its text")
    .option('--yes', 'asks nothing')
    .option('--json', 'prints JSON')
    .action(async (id: string, { json, yes = false }: Json & { readonly yes?: boolean }) => {
      await output.confirm(`Whoever uses ${id} will be refused from now on, for ever.`, yes);
      const key = await audited(
        (em, now) => revokeKey(em, id, now),
        // One that was revoked before stays as it was.
        (revoked, _em, now) =>
          revoked.revokedAt?.getTime() === now.getTime() ? [keyAction('keys/revoke', revoked)] : [],
      );
      print(json ? JSON.stringify(keyJson(key)) : `Revoked ${key.id}`);
    });
}

function keyAction(action: string, { id, storeId, devMode }: ApiKey): CliAction {
  return { action, storeId, subjectId: id, devMode };
}
