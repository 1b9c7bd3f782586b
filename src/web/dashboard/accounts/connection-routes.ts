import {
  AddressNotServed,
  type Registration,
  recordRegistration,
  registrationOf,
} from '../../../accounts/register-account.ts';
import { recordTest, testAccount } from '../../../accounts/test-account.ts';
import { registerWalletPages } from '../../../accounts/wallet-pages.ts';
import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import type { RefusedNews } from '../../../providers/ports/notifications.ts';
import { ProviderError } from '../../../providers/provider-error.ts';
import { WrongAccountSetting } from '../../../providers/provider-kind.ts';
import { type DashboardRoute, dashboardRoute, refused, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { keepingOf, requireServingAccount } from './account-access.ts';
import { failureText } from './account-words.ts';

/** Asks for no password: it changes nothing at the provider, and shows nothing secret. */
const test = dashboardRoute({
  method: 'POST',
  path: '/accounts/:id/test',
  action: 'provider-account:manage',
  async handler(visit) {
    const account = await requireServingAccount(visit);
    const result = await testAccount(account, keepingOf(visit, visit.em), visit.deps.publicUrl);
    const details = { failure: result.failure?.kind ?? null };
    const work = async (em: Visit['em']) => {
      await recordTest(em, account, result, visit.now);
      return account.id;
    };
    await visit.act('accounts/test', 'of environment', work, details);
    if (result.failure === null)
      return seeOther(
        pageOf(visit, account),
        visit.say('dashboard.accounts.answeredIn', { ms: result.tookMs }),
      );
    visit.log.warn({ err: result.failure, accountId: account.id }, 'provider account test failed');
    return refused(pageOf(visit, account), failureText(visit.say, result.failure.kind));
  },
});

/** Asks for no password: notifications go to the configured address of this service, and nowhere else. */
const register = dashboardRoute({
  method: 'POST',
  path: '/accounts/:id/register',
  action: 'provider-account:manage',
  async handler(visit) {
    const account = await requireServingAccount(visit);
    const { notificationsUrl: baseUrl } = visit.deps;
    let withoutNews: readonly RefusedNews[];
    try {
      const keeping = keepingOf(visit, visit.em);
      const registration = await registrationOf(account, keeping, { baseUrl, isChecked: true });
      withoutNews = await registerAt(visit, registration);
    } catch (error) {
      return refused(pageOf(visit, account), registrationProblem(visit, error));
    }
    const done =
      withoutNews.length > 0
        ? 'dashboard.accounts.isRegisteredForPayments'
        : 'dashboard.accounts.isRegistered';
    return seeOther(pageOf(visit, account), visit.say(done));
  },
});

/**
 * The line of the request is committed before the call, because no transaction waits for a provider.
 * @returns what the provider does not send.
 */
async function registerAt(
  visit: Visit,
  { account, notifications, url }: Registration,
): Promise<readonly RefusedNews[]> {
  const origin = { url: visit.deps.notificationsUrl };
  await visit.act('accounts/register', 'of environment', async () => account.id, origin);
  const { secrets, refused } = await notifications.register(url);
  const pages = await registerWalletPages(account, keepingOf(visit, visit.em), visit.deps.publicUrl);
  if (pages?.failure) visit.log.warn({ err: pages.failure }, 'wallets of a provider account not registered');
  await visit.actAgain('accounts/rotate', async (em) => {
    const changed = await recordRegistration(keepingOf(visit, em), account.id, secrets, visit.now);
    return changed.length === 0 ? null : { subjectId: account.id, details: { changed } };
  });
  return refused;
}

function registrationProblem(visit: Visit, error: unknown): string {
  const { say, log } = visit;
  if (error instanceof AddressNotServed)
    return say('dashboard.accounts.addressNotServed', { origin: error.origin });
  if (error instanceof WrongAccountSetting) return say('dashboard.accounts.cannotRegister');
  if (!(error instanceof ProviderError)) throw error;
  log.warn({ err: error }, 'provider account registration failed');
  return failureText(say, error.kind);
}

function pageOf(visit: Visit, { id }: ProviderAccount): string {
  return visit.link(`/accounts/${id}`);
}

/** What asks the provider: the test of an account, and the registration for notifications. */
export const connectionPages: readonly DashboardRoute[] = [test, register];
