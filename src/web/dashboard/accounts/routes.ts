import { changeUses } from '../../../accounts/account-uses.ts';
import { addAccount, removeAccount, rotateAccount } from '../../../accounts/accounts.ts';
import { openAccount } from '../../../accounts/open-account.ts';
import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import type { ProviderUse } from '../../../domain/provider-use.ts';
import type { AccountOption } from '../../../providers/provider-kind.ts';
import { usesOf } from '../../../providers/providers.ts';
import type { Problems } from '../../frame/fields.ts';
import { type DashboardRoute, dashboardRoute, nothingHere, refused, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import {
  keepingOf,
  requireProduction,
  requireServingAccount,
  storedSecretNames,
  usesOfAccount,
} from './account-access.ts';
import { MAX_ACCOUNT_FILES_BYTES } from './account-form.ts';
import { type Institution, institutions, kindOf } from './account-kinds.ts';
import { renderAccounts } from './account-list.ts';
import { renderAccount } from './account-page.ts';
import {
  renderDisable,
  renderEditAccount,
  renderInstitutions,
  renderMethods,
  renderNewAccount,
} from './account-pages.ts';
import { changeAccount } from './change-account.ts';
import { connectionPages } from './connection-routes.ts';
import { changeIn, typedSecrets, typedSettings, typedUses } from './typed-account.ts';

const action = 'provider-account:manage';

const list = dashboardRoute({ method: 'GET', path: '/accounts', action, handler: renderAccounts });

const show = dashboardRoute({ method: 'GET', path: '/accounts/:id', action, handler: renderAccount });

const choose = dashboardRoute({
  method: 'GET',
  path: '/accounts/new',
  action,
  async handler(visit) {
    requireProduction(visit);
    return renderInstitutions(visit);
  },
});

const newAccount = dashboardRoute({
  method: 'GET',
  path: '/accounts/new/:institution',
  action,
  handler: async (visit) => renderNewAccount(visit, requireInstitution(visit)),
});

/** @throws Refusal 404 */
function requireInstitution(visit: Visit): Institution {
  requireProduction(visit);
  const found = institutions(visit).get(visit.params.institution ?? '');
  if (found === undefined) throw nothingHere();
  return found;
}

const add = dashboardRoute({
  method: 'POST',
  path: '/accounts/new/:institution',
  action,
  maxFileBytes: MAX_ACCOUNT_FILES_BYTES,
  async handler(visit) {
    const { say } = visit;
    const institution = requireInstitution(visit);
    const { kindName: kind, profile, options } = institution;
    const settings = typedSettings(visit, options);
    const uses = typedUses(visit);
    const given = {
      storeId: visit.store.id,
      kind,
      profile,
      settings,
      secrets: typedSecrets(visit, options),
      uses,
    };
    const again = (problems: Problems) =>
      renderNewAccount(visit, institution, { settings, storedSecrets: null, problems, uses });
    if (uses.length === 0) return again({ methods: say('dashboard.accounts.chooseAMethod') });
    const done = await changeAccount(visit, {
      name: 'accounts/add',
      details: { kind, profile, uses },
      work: async (em) => (await addAccount(keepingOf(visit, em), given, visit.now)).account.id,
    });
    if ('problems' in done) return again(done.problems);
    return seeOther(visit.link(`/accounts/${done.id}`), say('dashboard.accounts.isAdded'));
  },
});

const editPage = dashboardRoute({
  method: 'GET',
  path: '/accounts/:id/edit',
  action,
  async handler(visit) {
    const account = await requireServingAccount(visit);
    return renderEditAccount(visit, account, optionsOf(visit, account), {
      settings: account.settings,
      storedSecrets: storedSecretNames(visit, account) ?? [],
      problems: {},
    });
  },
});

const edit = dashboardRoute({
  method: 'POST',
  path: '/accounts/:id/edit',
  action,
  maxFileBytes: MAX_ACCOUNT_FILES_BYTES,
  async handler(visit) {
    const { say } = visit;
    const account = await requireServingAccount(visit);
    const options = optionsOf(visit, account);
    const change = changeIn(visit, account, options);
    const changed = [...Object.keys(change.settings), ...Object.keys(change.secrets)];
    const page = visit.link(`/accounts/${account.id}`);
    if (changed.length === 0) return refused(page, say('dashboard.accounts.nothingChanged'));
    if (visit.field('version') !== String(account.version))
      return refused(visit.link(`/accounts/${account.id}/edit`), say('dashboard.accounts.changedMeanwhile'));
    const done = await changeAccount(visit, {
      name: 'accounts/rotate',
      details: { changed },
      work: async (em) => (await rotateAccount(keepingOf(visit, em), account.id, change, visit.now)).id,
    });
    if ('id' in done) return seeOther(page, say('dashboard.accounts.isChanged'));
    const storedSecrets = storedSecretNames(visit, account) ?? [];
    const settings = typedSettings(visit, options);
    return renderEditAccount(visit, account, options, { settings, storedSecrets, problems: done.problems });
  },
});

function optionsOf(visit: Visit, account: ProviderAccount): readonly AccountOption[] {
  return kindOf(visit, account)?.optionsOf(account.profile) ?? [];
}

const methodsPage = dashboardRoute({
  method: 'GET',
  path: '/accounts/:id/methods',
  action,
  async handler(visit) {
    const account = await requireServingAccount(visit);
    const chosen = await usesOfAccount(visit, account);
    return renderMethods(visit, account, { possible: possibleUses(visit, account), chosen });
  },
});

const changeMethods = dashboardRoute({
  method: 'POST',
  path: '/accounts/:id/methods',
  action,
  async handler(visit) {
    const { say } = visit;
    const account = await requireServingAccount(visit);
    const uses = typedUses(visit);
    const again = (problems: Problems) =>
      renderMethods(visit, account, { possible: possibleUses(visit, account), chosen: uses, problems });
    if (uses.length === 0) return again({ methods: say('dashboard.accounts.chooseAMethod') });
    const done = await changeAccount(visit, {
      name: 'accounts/methods',
      details: { uses },
      work: async (em) => (await changeUses(keepingOf(visit, em), account.id, uses, visit.now)).account.id,
    });
    if ('problems' in done) return again(done.problems);
    return seeOther(visit.link(`/accounts/${account.id}`), say('dashboard.accounts.isChanged'));
  },
});

function possibleUses(visit: Visit, account: ProviderAccount): readonly ProviderUse[] {
  return usesOf(openAccount(account, keepingOf(visit, visit.em)));
}

const disablePage = dashboardRoute({
  method: 'GET',
  path: '/accounts/:id/disable',
  action,
  handler: async (visit) => renderDisable(visit, await requireServingAccount(visit)),
});

/** Asks for the password although it only stops: another account could serve the store's methods from then on. */
const disable = dashboardRoute({
  method: 'POST',
  path: '/accounts/:id/disable',
  action,
  async handler(visit) {
    const account = await requireServingAccount(visit);
    const done = await changeAccount(visit, {
      name: 'accounts/remove',
      details: {},
      work: async (em) => (await removeAccount(em, account.id, visit.now)).id,
    });
    if ('problems' in done) return renderDisable(visit, account, done.problems);
    return seeOther(visit.link('/accounts'), visit.say('dashboard.accounts.isDisabled'));
  },
});

/** The store's accounts at providers of real money. */
export const accountsPages: readonly DashboardRoute[] = [
  list,
  choose,
  newAccount,
  add,
  show,
  editPage,
  edit,
  methodsPage,
  changeMethods,
  disablePage,
  disable,
  ...connectionPages,
];
