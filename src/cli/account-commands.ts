import { type Command, Option } from 'commander';
import { changeUses } from '../accounts/account-uses.ts';
import { addAccount, listAccounts, removeAccount, rotateAccount } from '../accounts/accounts.ts';
import { KIND_OPTIONS } from '../providers/kind-options.ts';
import { addRegister, addTest } from './account-connection-commands.ts';
import {
  addCredentialOptions,
  type CredentialOptions,
  namingOptions,
  secretsIn,
  settingsIn,
  usesIn,
} from './account-options.ts';
import type { CliContext } from './context.ts';
import { accountJson, accountTable } from './present.ts';
import { addRecordMove } from './record-move-command.ts';
import { UsageError } from './usage-error.ts';
import { accountAction, withAuditedAccounts } from './with-accounts.ts';

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
    const { missingOwnAccount, ...added } = await withAuditedAccounts(
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
        const served = await withAuditedAccounts(
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
      const account = await withAuditedAccounts(
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
