import { cancelMandate, createMandate, getMandate, listMandates } from '../../../api/mandates/routes.ts';
import type { ShownMandate } from '../../../api/mandates/schema.ts';
import { getSubscription } from '../../../api/subscriptions/routes.ts';
import type { Subscription } from '../../../database/entities/subscription.ts';
import { asksForConsent } from '../../../mandates/consent/asks-for-consent.ts';
import { ProviderError } from '../../../providers/provider-error.ts';
import { type Html, html } from '../../frame/html.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, nothingHere, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';

/** The dialog that asks the payer to authorize debits by Pix, if the store's bank offers it. */
export async function authorizeDialog(
  visit: Visit,
  { id, cancelAt, mandateId }: Subscription,
): Promise<Html | null> {
  if (cancelAt !== null || !(await isOffered(visit))) return null;
  const { say } = visit;
  const amounts = [
    ['fixed', say('dashboard.mandates.fixedAmount')],
    ['variable', say('dashboard.mandates.variable')],
  ] as const;
  return formDialog(visit, {
    name: 'authorize',
    button: say(mandateId === null ? 'dashboard.mandates.ask' : 'dashboard.mandates.askAgain'),
    style: 'quiet',
    title: say('dashboard.mandates.askTitle'),
    text: say('dashboard.mandates.askEffects'),
    action: `/subscriptions/${id}/authorize`,
    fields: fieldsOf(visit, 'authorize').select({
      name: 'pixAutomatic',
      label: say('dashboard.mandates.eachDebit'),
      value: 'fixed',
      options: amounts,
    }),
    submit: say('dashboard.mandates.askSubmit'),
  });
}

/** Without an account that this process can use, the page has no such button. */
async function isOffered({ deps, caller }: Visit): Promise<boolean> {
  try {
    return asksForConsent((await deps.providers.providersOf(caller)).get('PIX'));
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return false;
  }
}

/** A dialog for each authorization that can be ended: the one in use, and one that waits for its payer; null if there is none. */
export function endMandateDialogs(
  visit: Visit,
  { id, mandateId }: Subscription,
  mandates: readonly ShownMandate[],
): Html | null {
  const { say } = visit;
  const endable = mandates.filter((mandate) => mandate.url !== null || mandate.id === mandateId);
  if (endable.length === 0) return null;
  return html`<div class="buttons">${endable.map((mandate) => {
    const isRequest = mandate.url !== null;
    const end = say(isRequest ? 'dashboard.mandates.withdraw' : 'dashboard.mandates.end');
    return formDialog(visit, {
      name: `end-${mandate.id}`,
      button: end,
      title: end,
      text: say(isRequest ? 'dashboard.mandates.withdrawEffects' : 'dashboard.mandates.endEffects'),
      action: `/subscriptions/${id}/authorizations/${mandate.id}/end`,
      isDangerous: true,
    });
  })}</div>`;
}

/** @param page the handler of the page with the dialogs. */
export function mandateForms(page: DashboardRoute['handler']): readonly DashboardRoute[] {
  return [
    formAction({
      path: '/subscriptions/:id/authorize',
      action: 'sell',
      back: pathOf,
      form: { name: 'authorize', page },
      async work(visit) {
        const { id = '' } = visit.params;
        const body = { subscriptionId: id, pixAutomatic: visit.field('pixAutomatic') };
        await carryOut(visit, createMandate, { body, subjectId: id, readBy: getSubscription });
        return seeOther(visit.link(pathOf(visit)), visit.say('dashboard.mandates.wasAsked'));
      },
    }),
    formAction({
      path: '/subscriptions/:id/authorizations/:mandateId/end',
      action: 'sell',
      back: pathOf,
      async work(visit) {
        const { id = '', mandateId = '' } = visit.params;
        await requireMandateOf(visit, id, mandateId);
        const order = { body: { id: mandateId }, subjectId: mandateId, readBy: getMandate };
        // Its end is a transaction of its own, so its line is expected before it.
        await carryOut(visit, { ...cancelMandate, waitsForWorkflow: true }, order);
        return seeOther(visit.link(pathOf(visit)), visit.say('dashboard.mandates.hasEnded'));
      },
    }),
  ];
}

/** @throws Refusal 404 for an authorization of another subscription. */
async function requireMandateOf(visit: Visit, subscriptionId: string, mandateId: string): Promise<void> {
  const { items } = await read(visit, listMandates, { query: { subscriptionId, limit: '100' } });
  if (!items.some(({ id }) => id === mandateId)) throw nothingHere();
}

function pathOf({ params }: Visit): `/${string}` {
  return `/subscriptions/${params.id}`;
}
