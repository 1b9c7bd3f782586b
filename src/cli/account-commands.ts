import { type Command, Option } from 'commander';
import { changeUses } from '../accounts/account-uses.ts';
import { addAccount, listAccounts, removeAccount, rotateAccount } from '../accounts/accounts.ts';
import type { AccountKeeping } from '../accounts/open-account.ts';
import { requireAccount } from '../accounts/provider-accounts.ts';
import { AddressNotServed, recordRegistration, registrationOf } from '../accounts/register-account.ts';
import { recordTest, testAccount } from '../accounts/test-account.ts';
import { registerWalletPages, type WalletPagesState } from '../accounts/wallet-pages.ts';
import type { AuditDetails } from '../audit-log/record-action.ts';
import type { ProviderAccount } from '../database/entities/provider-account.ts';
import { KIND_OPTIONS } from '../providers/kind-options.ts';
import type { RefusedNews } from '../providers/ports/notifications.ts';
import type { WalletState } from '../providers/ports/wallet-pages.ts';
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
import { UsageError } from './usage-error.ts';

interface AddOptions extends CredentialOptions {
  readonly store: string;
  readonly provider: string;
  readonly profile: string;
  readonly methods?: string;
}

/** `accounts add`, `list`, `test`, `register`, `rotate`, `methods`, `remove` and `record-move`. */
export function addAccountCommands(root: Command, context: CliContext): Command {
  const accounts = root
    .command('accounts')
    .description('Accounts of stores at banks and other providers, for real payments');
  addAdd(accounts, context);
  addList(accounts, context);
  addTest(accounts, context);
  addRegister(accounts, context);
  addRotate(accounts, context);
  addMethods(accounts, context);
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
      const tested = await keeping(context, async (keys) => {
        const account = await requireAccount(keys.em, id);
        return { account, result: await testAccount(account, keys, context.publicUrl()) };
      });
      const { tookMs, failure, missingPermissions, wallets } = tested.result;
      await keepingAudited(
        context,
        async ({ em }, now) => recordTest(em, tested.account, tested.result, now),
        () => [accountAction('accounts/test', tested.account, { failure: failure?.kind ?? null })],
      );
      if (failure !== null) throw failure;
      const works = `${id} works: its provider answered in ${tookMs} ms.`;
      const lacks = `Its credentials lack permissions: ${missingPermissions.join(', ')}. Grant them at the provider (docs/guides/providers.md).`;
      context.output.answer(
        { id, works: true, tookMs, missingPermissions, wallets },
        [works, ...(missingPermissions.length === 0 ? [] : [lacks]), ...wallets.map(walletLine)].join('\n'),
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
      const registration = await keeping(context, async (keys) =>
        registrationOf(await requireAccount(keys.em, id), keys, { baseUrl: url, isChecked: !unchecked }),
      ).catch((error: unknown) => {
        throw error instanceof AddressNotServed ? notServed(error) : error;
      });
      // Committed before the call, because no transaction waits for a provider. The line records the request.
      await keepingAudited(
        context,
        ({ em }) => requireAccount(em, id),
        (account) => [accountAction('accounts/register', account, { url })],
      );
      const { secrets, refused } = await registration.notifications.register(registration.url);
      await keepingAudited(
        context,
        (accounts, now) => recordRegistration(accounts, id, secrets, now),
        (changed) =>
          changed.length === 0 ? [] : [accountAction('accounts/rotate', registration.account, { changed })],
      );
      const pages = await keeping(context, (keys) =>
        registerWalletPages(registration.account, keys, context.publicUrl()),
      );
      context.output.answer(
        { id, registered: true, refused, wallets: pages?.wallets ?? [] },
        [
          `The provider of ${id} now sends its notifications to ${url}.`,
          ...refused.map(refusedLine),
          ...walletLinesOf(pages),
        ].join('\n'),
      );
    });
}

const NEWS = { MANDATES: 'authorizations of debits', DEBITS: 'ordered debits' } as const;

function refusedLine({ news, reason }: RefusedNews): string {
  return `It refuses to send news of ${NEWS[news]} (${reason}). Recebe asks about them by itself, which takes up to a day.`;
}

function walletLinesOf(pages: WalletPagesState | null): readonly string[] {
  if (pages === null) return [];
  if (pages.failure !== null)
    return [`Its wallets are not registered for ${pages.host}: ${pages.failure.message}`];
  return pages.wallets.map(walletLine);
}

function walletLine({ wallet, isActive, problem }: WalletState): string {
  return `${wallet}: ${isActive ? 'active' : `not active${problem === null ? '' : ` (${problem})`}`}`;
}

function notServed({ origin, reason }: AddressNotServed): UsageError {
  return new UsageError(
    `--url: the service does not take notifications of this account at ${origin} (${reason}). Give the address that the ` +
      'service has as NOTIFICATIONS_URL, or else as PUBLIC_URL. If this machine cannot reach that address, add --unchecked',
  );
}

function addMethods(accounts: Command, context: CliContext): void {
  accounts
    .command('methods')
    .description('Changes which methods an account serves; existing charges and payouts stay with it')
    .argument('<id>', 'the account')
    .requiredOption('--methods <list>', 'all methods that it serves from now on, such as CARD,BOLETO')
    .option('--yes', 'skips the confirmation')
    .action(
      async (id: string, { methods, yes = false }: { readonly methods: string; readonly yes?: boolean }) => {
        const wanted = usesIn(methods) ?? [];
        await context.output.confirm(`${id} will serve ${wanted.join(', ')}, and nothing else.`, yes);
        const served = await keepingAudited(
          context,
          (accounts, now) => changeUses(accounts, id, wanted, now),
          ({ account, uses, isChanged }) =>
            isChanged ? [accountAction('accounts/methods', account, { uses })] : [],
        );
        context.output.answer(accountJson(served), `${id} serves ${served.uses.join(', ')}.`);
      },
    );
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
