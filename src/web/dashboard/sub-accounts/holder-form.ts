import type { ShownSubAccount } from '../../../api/sub-accounts/schema.ts';
import { type Html, html } from '../../frame/html.ts';
import { payoutStepUp } from '../approvals/payout-step-up.ts';
import { noPasswordNote } from '../balance/no-password.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { waitNote } from '../frame/money-wait.ts';
import { stepUpFields } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';

/** The name of the form that changes the holder's name and the store's own id. */
export const HOLDER = 'holder';

/** The tax id is not here: it never changes. An id of the store is replaced, but not removed. */
export async function holderDialog(visit: Visit, { id, name, externalId }: ShownSubAccount): Promise<Html> {
  const { say } = visit;
  const wait = await waitNote(visit, 'payout');
  if (wait !== null) return html`<p>${wait}</p>`;
  const fields = fieldsOf(visit, HOLDER);
  return formDialog(visit, {
    name: HOLDER,
    button: say('dashboard.change'),
    style: 'quiet',
    title: say('dashboard.subAccounts.changeTitle'),
    text: html`<p>${say('dashboard.subAccounts.taxIdStays')}</p>
${await noPasswordNote(visit)}`,
    action: `/sub-accounts/${id}/change`,
    fields: html`${fields.text({ name: 'name', label: say('dashboard.subAccounts.holder'), value: name, maxLength: 100 })}
${fields.text({ name: 'externalId', label: say('dashboard.yourId'), required: externalId !== null, value: externalId ?? '', maxLength: 100 })}
${stepUpFields(visit, await payoutStepUp(visit), fields.problems, HOLDER)}`,
    submit: say('dashboard.save'),
  });
}

/** The fields of the form, as `sub-accounts/update` takes them. */
export function holderIn(visit: Visit): { name: string; externalId?: string } {
  const externalId = visit.field('externalId');
  return { name: visit.field('name'), ...(externalId !== '' && { externalId }) };
}
