import type { ProviderAccount, TestedWallet } from '../../../database/entities/provider-account.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, copyChip, day, linkButton, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { form } from '../frame/form.ts';
import type { Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { methodName } from '../words.ts';
import { requireOwnAccount, storedSecretNames, usesOfAccount } from './account-access.ts';
import { booksSection } from './account-books.ts';
import { institutionName, kindOf } from './account-kinds.ts';
import { environmentName, lastTestBadge, registrationBadge, stateBadge } from './account-list.ts';
import { choiceName, failureText, lackOf, optionLabel, useName } from './account-words.ts';

/** GET `/accounts/:id`: an account, its last test, and what can be done with it. @throws Refusal 404 */
export async function renderAccount(visit: Visit): Promise<Reply> {
  const { say } = visit;
  const account = await requireOwnAccount(visit);
  const uses = await usesOfAccount(visit, account);
  const isServing = account.removedAt === null;
  return detailPage(visit, {
    title: institutionName(visit, account),
    active: 'accounts',
    state: stateBadge(visit, account),
    ...(isServing && { actions: changeButton(visit, account) }),
    main: html`${isServing && testSection(visit, account)}
${isServing && notificationsSection(visit, account)}
${section(say('dashboard.accounts.methods'), methods(visit, account, uses))}
${await booksSection(visit, account)}
${isServing ? section(say('dashboard.accounts.disable'), disable(visit, account)) : section(say('dashboard.accounts.disabled'), html`<p>${say('dashboard.accounts.whatADisabledAccountDoes')}</p>`)}`,
    cards: [
      {
        title: say('dashboard.details'),
        rows: [
          ['Id', copyChip(visit, account.id)],
          [say('dashboard.accounts.environment'), environmentName(visit, account) ?? '–'],
          [say('dashboard.created'), time(visit, account.createdAt)],
          account.rotatedAt === null
            ? null
            : [say('dashboard.accounts.lastChanged'), time(visit, account.rotatedAt)],
          account.certificateEndsAt === null
            ? null
            : [say('dashboard.accounts.certificateEnds'), day(visit, account.certificateEndsAt)],
          account.removedAt === null
            ? null
            : [say('dashboard.accounts.disabled'), time(visit, account.removedAt)],
        ],
      },
      { title: say('dashboard.accounts.settings'), rows: settingRows(visit, account) },
    ],
  });
}

/** Settings with their values, and secrets as stored or not. */
function settingRows(visit: Visit, account: ProviderAccount): (readonly [string, string | Html])[] {
  const { say } = visit;
  const options = kindOf(visit, account)?.optionsOf(account.profile) ?? [];
  const stored = storedSecretNames(visit, account);
  const settings = Object.entries(account.settings).map(([name, value]) => {
    const isChoice = options.some((option) => option.name === name && typeof option.input !== 'string');
    return [optionLabel(say, name), isChoice ? choiceName(say, value) : html`<code>${value}</code>`] as const;
  });
  const secrets = options
    .filter(({ gives, name }) => gives === 'SECRET' && stored?.includes(name))
    .map(({ name }) => [optionLabel(say, name), say('dashboard.accounts.storedEncrypted')] as const);
  const unreadable =
    stored === null
      ? [[say('dashboard.accounts.secrets'), badge('bad', say('dashboard.accounts.unreadable'))] as const]
      : [];
  return [...settings, ...secrets, ...unreadable];
}

function changeButton(visit: Visit, { id }: ProviderAccount): Html {
  return html` ${linkButton(visit, `/accounts/${id}/edit`, visit.say('dashboard.accounts.change'))}`;
}

function testSection(visit: Visit, account: ProviderAccount): Html {
  const { say } = visit;
  return section(
    say('dashboard.accounts.connection'),
    html`<p>${lastTestBadge(visit, account)}</p>
${lastTestDetails(visit, account)}
<p class="soft">${say('dashboard.accounts.testMeans')}</p>
${form(visit, { action: `/accounts/${account.id}/test`, submit: say('dashboard.accounts.test') })}`,
  );
}

/** What the last test found, in words, with the provider's own names. */
function lastTestDetails({ say }: Visit, { lastTest }: ProviderAccount): Html | null {
  if (lastTest === null) return null;
  const { failure, missingPermissions, wallets = [] } = lastTest;
  if (failure !== null) return html`<p>${failureText(say, failure)}</p>`;
  const shownWallets = wallets.map((each) => walletLine(say, each));
  if (missingPermissions.length === 0) return html`${shownWallets}`;
  return html`${shownWallets}<p>${say('dashboard.accounts.grantThem')}</p>
<ul>${missingPermissions.map((name) => html`<li><code>${name}</code> ${lackOf(say, name)}</li>`)}</ul>`;
}

/** Whether payers see a wallet, and what is missing in the provider's words. */
function walletLine(say: Visit['say'], { wallet, isActive, problem }: TestedWallet): Html {
  const state = isActive
    ? badge('good', say('dashboard.accounts.walletShown'))
    : badge('waiting', say('dashboard.accounts.walletNotShown'));
  return html`<p>${methodName(wallet, say)} ${state}${problem !== null && html` <span class="soft">${problem}</span>`}</p>\n`;
}

function notificationsSection(visit: Visit, account: ProviderAccount): Html {
  const { say } = visit;
  return section(
    say('dashboard.accounts.notifications'),
    html`<p>${registrationBadge(visit, account)}</p>
<p class="soft">${say('dashboard.accounts.registerMeans', { origin: new URL(visit.deps.notificationsUrl).origin })}</p>
${form(visit, { action: `/accounts/${account.id}/register`, submit: say('dashboard.accounts.register') })}`,
  );
}

function methods(
  visit: Visit,
  { id, removedAt }: ProviderAccount,
  uses: Awaited<ReturnType<typeof usesOfAccount>>,
): Html {
  const { say } = visit;
  return html`<p>${uses.map((use) => useName(say, use)).join(', ') || '–'}</p>
${removedAt === null && html`<p>${linkButton(visit, `/accounts/${id}/methods`, say('dashboard.accounts.changeMethods'))}</p>`}`;
}

function disable(visit: Visit, { id }: ProviderAccount): Html {
  const { say } = visit;
  return html`<p>${say('dashboard.accounts.whatADisabledAccountDoes')}</p>
<p>${linkButton(visit, `/accounts/${id}/disable`, say('dashboard.accounts.disable'), 'danger')}</p>`;
}
