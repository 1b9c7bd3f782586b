import {
  getSubAccount,
  listSubAccountMovements,
  updateSubAccount,
  withdrawFromSubAccount,
} from '../../../api/sub-accounts/routes.ts';
import type { ShownEntry, ShownSubAccount } from '../../../api/sub-accounts/schema.ts';
import { seesTaxIds } from '../../../domain/role.ts';
import { type Html, html } from '../../frame/html.ts';
import { payoutStepUp } from '../approvals/payout-step-up.ts';
import { afterSending, suggestedId } from '../balance/after-sending.ts';
import { limitsNote } from '../balance/limits-note.ts';
import { noPasswordNote } from '../balance/no-password.ts';
import { masked } from '../customers/masked.ts';
import { copyChip, pager, section, time } from '../frame/components.ts';
import { detailPage } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { waitNote } from '../frame/money-wait.ts';
import { carryOut, read } from '../frame/operation.ts';
import { FormRefused } from '../frame/refusals.ts';
import { dashboardRoute, seeOther } from '../frame/route.ts';
import { stepUpFields, stepUpProblem } from '../frame/step-up.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amount, amountCell, amountHeading, amountProblem, centsIn } from '../words.ts';
import { ENTRY_WORDS } from './entry-words.ts';
import { HOLDER, holderDialog, holderIn } from './holder-form.ts';

const WITHDRAW = 'withdraw';
const SHOWN = '30';

/** One sub-account: its balance, the movements of it, and its holder. */
export const subAccountDetail = dashboardRoute({
  method: 'GET',
  path: '/sub-accounts/:id',
  action: 'read',
  async handler(visit) {
    const { say, params, query, role } = visit;
    const id = params.id ?? '';
    const account = await read(visit, getSubAccount, { query: { id } });
    const [after, before] = [query.get('after') ?? undefined, query.get('before') ?? undefined];
    const movements = await read(visit, listSubAccountMovements, {
      query: { id, limit: SHOWN, after, before },
    });
    const { name, taxId, externalId, balance, metadata, createdAt } = account;
    return detailPage(visit, {
      title: name,
      active: 'sub-accounts',
      ...(visit.can('payout') && { actions: await withdrawal(visit, account) }),
      main: section(
        say('dashboard.subAccounts.movements'),
        html`${movementTable(visit, movements.items)}${pager(visit, movements.pagination)}`,
      ),
      cards: [
        {
          title: say('dashboard.subAccounts.balance'),
          rows: [[say('dashboard.available'), amount(balance)]],
          below: html`<p class="soft">${say('dashboard.subAccounts.notTheStores')}</p>`,
        },
        {
          title: say('dashboard.subAccounts.holder'),
          rows: [
            [say('dashboard.name'), name],
            [say('dashboard.taxId'), seesTaxIds(role) ? taxId : masked(taxId)],
            [say('dashboard.yourId'), externalId ?? '–'],
            ...Object.entries(metadata).map(([key, value]) => [key, value] as const),
            [say('dashboard.created'), time(visit, createdAt)],
            ['Id', copyChip(visit, id)],
          ],
          ...(visit.can('payout') && { below: await holderDialog(visit, account) }),
        },
      ],
    });
  },
});

function movementTable(visit: Visit, items: readonly ShownEntry[]): Html {
  const { say } = visit;
  return table({
    caption: say('dashboard.subAccounts.movements'),
    headings: [
      say('dashboard.when'),
      say('dashboard.movement'),
      amountHeading(say('dashboard.amount')),
      amountHeading(say('dashboard.balanceAfter')),
    ],
    rows: items.map(({ kind, amount: cents, balanceAfter, paymentId, transferId, createdAt }) => ({
      href: visit.link(paymentId === null ? `/payouts/${transferId}` : `/payments/${paymentId}`),
      cells: [time(visit, createdAt), say(ENTRY_WORDS[kind]), amountCell(cents), amountCell(balanceAfter)],
    })),
    empty: say('dashboard.subAccounts.noMovements'),
  });
}

async function withdrawal(visit: Visit, { id, balance }: ShownSubAccount): Promise<Html> {
  const { say } = visit;
  const wait = await waitNote(visit, 'payout');
  if (wait !== null) return html`<p>${wait}</p>`;
  const fields = fieldsOf(visit, WITHDRAW);
  return formDialog(visit, {
    name: WITHDRAW,
    button: say('dashboard.subAccounts.withdraw'),
    title: say('dashboard.subAccounts.withdrawTitle'),
    text: html`<p>${say('dashboard.subAccounts.goesToTheHolder')} ${say('dashboard.balance.sentMoneyCannotBeRecalled')}</p>
${await noPasswordNote(visit)}${await limitsNote(visit, true)}`,
    action: `/sub-accounts/${id}/withdraw`,
    fields: html`${fields.text({ name: 'amount', label: say('dashboard.amount'), hint: say('dashboard.subAccounts.has', { balance: amount(balance) }) })}
${fields.text({ name: 'description', label: say('dashboard.description'), required: false, maxLength: 140 })}
${fields.text({ name: 'externalId', label: say('dashboard.yourId'), value: suggestedId(visit, 'saque'), maxLength: 100 })}
${stepUpFields(visit, await payoutStepUp(visit), fields.problems, WITHDRAW)}`,
    submit: say('dashboard.balance.sendTheMoney'),
  });
}

/** Asks for the password again, as every form that sends money does. */
export const withdrawForm = formAction({
  path: '/sub-accounts/:id/withdraw',
  action: 'payout',
  back: ({ params }) => `/sub-accounts/${params.id}`,
  form: { name: WITHDRAW, page: subAccountDetail.handler },
  async work(visit) {
    const { say } = visit;
    const { id } = visit.params;
    const cents = centsIn(visit.field('amount'));
    const problem = amountProblem(visit.field('amount'), say);
    if (cents === null || problem !== null)
      throw new FormRefused({ amount: problem ?? say('dashboard.balance.theAmountMustBeAtLeast') });
    const wrong = await stepUpProblem(visit, await payoutStepUp(visit));
    if (wrong !== null) throw new FormRefused(wrong);
    const description = visit.field('description');
    const order = { id, amount: cents, externalId: visit.field('externalId') };
    const body = { ...order, ...(description !== '' && { description }) };
    const sent = await carryOut(visit, withdrawFromSubAccount, { body });
    return afterSending(visit, visit.link(`/sub-accounts/${id}`), sent);
  },
});

/**
 * Changes the holder's name and the store's own id. Asks for the password again: a program that looks up a seller by that id sends
 * their money to this tax id.
 */
export const holderForm = formAction({
  path: '/sub-accounts/:id/change',
  action: 'payout',
  back: ({ params }) => `/sub-accounts/${params.id}`,
  form: { name: HOLDER, page: subAccountDetail.handler },
  async work(visit) {
    const { id } = visit.params;
    const wrong = await stepUpProblem(visit, await payoutStepUp(visit));
    if (wrong !== null) throw new FormRefused(wrong);
    await carryOut(visit, updateSubAccount, { body: { id, ...holderIn(visit) } });
    return seeOther(visit.link(`/sub-accounts/${id}`), visit.say('dashboard.subAccounts.changed'));
  },
});
