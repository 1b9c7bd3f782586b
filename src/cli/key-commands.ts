import { type Command, Option } from 'commander';
import { limitDetails } from '../api/keys/api-keys.ts';
import type { AuditDetails } from '../audit-log/record-action.ts';
import type { ApiKey } from '../database/entities/api-key.ts';
import type { CliContext } from './context.ts';
import { type LimitOptions, limitsIn } from './key-limits.ts';
import { issueKey, limitServingKey, listKeys, parsePermissions, revokeKey } from './keys.ts';
import type { CliAction } from './operator.ts';
import { keepNote, keyJson, keyTable } from './present.ts';
import { addRotateKey } from './rotate-key-command.ts';
import { UsageError } from './usage-error.ts';

interface Json {
  readonly json?: true;
}

interface CreateOptions extends Json, LimitOptions {
  readonly store: string;
  readonly environment: 'dev' | 'prod';
  readonly description: string;
  readonly permissions?: string;
  readonly readOnly?: boolean;
  readonly public?: boolean;
}

const EXPIRES = 'when it stops working: an instant such as 2027-11-01T12:00:00Z, or a last day in São Paulo';
const ALLOW = 'the only addresses and networks it may be used from, separated by commas';

/** `keys create`, `keys list`, `keys limit`, `keys rotate` and `keys revoke`. */
export function addKeyCommands(root: Command, context: CliContext): void {
  const keys = root.command('keys').description('API keys, each of one store and one environment');
  addCreate(keys, context);
  addList(keys, context);
  addLimit(keys, context);
  addRotateKey(keys, context);
  addRevoke(keys, context);
}

function addCreate(keys: Command, { print, audited }: CliContext): void {
  keys
    .command('create')
    .description('Creates an API key and prints it once')
    .requiredOption('--store <id>', 'the store it is for')
    .addOption(
      new Option('--environment <environment>', 'dev for simulated payments, prod for real ones')
        .choices(['dev', 'prod'])
        .makeOptionMandatory(),
    )
    .requiredOption('--description <text>', 'what it is used for')
    .option(
      '--permissions <list>',
      '"all", or names separated by commas, such as WEBHOOK:READ; needed without --read-only or --public',
    )
    .option('--read-only', 'cannot change anything; without --permissions it can read everything')
    .option('--public', 'for browsers: may only exchange cards for tokens, and can be shown to everybody')
    .option('--expires <when>', EXPIRES)
    .option('--allow <list>', ALLOW)
    .option('--json', 'prints JSON')
    .action(async ({ json, store, environment, description, ...options }: CreateOptions) => {
      const given = {
        storeId: store,
        devMode: environment === 'dev',
        description,
        ...permissionsIn(options),
        ...limitsIn(options, new Date()),
      };
      const { key, keyText } = await audited(
        (em, now) => issueKey(em, given, now),
        (made) => [keyAction('keys/create', made.key, limitDetails(made.key))],
      );
      if (json) return print(JSON.stringify({ ...keyJson(key), key: keyText }));
      print(`Created ${key.id}\n\n  ${keyText}\n\n${keepNote(key)}`);
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

type KindOptions = Pick<CreateOptions, 'permissions' | 'readOnly' | 'public' | 'allow'>;

/**
 * @throws UsageError if a read-only key would get a permission that changes something, or another key would have no permission.
 */
function permissionsIn({ permissions, readOnly = false, ...options }: KindOptions) {
  if (options.public) {
    if (permissions !== undefined || readOnly || options.allow !== undefined)
      throw new UsageError('--public: goes without --permissions, --read-only and --allow');
    return { permissions: [], readOnly: false, isPublic: true };
  }
  if (permissions === undefined && !readOnly)
    throw new UsageError('--permissions: is needed; "all", or names such as WEBHOOK:READ, or --read-only');
  return { permissions: parsePermissions(permissions ?? 'all', readOnly), readOnly };
}

function addLimit(keys: Command, { print, output, audited }: CliContext): void {
  keys
    .command('limit')
    .description("Changes a key's expiry and allowed networks, effective from its next request")
    .argument('<id>', "the key's id, not its text")
    .option('--expires <when>', `${EXPIRES}; "never" for no end`)
    .option('--allow <list>', `${ALLOW}; "anywhere" for no limit`)
    .option('--yes', 'skips the confirmation')
    .option('--json', 'prints JSON')
    .action(async (id: string, options: Json & LimitOptions & { readonly yes?: boolean }) => {
      const limits = limitsIn(options, new Date());
      if (Object.keys(limits).length === 0) throw new UsageError('give --expires, --allow, or both');
      await output.confirm(`The new limits apply to requests with ${id} immediately.`, options.yes ?? false);
      const { key } = await audited(
        (em, now) => limitServingKey(em, id, limits, now),
        (limited) =>
          limited.isChanged ? [keyAction('keys/limit', limited.key, limitDetails(limited.key))] : [],
      );
      print(options.json ? JSON.stringify(keyJson(key)) : keyTable([key]));
    });
}

function addRevoke(keys: Command, { print, output, audited }: CliContext): void {
  keys
    .command('revoke')
    .description('Revokes a key: requests with it are refused immediately')
    .argument('<id>', "the key's id, not its text")
    .option('--yes', 'skips the confirmation')
    .option('--json', 'prints JSON')
    .action(async (id: string, { json, yes = false }: Json & { readonly yes?: boolean }) => {
      await output.confirm(`Requests with ${id} will be refused permanently from now on.`, yes);
      const key = await audited(
        (em, now) => revokeKey(em, id, now),
        // A key that was revoked before stays unchanged.
        (revoked, _em, now) =>
          revoked.revokedAt?.getTime() === now.getTime() ? [keyAction('keys/revoke', revoked)] : [],
      );
      print(json ? JSON.stringify(keyJson(key)) : `Revoked ${key.id}`);
    });
}

function keyAction(action: string, { id, storeId, devMode }: ApiKey, details?: AuditDetails): CliAction {
  return { action, storeId, subjectId: id, devMode, ...(details !== undefined && { details }) };
}
