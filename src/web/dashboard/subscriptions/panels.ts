import { listProducts } from '../../../api/products/routes.ts';
import {
  cancelSubscriptionRoute,
  changeSubscriptionPlan,
  recordSubscriptionUsage,
} from '../../../api/subscriptions/routes.ts';
import { type Html, html } from '../../frame/html.ts';
import { form, selectField, textField } from '../frame/form.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amount, perCycle } from '../words.ts';

/** The actions on an active subscription, each in a folded panel. */
export async function subscriptionPanels(visit: Visit, id: string): Promise<Html> {
  const { say } = visit;
  const { items } = await read(visit, listProducts, { query: { limit: '100' } });
  const plans = items.flatMap(({ id: productId, name, price, cycle }) =>
    cycle === null ? [] : [[productId, `${name} · ${amount(price)} ${perCycle(cycle, say)}`] as const],
  );
  const goods = items.flatMap(({ id: productId, name, price, cycle }) =>
    cycle === null ? [[productId, `${name} · ${amount(price)}`] as const] : [],
  );
  const warning = say('Nada mais é cobrado a partir de agora.', 'There will be no more charges.');
  return html`${goods.length > 0 && panel(say('Registrar consumo', 'Record usage'), usageForm(visit, id, goods))}
${plans.length > 0 && panel(say('Mudar de plano', 'Change the plan'), planForm(visit, id, plans))}
${panel(
  say('Cancelar a assinatura', 'Cancel the subscription'),
  html`<p>${warning}</p>${form(visit, { action: `/subscriptions/${id}/cancel`, submit: say('Cancelar agora', 'Cancel now'), style: 'danger' })}`,
)}`;
}

function panel(summary: string, body: Html): Html {
  return html`<details class="panel"><summary>${summary}</summary>${body}</details>`;
}

type Options = readonly (readonly [productId: string, label: string])[];

function planForm(visit: Visit, id: string, options: Options): Html {
  const { say } = visit;
  const fields = html`${selectField({ name: 'productId', label: say('Novo plano, a partir do próximo ciclo', 'New plan, from the next cycle on'), options })}
${textField({ name: 'quantity', label: say('Quantidade', 'Quantity'), value: '1', maxLength: 7 })}`;
  return form(visit, { action: `/subscriptions/${id}/plan`, fields, submit: say('Mudar', 'Change') });
}

function usageForm(visit: Visit, id: string, options: Options): Html {
  const { say } = visit;
  const actions = [
    ['add', say('somar', 'add')],
    ['subtract', say('descontar', 'subtract')],
  ] as const;
  const fields = html`${selectField({ name: 'usedProductId', label: say('Produto, pelo preço de agora', 'Product, at its current price'), options })}
${textField({ name: 'units', label: say('Unidades', 'Units'), value: '1', maxLength: 10 })}
${selectField({ name: 'counted', label: say('O que fazer', 'What to do'), value: 'add', options: actions })}`;
  return html`<p>${say('É cobrado com o próximo ciclo.', 'It is charged with the next cycle.')}</p>
${form(visit, { action: `/subscriptions/${id}/usage`, fields, submit: say('Registrar', 'Record') })}`;
}

const changePlan = formAction({
  path: '/subscriptions/:id/plan',
  action: 'sell',
  back: pathOf,
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

const cancel = formAction({
  path: '/subscriptions/:id/cancel',
  action: 'sell',
  back: pathOf,
  async work(visit) {
    const { id = '' } = visit.params;
    await carryOut(visit, cancelSubscriptionRoute, { body: { id }, subjectId: id });
    return seeOther(
      visit.link(pathOf(visit)),
      visit.say('A assinatura foi cancelada.', 'The subscription was cancelled.'),
    );
  },
});

const recordUsage = formAction({
  path: '/subscriptions/:id/usage',
  action: 'sell',
  back: pathOf,
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

export const subscriptionForms: readonly DashboardRoute[] = [changePlan, cancel, recordUsage];
