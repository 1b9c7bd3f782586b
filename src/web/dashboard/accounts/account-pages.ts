import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import type { ProviderUse } from '../../../domain/provider-use.ts';
import type { AccountOption } from '../../../providers/provider-kind.ts';
import type { Problems } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { guideLink, section } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { waitNote } from '../frame/money-wait.ts';
import type { Reply } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import {
  accountStepUpFields,
  optionFields,
  type ShownAccount,
  unplacedProblem,
  usesField,
} from './account-form.ts';
import { type Institution, institutionName, institutions } from './account-kinds.ts';

/** GET `/accounts/new`: the institutions to choose from. */
export function renderInstitutions(visit: Visit): Reply {
  const { say } = visit;
  const choices = [...institutions(visit)].map(
    ([path, { name }]) =>
      html`<li><a class="tiles__link" href="${visit.link(`/accounts/new/${path}`)}">${icon('landmark')}<span>${name}</span></a></li>\n`,
  );
  const body = section(
    say('dashboard.accounts.chooseTheProvider'),
    html`<ul class="tiles">${choices}</ul>
<p class="soft">${say('dashboard.accounts.othersByCommandLine')} ${guideLink(visit, 'providers', say('dashboard.home.accountsAndProviders'))}</p>`,
  );
  return page(visit, { title: say('dashboard.accounts.add'), active: 'accounts', body });
}

/** What was submitted for a new account. */
export interface TypedAccount extends ShownAccount {
  readonly uses: readonly string[];
}

/** GET `/accounts/new/:institution`. */
export async function renderNewAccount(
  visit: Visit,
  institution: Institution,
  typed: TypedAccount = {
    settings: {},
    storedSecrets: null,
    problems: {},
    uses: institution.uses,
  },
): Promise<Reply> {
  const { say } = visit;
  const { name, kindName, profile, options, uses } = institution;
  const fields = html`${unplacedProblem(typed.problems)}
${optionFields(visit, options, typed)}
${usesField(visit, uses, typed.uses, typed.problems)}
${await accountStepUpFields(visit, typed.problems)}`;
  const body = section(
    name,
    html`${await waiting(visit)}<p>${say('dashboard.accounts.secretsAreEncrypted')} ${guideOf(visit, kindName)}</p>
${form(visit, {
  action: `/accounts/new/${kindName}.${profile}`,
  fields,
  submit: say('dashboard.accounts.add'),
  hasFile: true,
  checkedByServer: true,
})}`,
  );
  return page(visit, {
    title: say('dashboard.accounts.add'),
    active: 'accounts',
    body,
    status: statusOf(typed.problems),
  });
}

const GUIDES: Readonly<Record<string, string>> = { stripe: 'stripe', asaas: 'asaas' };

function guideOf(visit: Visit, kindName: string): Html {
  const guide = GUIDES[kindName] ?? 'providers';
  return guideLink(visit, guide, visit.say('dashboard.accounts.guide'));
}

/** GET `/accounts/:id/edit`. */
export async function renderEditAccount(
  visit: Visit,
  account: ProviderAccount,
  options: readonly AccountOption[],
  shown: ShownAccount,
): Promise<Reply> {
  const { say } = visit;
  const fields = html`${unplacedProblem(shown.problems)}
<input type="hidden" name="version" value="${account.version}">
${optionFields(visit, options, shown)}
${await accountStepUpFields(visit, shown.problems)}`;
  const body = section(
    institutionName(visit, account),
    html`${await waiting(visit)}<p>${say('dashboard.accounts.changesApplyAtOnce')}</p>
${form(visit, {
  action: `/accounts/${account.id}/edit`,
  fields,
  submit: say('dashboard.save'),
  hasFile: true,
  checkedByServer: true,
})}`,
  );
  return page(visit, {
    title: say('dashboard.accounts.change'),
    active: 'accounts',
    body,
    status: statusOf(shown.problems),
  });
}

/** GET `/accounts/:id/methods`. */
export async function renderMethods(
  visit: Visit,
  account: ProviderAccount,
  given: {
    readonly possible: readonly ProviderUse[];
    readonly chosen: readonly string[];
    readonly problems?: Problems;
  },
): Promise<Reply> {
  const { say } = visit;
  const { possible, chosen, problems = {} } = given;
  const body = section(
    institutionName(visit, account),
    html`${await waiting(visit)}<p>${say('dashboard.accounts.methodsMean')}</p>
${form(visit, {
  action: `/accounts/${account.id}/methods`,
  fields: html`${unplacedProblem(problems)}${usesField(visit, possible, chosen, problems)}
${await accountStepUpFields(visit, problems)}`,
  submit: say('dashboard.save'),
  checkedByServer: true,
})}`,
  );
  return page(visit, {
    title: say('dashboard.accounts.changeMethods'),
    active: 'accounts',
    body,
    status: statusOf(problems),
  });
}

/** GET `/accounts/:id/disable`. */
export async function renderDisable(
  visit: Visit,
  account: ProviderAccount,
  problems: Problems = {},
): Promise<Reply> {
  const { say } = visit;
  const body = section(
    institutionName(visit, account),
    html`${await waiting(visit)}<p>${say('dashboard.accounts.whatADisabledAccountDoes')}</p>
${form(visit, {
  action: `/accounts/${account.id}/disable`,
  fields: html`${await accountStepUpFields(visit, problems)}`,
  submit: say('dashboard.accounts.disable'),
  style: 'danger',
  checkedByServer: true,
})}`,
  );
  return page(visit, {
    title: say('dashboard.accounts.disable'),
    active: 'accounts',
    body,
    status: statusOf(problems),
  });
}

function statusOf(problems: Problems): number {
  return Object.keys(problems).length === 0 ? 200 : 422;
}

/** A new owner learns before typing that they must wait. */
async function waiting(visit: Visit): Promise<Html | null> {
  const note = await waitNote(visit, 'provider-account:manage');
  return note === null ? null : html`<p class="answer answer--waiting" role="note">${note}</p>`;
}
