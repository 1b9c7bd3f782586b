import { type Command, Option } from 'commander';
import {
  type AccountKeeping,
  addAccount,
  listAccounts,
  removeAccount,
  requireAccount,
  rotateAccount,
} from '../accounts/accounts.ts';
import { notificationPath, openAccount } from '../accounts/open-account.ts';
import type { AuditDetails } from '../audit-log/record-action.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import type { ChargeId } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import { KIND_OPTIONS } from '../providers/kind-options.ts';
import type { NotificationsPort } from '../providers/ports/notifications.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import {
  addCredentialOptions,
  type CredentialOptions,
  namingOptions,
  secretsIn,
  settingsIn,
  usesIn,
} from './account-options.ts';
import type { ActionsOf, CliContext } from './context.ts';
import type { CliAction } from './operator.ts';
import { accountJson, accountTable } from './present.ts';
import { addRecordMove } from './record-move-command.ts';
import { requireServed } from './require-served.ts';
import { UsageError } from './usage-error.ts';

interface AddOptions extends CredentialOptions {
  readonly store: string;
  readonly provider: string;
  readonly profile: string;
  readonly methods?: string;
}

/** Letters and digits that no charge has as its reference, so a test asks about an unknown charge and changes nothing. */
const REFERENCE_LENGTH = 26;

/** `accounts add`, `list`, `test`, `register`, `rotate`, `remove` and `record-move`. */
export function addAccountCommands(root: Command, context: CliContext): Command {
  const accounts = root
    .command('accounts')
    .description('Accounts of stores at banks and other providers, for real payments');
  addAdd(accounts, context);
  addList(accounts, context);
  addTest(accounts, context);
  addRegister(accounts, context);
  addRotate(accounts, context);
  addRemove(accounts, context);
  addRecordMove(accounts, context);
  return accounts;
}

/** Like {@link keeping}, in a transaction that also records the account's change in the audit log. */
async function keepingAudited<Result>(
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

function accountAction(action: string, { id, storeId }: ProviderAccount, details: AuditDetails): CliAction {
  return { action, storeId, subjectId: id, devMode: false, details };
}

/** Runs `work` on accounts with the configured keys and providers. */
export async function keeping<Result>(
  { withDatabase, secretsKeys }: CliContext,
  work: (accounts: AccountKeeping) => Promise<Result>,
): Promise<Result> {
  const keys = secretsKeys();
  // Imported here so that other commands do not load it.
  const { PROVIDER_KINDS } = await import('../providers/kinds.ts');
  return namingOptions(() => withDatabase((em) => work({ em, keys, kinds: PROVIDER_KINDS })));
}

function addAdd(accounts: Command, context: CliContext): void {
  const add = accounts
    .command('add')
    .description("Has a store's real charges and payouts go to its account at a provider")
    .requiredOption('--store <id>', 'the store')
    .addOption(
      new Option('--environment <environment>', 'dev environments have the sandbox')
        .choices(['prod'])
        .default('prod'),
    )
    .requiredOption('--provider <name>', `the kind of provider: ${Object.keys(KIND_OPTIONS).join(', ')}`)
    .requiredOption('--profile <name>', 'the institution; docs/guides/providers.md lists them')
    .option('--methods <list>', 'methods the provider supports, such as PIX,PAYOUT; default: all');
  addCredentialOptions(add).action(async (options: AddOptions) => {
    const { store: storeId, provider: kind, profile, methods } = options;
    const account = { storeId, kind, profile, settings: settingsIn(options), secrets: secretsIn(options) };
    const given = { ...account, uses: usesIn(methods) };
    const { missingOwnAccount, ...added } = await keepingAudited(
      context,
      (accounts, now) => addAccount(accounts, given, now),
      (made) => [accountAction('accounts/add', made.account, { kind, profile, uses: made.uses })],
    );
    const { id } = added.account;
    const made = `Added ${id}, which serves ${added.uses.join(', ')}. Test it with: accounts test ${id}`;
    const hint = missingOwnAccount === null ? '' : `\n${withoutPayouts(id, missingOwnAccount)}`;
    context.output.answer(accountJson(added), `${made}${hint}`);
  });
}

/** What to do if an account serves PAYOUT but the destination of the store's payouts is unknown. */
function withoutPayouts(id: string, setting: string): string {
  return (
    `It has no ${setting}: payouts/create is refused, pix/send works. Set the PIX key of the store’s own account with: ` +
    `accounts rotate ${id} --setting ${setting}=<key>`
  );
}

function addList(accounts: Command, { output, withDatabase }: CliContext): void {
  accounts
    .command('list')
    .description('Lists accounts, including removed ones, with their uses, oldest first; shows no secrets')
    .option('--store <id>', 'of one store')
    .action(async ({ store = null }: { readonly store?: string | null }) => {
      const found = await withDatabase((em) => listAccounts(em, store));
      output.answer(found.map(accountJson), accountTable(found));
    });
}

function addTest(accounts: Command, context: CliContext): void {
  accounts
    .command('test')
    .description('Tests credentials, certificate and address by asking the provider about an unknown charge')
    .argument('<id>', 'the account')
    .action(async (id: string) => {
      const startedAt = performance.now();
      const missing = await keeping(context, async (keys) => {
        const provider = openAccount(await requireAccount(keys.em, id), keys);
        await provider.charges.findByReference(
          mintId<ChargeId>('pixCharge', new Date()).slice(-REFERENCE_LENGTH),
        );
        return (await provider.missingPermissions?.()) ?? [];
      });
      const tookMs = Math.round(performance.now() - startedAt);
      const works = `${id} works: its provider answered in ${tookMs} ms.`;
      const lacks = `Its credentials lack permissions: ${missing.join(', ')}. Grant them at the provider (docs/guides/providers.md).`;
      context.output.answer(
        { id, works: true, tookMs, missingPermissions: missing },
        missing.length === 0 ? works : `${works}\n${lacks}`,
      );
    });
}

function addRegister(accounts: Command, context: CliContext): void {
  accounts
    .command('register')
    .description("Has the provider send the account's notifications to this service")
    .argument('<id>', 'the account')
    .option(
      '--url <address>',
      'the address at which the provider reaches this service; default: NOTIFICATIONS_URL, else PUBLIC_URL',
    )
    .option('--unchecked', 'skips the check that the service accepts notifications at that address')
    .action(async (id: string, options: { readonly url?: string; readonly unchecked?: boolean }) => {
      const { url = context.notificationsUrl(), unchecked = false } = options;
      if (!isReachedSafely(url))
        throw new UsageError('--url: must be an https address, such as https://pay.example.com');
      const address = await keeping(context, async (keys) => {
        const account = await requireAccount(keys.em, id);
        const { proof, probe } = notificationsOf(openAccount(account, keys));
        const path = notificationPath(account, keys.keys);
        return { url: `${url.replace(/\/$/, '')}${path}`, proof, probe };
      });
      // Only the bank has the client certificate that such an account requires, so the check cannot call the address.
      if (!unchecked && address.proof !== 'mtls')
        await requireServed(`${address.url}${address.probe.path}`, address.probe.body);
      // Committed before the call, because no transaction waits for a provider. The line records the request.
      await keepingAudited(
        context,
        ({ em }) => requireAccount(em, id),
        (account) => [accountAction('accounts/register', account, { url })],
      );
      const secrets = await keeping(context, async (keys) => {
        const account = await requireAccount(keys.em, id);
        return notificationsOf(openAccount(account, keys)).register(address.url);
      });
      if (Object.keys(secrets).length > 0) await storeSecrets(context, id, secrets);
      context.output.answer(
        { id, registered: true },
        `The provider of ${id} now sends its notifications to ${url}.`,
      );
    });
}

/** Stores what the provider made at the registration, such as the secret that signs its notifications. */
async function storeSecrets(
  context: CliContext,
  id: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  await keepingAudited(
    context,
    (accounts, now) => rotateAccount(accounts, id, { settings: {}, secrets }, now),
    (account) => [accountAction('accounts/rotate', account, { changed: Object.keys(secrets) })],
  );
}

function notificationsOf({ notifications }: PaymentProvider): NotificationsPort {
  if (notifications === undefined) throw new UsageError('the provider sends no notifications');
  return notifications;
}

/** The local `npm run psp` server may be called by http. */
function isReachedSafely(url: string): boolean {
  const { protocol, hostname = '' } = URL.parse(url) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname));
}

