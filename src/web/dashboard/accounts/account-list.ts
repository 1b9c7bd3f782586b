import { type ListedAccount, listAccounts } from '../../../accounts/accounts.ts';
import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, day, guideLink, section, time } from '../frame/components.ts';
import { page } from '../frame/layout.ts';
import { linkTo } from '../frame/place.ts';
import type { Reply } from '../frame/route.ts';
import { emptyState, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { institutionName, kindOf } from './account-kinds.ts';
import { choiceName, useName } from './account-words.ts';

/** GET `/accounts`: the store's accounts at providers. Test has the sandbox, and no accounts. */
export async function renderAccounts(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const title = say('dashboard.accounts.title');
  if (visit.devMode) return page(visit, { title, active: 'accounts', body: onlyInProduction(visit) });
  const accounts = await listAccounts(visit.em, visit.store.id);
  const body = table({
    caption: title,
    headings: [
      say('dashboard.accounts.provider'),
      say('dashboard.accounts.usedFor'),
      say('dashboard.accounts.environment'),
      say('dashboard.state'),
      say('dashboard.accounts.lastTest'),
      say('dashboard.accounts.notifications'),
    ],
    rows: accounts.map((listed) => ({
      href: visit.link(`/accounts/${listed.account.id}`),
      cells: cellsOf(visit, listed),
    })),
    empty: emptyState({
      icon: 'landmark',
      title: say('dashboard.accounts.noneYet'),
      text: say('dashboard.accounts.anAccountTakesRealPayments'),
      action: guideLink(visit, 'providers', say('dashboard.home.accountsAndProviders')),
    }),
  });
  const add = html`<a class="button" href="${visit.link('/accounts/new')}">${icon('plus')}${say('dashboard.accounts.add')}</a>`;
  return page(visit, { title, active: 'accounts', body, actions: add });
}

function onlyInProduction(visit: Visit): Html {
  const { say } = visit;
  const production = linkTo({ ...visit.place, devMode: false }, '/accounts');
  return section(
    say('dashboard.accounts.onlyInProduction'),
    html`<p>${say('dashboard.accounts.testHasTheSandbox')}</p>
<p><a href="${production}">${say('dashboard.accounts.seeProduction')}</a></p>`,
  );
}

function cellsOf(visit: Visit, { account, uses }: ListedAccount): readonly (string | Html)[] {
  return [
    institutionName(visit, account),
    uses.map((use) => useName(visit.say, use)).join(', ') || '–',
    environmentName(visit, account) ?? '–',
    html`${stateBadge(visit, account)}${certificateNote(visit, account)}`,
    lastTestBadge(visit, account),
    registrationBadge(visit, account),
  ];
}

/** Production or test, as the provider calls its environments; null if it has one only. */
export function environmentName(visit: Visit, account: ProviderAccount): string | null {
  const kind = kindOf(visit, account);
  const setting = kind?.environmentSetting ?? null;
  if (kind === null || setting === null) return null;
  const option = kind.optionsOf(account.profile).find(({ name }) => name === setting);
  const first = Array.isArray(option?.input) ? String(option.input[0]) : 'production';
  return choiceName(visit.say, account.settings[setting] ?? first);
}

export function stateBadge({ say }: Visit, { removedAt }: ProviderAccount): Html {
  return removedAt === null
    ? badge('good', say('dashboard.active'))
    : badge('plain', say('dashboard.accounts.disabled'));
}

/** Banks take days to issue a new certificate. */
const NOTICE_MS = 30 * 24 * 60 * 60 * 1_000;

function certificateNote(visit: Visit, { certificateEndsAt, removedAt }: ProviderAccount): Html | null {
  if (certificateEndsAt === null || removedAt !== null) return null;
  const { say, now } = visit;
  if (certificateEndsAt <= now) return html` ${badge('bad', say('dashboard.accounts.certificateHasEnded'))}`;
  return certificateEndsAt.getTime() - now.getTime() < NOTICE_MS
    ? html` ${badge('waiting', say('dashboard.accounts.certificateEnds'))} ${day(visit, certificateEndsAt)}`
    : null;
}

export function lastTestBadge(visit: Visit, { testedAt, lastTest }: ProviderAccount): Html {
  const { say } = visit;
  if (testedAt === null || lastTest === null) return badge('plain', say('dashboard.accounts.notTested'));
  const { failure, missingPermissions } = lastTest;
  const outcome =
    failure !== null
      ? badge('bad', say('dashboard.accounts.failed'))
      : missingPermissions.length > 0
        ? badge('waiting', say('dashboard.accounts.permissionsMissing', { count: missingPermissions.length }))
        : badge('good', say('dashboard.accounts.works'));
  return html`${outcome} ${time(visit, testedAt)}`;
}

/** Whether the provider sends notifications. */
export function registrationBadge(visit: Visit, { registeredAt }: ProviderAccount): Html {
  const { say } = visit;
  return registeredAt === null
    ? badge('waiting', say('dashboard.accounts.notRegistered'))
    : html`${badge('good', say('dashboard.accounts.registered'))} ${time(visit, registeredAt)}`;
}
