import { changeUses } from '../../../accounts/account-uses.ts';
import { type AccountChange, addAccount, removeAccount, rotateAccount } from '../../../accounts/accounts.ts';
import { openAccount } from '../../../accounts/open-account.ts';
import type { AuditDetails } from '../../../audit-log/record-action.ts';
import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import type { Em } from '../../../database/orm.ts';
import type { ProviderUse } from '../../../domain/provider-use.ts';
import { type AccountOption, WrongAccountSetting } from '../../../providers/provider-kind.ts';
import { usesOf } from '../../../providers/providers.ts';
import type { Problems } from '../../frame/fields.ts';
import { type DashboardRoute, dashboardRoute, nothingHere, refused, seeOther } from '../frame/route.ts';
import { stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import {
  accountStepUp,
  holdAccountAuthority,
  keepingOf,
  requireProduction,
  requireServingAccount,
  storedSecretNames,
  usesOfAccount,
} from './account-access.ts';
import {
  accountProblems,
  MAX_ACCOUNT_FILES_BYTES,
  typedSecrets,
  typedSettings,
  typedUses,
} from './account-form.ts';
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
import { connectionPages } from './connection-routes.ts';

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
    const done = await carriedOut(visit, {
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
    const done = await carriedOut(visit, {
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

/** What the form changes: other values of settings, emptied optional settings, and secrets that were given. */
function changeIn(visit: Visit, account: ProviderAccount, options: readonly AccountOption[]): AccountChange {
  const typed = typedSettings(visit, options);
  const shown = options.filter(({ gives }) => gives === 'SETTING');
  const settings = shown.flatMap((option) => {
    const { name } = option;
    const before = account.settings[name] ?? defaultOf(option);
    const after = typed[name] ?? null;
    // A browser always sends a choice.
    const isLeftOut = after === null && typeof option.input !== 'string';
    return isLeftOut || before === after ? [] : [[name, after] as const];
  });
  return { settings: Object.fromEntries(settings), secrets: typedSecrets(visit, options) };
}

/** A choice without a stored value is its first one. */
function defaultOf({ input }: AccountOption): string | null {
  return typeof input === 'string' ? null : input[0];
}

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
    const done = await carriedOut(visit, {
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
    const done = await carriedOut(visit, {
      name: 'accounts/remove',
      details: {},
      work: async (em) => (await removeAccount(em, account.id, visit.now)).id,
    });
    if ('problems' in done) return renderDisable(visit, account, done.problems);
    return seeOther(visit.link('/accounts'), visit.say('dashboard.accounts.isDisabled'));
  },
});

/** A change of an account, with its line of the audit log. */
interface Change {
  readonly name: string;
  readonly details: AuditDetails;
  /** @returns the account's id. */
  readonly work: (em: Em) => Promise<string>;
}

/** Ends a transaction that was only a rehearsal. */
class Rehearsed extends Error {}

/**
 * Carries out a change. It is rehearsed first in a transaction that is rolled back, so that the form shows everything that is
 * wrong at once: a code can be used only once, so the step-up comes last.
 * @throws MoneyWaits, NoAuthority
 */
async function carriedOut(
  visit: Visit,
  { name, details, work }: Change,
): Promise<{ readonly id: string } | { readonly problems: Problems }> {
  const held = async (em: Em) => {
    await holdAccountAuthority(em, visit);
    return work(em);
  };
  const rehearsal = visit.deps.database.em.fork().transactional(async (em) => {
    await held(em);
    throw new Rehearsed();
  });
  const wrong =
    (await problemsOf(visit, rehearsal)) ?? (await stepUpProblem(visit, await accountStepUp(visit)));
  if (wrong !== null) return { problems: wrong };
  let id = '';
  const done = visit.act(
    name,
    'of environment',
    async (em) => {
      id = await held(em);
      return id;
    },
    details,
  );
  const raced = await problemsOf(visit, done);
  return raced === null ? { id } : { problems: raced };
}

/** The problems of the form's fields; null if there are none. */
async function problemsOf(visit: Visit, work: Promise<void>): Promise<Problems | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof Rehearsed) return null;
    if (error instanceof WrongAccountSetting) return accountProblems(visit, error);
    throw error;
  }
}

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
