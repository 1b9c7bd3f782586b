import { createSubAccount, listSubAccounts } from '../../../api/sub-accounts/routes.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { textField } from '../../frame/fields.ts';
import { type Html, html } from '../../frame/html.ts';
import { payoutStepUp } from '../approvals/payout-step-up.ts';
import { noPasswordNote } from '../balance/no-password.ts';
import { masked } from '../customers/masked.ts';
import { guideLink, time } from '../frame/components.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { waitNote } from '../frame/money-wait.ts';
import { carryOut } from '../frame/operation.ts';
import { FormRefused } from '../frame/refusals.ts';
import { dashboardRoute, seeOther } from '../frame/route.ts';
import { stepUpFields, stepUpProblem } from '../frame/step-up.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { listPage } from '../lists/list-page.ts';
import { amountCell, amountHeading } from '../words.ts';

/** The name of the form that creates one. */
const CREATE = 'create';

/** The sub-accounts of a store, with what each has. */
export const subAccountList = dashboardRoute({
  method: 'GET',
  path: '/sub-accounts',
  action: 'read',
  async handler(visit) {
    const { say, query, role } = visit;
    const search = (name: 'externalId' | 'taxId', label: string) =>
      textField({ name, label, required: false, value: query.get(name) ?? '', maxLength: 100 });
    return listPage(visit, {
      title: say('dashboard.subAccounts.title'),
      active: 'sub-accounts',
      operation: listSubAccounts,
      parameters: ['externalId', 'taxId'],
      fields: html`${search('externalId', say('dashboard.yourId'))}${search('taxId', say('dashboard.taxId'))}`,
      headings: [
        say('dashboard.subAccounts.holder'),
        say('dashboard.taxId'),
        say('dashboard.yourId'),
        amountHeading(say('dashboard.subAccounts.balance')),
        say('dashboard.created'),
      ],
      rows: (items) =>
        items.map(({ id, name, taxId, externalId, balance, createdAt }) => ({
          href: visit.link(`/sub-accounts/${id}`),
          cells: [
            name,
            seesTaxIds(role) ? taxId : masked(taxId),
            externalId ?? '–',
            amountCell(balance),
            time(visit, createdAt),
          ],
        })),
      empty: emptyState({
        icon: 'split',
        title: say('dashboard.subAccounts.none'),
        text: say('dashboard.subAccounts.whatTheyAre'),
        action: guideLink(visit, 'sub-accounts', say('dashboard.subAccounts.guide')),
      }),
      ...(visit.can('payout') && { actions: await creation(visit) }),
    });
  },
});

async function creation(visit: Visit): Promise<Html> {
  const { say } = visit;
  const wait = await waitNote(visit, 'payout');
  if (wait !== null) return html`<p>${wait}</p>`;
  const fields = fieldsOf(visit, CREATE);
  return formDialog(visit, {
    name: CREATE,
    button: say('dashboard.subAccounts.new'),
    buttonIcon: 'plus',
    title: say('dashboard.subAccounts.new'),
    text: html`<p>${say('dashboard.subAccounts.oneForEachTaxId')}</p>
${await noPasswordNote(visit)}`,
    action: '/sub-accounts/new',
    fields: html`${fields.text({ name: 'name', label: say('dashboard.subAccounts.holder'), maxLength: 100 })}
${fields.text({ name: 'taxId', label: say('dashboard.taxId'), hint: say('dashboard.subAccounts.taxIdIsTheKey'), maxLength: 20 })}
${fields.text({ name: 'externalId', label: say('dashboard.yourId'), required: false, maxLength: 100 })}
${stepUpFields(visit, await payoutStepUp(visit), fields.problems, CREATE)}`,
    submit: say('dashboard.subAccounts.create'),
  });
}

/**
 * Leads to the sub-account of the tax id, which may have been there before. Asks for the password again: a program that looks up a
 * seller by the store's own id sends their money to this tax id.
 */
export const createSubAccountForm = formAction({
  path: '/sub-accounts/new',
  action: 'payout',
  back: () => '/sub-accounts',
  form: { name: CREATE, page: subAccountList.handler },
  async work(visit) {
    const { say } = visit;
    const wrong = await stepUpProblem(visit, await payoutStepUp(visit));
    if (wrong !== null) throw new FormRefused(wrong);
    const externalId = visit.field('externalId');
    const body = {
      name: visit.field('name'),
      taxId: visit.field('taxId'),
      ...(externalId !== '' && { externalId }),
    };
    const { id, createdAt } = await carryOut(visit, createSubAccount, { body });
    const isNew = createdAt === visit.storeNow.toISOString();
    const notice = isNew ? say('dashboard.subAccounts.created') : say('dashboard.subAccounts.wasThere');
    return seeOther(visit.link(`/sub-accounts/${id}`), notice);
  },
});
