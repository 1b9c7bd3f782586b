import type { Command } from 'commander';
import { requireAccount } from '../accounts/provider-accounts.ts';
import { AddressNotServed, recordRegistration, registrationOf } from '../accounts/register-account.ts';
import { recordTest, testAccount } from '../accounts/test-account.ts';
import { registerWalletPages, type WalletPagesState } from '../accounts/wallet-pages.ts';
import type { RefusedNews } from '../providers/ports/notifications.ts';
import type { WalletState } from '../providers/ports/wallet-pages.ts';
import type { CliContext } from './context.ts';
import { UsageError } from './usage-error.ts';
import { accountAction, withAccounts, withAuditedAccounts } from './with-accounts.ts';

/** `accounts test`. */
export function addTest(accounts: Command, context: CliContext): void {
  accounts
    .command('test')
    .description('Tests credentials, certificate and address by asking the provider about an unknown charge')
    .argument('<id>', 'the account')
    .action(async (id: string) => {
      const tested = await withAccounts(context, async (keys) => {
        const account = await requireAccount(keys.em, id);
        return { account, result: await testAccount(account, keys, context.publicUrl()) };
      });
      const { tookMs, failure, missingPermissions, wallets } = tested.result;
      await withAuditedAccounts(
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

/** `accounts register`. */
export function addRegister(accounts: Command, context: CliContext): void {
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
      const registration = await withAccounts(context, async (keys) =>
        registrationOf(await requireAccount(keys.em, id), keys, { baseUrl: url, isChecked: !unchecked }),
      ).catch((error: unknown) => {
        throw error instanceof AddressNotServed ? notServed(error) : error;
      });
      // Committed before the call, because no transaction waits for a provider. The line records the request.
      await withAuditedAccounts(
        context,
        ({ em }) => requireAccount(em, id),
        (account) => [accountAction('accounts/register', account, { url })],
      );
      const { secrets, refused } = await registration.notifications.register(registration.url);
      await withAuditedAccounts(
        context,
        (accounts, now) => recordRegistration(accounts, id, secrets, now),
        (changed) =>
          changed.length === 0 ? [] : [accountAction('accounts/rotate', registration.account, { changed })],
      );
      const pages = await withAccounts(context, (keys) =>
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
