import { listProducts } from '../../../api/products/routes.ts';
import {
  cancelSubscriptionRoute,
  changeSubscriptionPlan,
  recordSubscriptionUsage,
} from '../../../api/subscriptions/routes.ts';
import { type Html, html } from '../../frame/html.ts';
import { formDialog } from '../frame/dialog.ts';
import { fieldsOf } from '../frame/fields.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amount, perCycle } from '../words.ts';

/** The actions on an active subscription, each in a dialog. */
export async function subscriptionPanels(visit: Visit, id: string): Promise<Html> {
  const { say } = visit;
  const { items } = await read(visit, listProducts, { query: { limit: '100' } });
  const plans = items.flatMap(({ id: productId, name, price, cycle }) =>
    cycle === null ? [] : [[productId, `${name} · ${amount(price)} ${perCycle(cycle, say)}`] as const],
  );
  const goods = items.flatMap(({ id: productId, name, price, cycle }) =>
    cycle === null ? [[productId, `${name} · ${amount(price)}`] as const] : [],
  );
  return html`<div class="buttons">${plans.length > 0 && planDialog(visit, id, plans)}
${goods.length > 0 && usageDialog(visit, id, goods)}
${cancelDialog(visit, id)}</div>`;
}

type Options = readonly (readonly [productId: string, label: string])[];

function planDialog(visit: Visit, id: string, options: Options): Html {
  const { say } = visit;
  const fields = fieldsOf(visit, 'plan');
  return formDialog(visit, {
    name: 'plan',
    button: say('Mudar de plano', 'Change the plan'),
    style: 'quiet',
    title: say('Mudar de plano', 'Change the plan'),
    text: say('Vale a partir do próximo ciclo.', 'It applies from the next cycle on.'),
    action: `/subscriptions/${id}/plan`,
    fields: html`${fields.select({ name: 'productId', label: say('Novo plano', 'New plan'), options })}
${fields.text({ name: 'quantity', label: say('Quantidade', 'Quantity'), value: '1', maxLength: 7 })}`,
    submit: say('Mudar', 'Change'),
  });
}

function usageDialog(visit: Visit, id: string, options: Options): Html {
  const { say } = visit;
  const fields = fieldsOf(visit, 'usage');
  const actions = [
    ['add', say('somar', 'add')],
    ['subtract', say('descontar', 'subtract')],
  ] as const;
  const product = say('Produto, pelo preço de agora', 'Product, at its current price');
  return formDialog(visit, {
    name: 'usage',
    button: say('Registrar consumo', 'Record usage'),
    style: 'quiet',
    title: say('Registrar consumo', 'Record usage'),
    text: say('É cobrado com o próximo ciclo.', 'It is charged with the next cycle.'),
    action: `/subscriptions/${id}/usage`,
    fields: html`${fields.select({ name: 'usedProductId', label: product, options })}
${fields.text({ name: 'units', label: say('Unidades', 'Units'), value: '1', maxLength: 10 })}
${fields.select({ name: 'counted', label: say('O que fazer', 'What to do'), value: 'add', options: actions })}`,
    submit: say('Registrar', 'Record'),
  });
}

function cancelDialog(visit: Visit, id: string): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'cancel',
    button: say('Cancelar assinatura', 'Cancel subscription'),
    style: 'danger',
    title: say('Cancelar a assinatura?', 'Cancel the subscription?'),
    text: say(
      'Nada mais é cobrado a partir de agora. Não dá para desfazer.',
      'There will be no more charges. This cannot be undone.',
    ),
    action: `/subscriptions/${id}/cancel`,
    submit: say('Cancelar agora', 'Cancel now'),
    isDangerous: true,
  });
}

type PageHandler = DashboardRoute['handler'];

const changePlan = (page: PageHandler) =>
  formAction({
    path: '/subscriptions/:id/plan',
    action: 'sell',
    back: pathOf,
    form: { name: 'plan', page },
    async work(visit) {
      const { id = '' } = visit.params;
      const body = { id, productId: visit.field('productId'), quantity: Number(visit.field('quantity')) };
      await carryOut(visit, changeSubscriptionPlan, { body, subjectId: id });
      return seeOther(
        visit.link(pathOf(visit)),
        visit.say('O plano muda no próximo ciclo.', 'The plan changes with the next cycle.'),
      );
    },
  });

const cancel = (page: PageHandler) =>
  formAction({
    path: '/subscriptions/:id/cancel',
    action: 'sell',
    back: pathOf,
    form: { name: 'cancel', page },
    async work(visit) {
      const { id = '' } = visit.params;
      await carryOut(visit, cancelSubscriptionRoute, { body: { id }, subjectId: id });
      return seeOther(
        visit.link(pathOf(visit)),
        visit.say('A assinatura foi cancelada.', 'The subscription was cancelled.'),
      );
    },
  });

const recordUsage = (page: PageHandler) =>
  formAction({
    path: '/subscriptions/:id/usage',
    action: 'sell',
    back: pathOf,
    form: { name: 'usage', page },
    async work(visit) {
      const { say, params } = visit;
      const { id = '' } = params;
      const body = {
        id,
        productId: visit.field('usedProductId'),
        units: Number(visit.field('units')),
        action: visit.field('counted'),
      };
      await carryOut(visit, recordSubscriptionUsage, { body, subjectId: id });
      return seeOther(visit.link(pathOf(visit)), say('O consumo foi registrado.', 'The usage was recorded.'));
    },
  });

function pathOf({ params }: Visit): `/${string}` {
  return `/subscriptions/${params.id}`;
}

/** @param page the handler of the page with the dialogs. */
export function subscriptionForms(page: PageHandler): readonly DashboardRoute[] {
  return [changePlan, cancel, recordUsage].map((route) => route(page));
}
