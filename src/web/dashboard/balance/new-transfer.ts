import { sendPix } from '../../../api/pix/routes.ts';
import { PIX_KEY_TYPES, type PixKeyType, parsePixKey } from '../../../domain/pix-key.ts';
import { type Problems, selectField, textField } from '../../frame/fields.ts';
import { html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { payoutStepUp } from '../approvals/payout-step-up.ts';
import { form } from '../frame/form.ts';
import { carryOut } from '../frame/operation.ts';
import { problemsOf } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, type Reply } from '../frame/route.ts';
import { stepUpFields, stepUpProblem } from '../frame/step-up.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amountProblem, centsIn } from '../words.ts';
import { afterSending, suggestedId } from './after-sending.ts';
import { limitsNote } from './limits-note.ts';
import { amountField, sendingPage } from './sending-page.ts';

/** Each kind of key with its label and an example. */
const KEY_TYPES: Readonly<Record<PixKeyType, MessageKey>> = {
  CPF: 'dashboard.balance.keyTypes.cpf',
  CNPJ: 'dashboard.balance.keyTypes.cnpj',
  PHONE: 'dashboard.balance.keyTypes.phone',
  EMAIL: 'dashboard.balance.keyTypes.email',
  RANDOM: 'dashboard.balance.keyTypes.random',
  BR_CODE: 'dashboard.balance.keyTypes.brCode',
};

/** The maximum length of a Pix copy and paste. */
const MAX_KEY_LENGTH = 512;
const MAX_DESCRIPTION_LENGTH = 500;

const newTransfer = dashboardRoute({
  method: 'GET',
  path: '/new-transfer',
  action: 'payout',
  handler: (visit) => transferForm(visit),
});

async function transferForm(visit: Visit, problems: Problems = {}, status = 200): Promise<Reply> {
  const { say } = visit;
  const title = say('dashboard.balance.newTransferToAPix');
  return sendingPage(visit, title, status, async () => {
    const types = PIX_KEY_TYPES.map((type) => [type, say(KEY_TYPES[type])] as const);
    const fields = html`${await amountField(visit, problems)}
${selectField({ name: 'type', label: say('dashboard.balance.kindOfKey'), value: visit.field('type'), options: types })}
${textField({ name: 'key', label: say('dashboard.pixKey'), value: visit.field('key'), maxLength: MAX_KEY_LENGTH, problems })}
${textField({ name: 'description', label: say('dashboard.description'), value: visit.field('description'), required: false, maxLength: MAX_DESCRIPTION_LENGTH })}
${textField({ name: 'externalId', label: say('dashboard.yourId'), value: suggestedId(visit, 'pix'), problems })}
${stepUpFields(visit, await payoutStepUp(visit), problems)}`;
    const warning = say('dashboard.balance.sentMoneyCannotBeRecalled');
    return html`<p>${warning}</p>
${await limitsNote(visit, true)}
${form(visit, { action: '/transfers', fields, submit: say('dashboard.balance.sendTheMoney') })}`;
  });
}

const sendTransfer = formAction({
  path: '/transfers',
  action: 'payout',
  back: () => '/new-transfer',
  async work(visit) {
    const { say } = visit;
    const cents = centsIn(visit.field('amount'));
    const type = PIX_KEY_TYPES.find((known) => known === visit.field('type')) ?? 'EMAIL';
    const key = visit.field('key');
    const problems = {
      ...((cents ?? 0) < 1 && {
        amount: amountProblem(visit.field('amount'), say) ?? say('dashboard.balance.theAmountMustBeAtLeast'),
      }),
      ...(parsePixKey(type, key) === null && {
        key: say('dashboard.balance.thisIsNotAKey'),
      }),
    };
    if (cents === null || Object.keys(problems).length > 0) return transferForm(visit, problems, 422);
    const wrong = await stepUpProblem(visit, await payoutStepUp(visit));
    if (wrong !== null) return transferForm(visit, wrong, 422);
    const description = visit.field('description');
    const order = { amount: cents, externalId: visit.field('externalId'), pix: { type, key } };
    try {
      const body = { ...order, ...(description !== '' && { description }) };
      const sent = await carryOut(visit, sendPix, { body });
      return afterSending(visit, visit.link('/payouts', { kind: 'transfers' }), sent);
    } catch (error) {
      // Keeps what the user typed, except the password.
      return transferForm(visit, problemsOf(error, say), 422);
    }
  },
});

/** Transfers to any PIX key. */
export const transferForms: readonly DashboardRoute[] = [newTransfer, sendTransfer];