function addRotate(accounts: Command, context: CliContext): void {
  const rotate = accounts
    .command('rotate')
    .description("Changes an account's credentials or settings; omitted options stay unchanged")
    .argument('<id>', 'the account')
    .option('--yes', 'skips the confirmation');
  addCredentialOptions(rotate).action(
    async (id: string, { yes = false, ...options }: CredentialOptions & { readonly yes?: boolean }) => {
      const given = { settings: settingsIn(options), secrets: secretsIn(options) };
      const names = [...Object.keys(given.settings), ...Object.keys(given.secrets)];
      if (names.length === 0) throw new UsageError('give at least one option to change');
      await context.output.confirm(
        `All requests of ${id} to its provider will use the new ${names.join(', ')}.`,
        yes,
      );
      const account = await keepingAudited(
        context,
        (accounts, now) => rotateAccount(accounts, id, given, now),
        (rotated) => [accountAction('accounts/rotate', rotated, { changed: names })],
      );
      context.output.answer(
        { id, changed: names, version: account.version },
        `Changed ${names.join(', ')} of ${id}. Test it with: accounts test ${id}`,
      );
    },
  );
}

function addRemove(accounts: Command, context: CliContext): void {
  accounts
    .command('remove')
    .description(
      'Stops using an account for new charges and payouts; existing ones stay with it, and can be paid and refunded',
    )
    .argument('<id>', 'the account')
    .option('--yes', 'skips the confirmation')
    .action(async (id: string, { yes = false }: { readonly yes?: boolean }) => {
      await context.output.confirm(
        `The store of ${id} will take no real payments through it from now on.`,
        yes,
      );
      const { removedAt } = await namingOptions(() =>
        context.audited(
          (em, now) => removeAccount(em, id, now),
          // An account that was removed before stays unchanged.
          (account, _em, now) =>
            account.removedAt === now ? [accountAction('accounts/remove', account, {})] : [],
        ),
      );
      context.output.answer({ id, removedAt }, `Removed ${id}`);
    });
}
