import { createCheckout } from '../../../api/checkouts/routes.ts';
import { listCoupons } from '../../../api/coupons/routes.ts';
import { getProduct, listProducts } from '../../../api/products/routes.ts';
import type { ProductView } from '../../../api/products/schema.ts';
import { CHECKOUT_METHODS } from '../../../domain/charge.ts';
import { type Html, html } from '../../frame/html.ts';
import { link } from '../frame/components.ts';
import { type Fields, fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import { emptyState } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amount, methodName } from '../words.ts';
import { itemRows, type TypedItem, typedItems } from './item-rows.ts';

/** The form offers the newest products and coupons. */
const OFFERED_PRODUCTS = '100';
const OFFERED_COUPONS = '20';
const MAX_INSTALLMENTS = 12;
/** Named as in the API, which names them in its refusals. */
const INSTALLMENTS = 'card.maxInstallments';
const PASSES_FEES = 'card.passFeesToCustomer';

const NEW = 'new-checkout';

const show = dashboardRoute({
  method: 'GET',
  path: '/new-checkout',
  action: 'sell',
  async handler(visit) {
    const { say, query, reopenedForm } = visit;
    const title = say('dashboard.checkouts.newCheckoutOrLink');
    const linked = query.get('product');
    const chosen = linked === null ? [] : [{ id: linked, quantity: '1' }];
    const typed = reopenedForm === null ? chosen : typedItems(visit);
    const products = await offeredProducts(visit, typed);
    if (products.length === 0) return page(visit, { title, active: 'checkouts', body: noProducts(visit) });
    const fields = fieldsOf(visit, NEW);
    const body = form(visit, {
      action: '/checkouts',
      fields: html`${itemRows(visit, products, typed, fields.problems)}
${kindField(visit, fields)}
${methodFields(visit, fields)}
${await couponFields(visit, fields)}
${fields.text({ name: 'externalId', label: say('dashboard.checkouts.yourIdOptional'), required: false })}`,
      submit: say('dashboard.checkouts.create'),
      checkedByServer: true,
    });
    return page(visit, { title, active: 'checkouts', body });
  },
});

/** The newest one-off products on sale, and those already chosen. */
async function offeredProducts(visit: Visit, typed: readonly TypedItem[]) {
  const query = { status: 'ACTIVE', limit: OFFERED_PRODUCTS };
  const { items } = await read(visit, listProducts, { query });
  const known = new Set(items.map(({ id }) => id));
  const older = typed.filter(({ id }) => !known.has(id));
  const chosen = await Promise.all(older.map(({ id }) => read(visit, getProduct, { query: { id } })));
  return [...chosen, ...items].filter(({ cycle }) => cycle === null).map(optionOf);
}

function optionOf({ id, name, price }: ProductView) {
  return [id, `${name} · ${amount(price)}`] as const;
}

function noProducts(visit: Visit): Html {
  const { say } = visit;
  return emptyState({
    icon: 'package',
    title: say('dashboard.checkouts.createAProductFirst'),
    text: say('dashboard.checkouts.aCheckoutSellsProductsThat'),
    action: link(visit, '/new-product', say('dashboard.checkouts.createAProduct')),
  });
}

function kindField({ say }: Visit, fields: Fields): Html {
  return fields.select({
    name: 'frequency',
    label: say('dashboard.kind'),
    options: [
      ['MULTIPLE_PAYMENTS', say('dashboard.checkouts.paymentLinkForAnyNumber')],
      ['ONE_TIME', say('dashboard.checkouts.checkoutPaidOnce')],
    ],
  });
}

function methodFields({ say }: Visit, fields: Fields): Html {
  const counts = Array.from({ length: MAX_INSTALLMENTS }, (_, index) => index + 1);
  return html`${fields.checkboxes({
    name: 'methods',
    legend: say('dashboard.checkouts.methods'),
    hint: say('dashboard.checkouts.walletsOnlyForCheckouts'),
    options: CHECKOUT_METHODS,
    labelOf: (method) => methodName(method, say),
    chosen: ['PIX', 'CARD'],
  })}
${fields.select({
  name: INSTALLMENTS,
  label: say('dashboard.checkouts.cardInstallments'),
  hint: say('dashboard.checkouts.installmentsHint'),
  options: counts.map((count) => [
    String(count),
    count === 1 ? say('dashboard.checkouts.onePayment') : say('dashboard.checkouts.upTo2', { count }),
  ]),
})}
${fields.select({
  name: PASSES_FEES,
  label: say('dashboard.checkouts.whoPaysTheCardFee'),
  hint: say('dashboard.checkouts.feeHint'),
  options: [
    ['false', say('dashboard.checkouts.theStorePaysTheFee')],
    ['true', say('dashboard.checkouts.thePayerPaysTheFee')],
  ],
})}`;
}

async function couponFields(visit: Visit, fields: Fields): Promise<Html> {
  const { say } = visit;
  const { items } = await read(visit, listCoupons, { query: { status: 'ACTIVE', limit: OFFERED_COUPONS } });
  if (items.length === 0)
    return html`<p class="soft">${say('dashboard.checkouts.activeCouponsCanBeChosen')} ${link(visit, '/new-coupon', say('dashboard.checkouts.createACoupon'))}</p>`;
  const legend = say('dashboard.checkouts.couponsThatThePayerMay');
  return fields.checkboxes({ name: 'coupons', legend, options: items.map(({ code }) => code), chosen: [] });
}

const create = formAction({
  path: '/checkouts',
  action: 'sell',
  back: () => '/new-checkout',
  form: { name: NEW, page: show.handler },
  async work(visit) {
    const { say, form: sent } = visit;
    const maxInstallments = Number(visit.field(INSTALLMENTS) || 1);
    const passFeesToCustomer = visit.field(PASSES_FEES) === 'true';
    const externalId = visit.field('externalId');
    const body = {
      items: typedItems(visit).map(({ id, quantity }) => ({ id, quantity: quantityIn(quantity) })),
      frequency: visit.field('frequency'),
      methods: sent.getAll('methods'),
      coupons: sent.getAll('coupons'),
      ...((maxInstallments !== 1 || passFeesToCustomer) && {
        card: { maxInstallments, passFeesToCustomer },
      }),
      ...(externalId !== '' && { externalId }),
    };
    const { id } = await carryOut(visit, createCheckout, { body });
    return seeOther(visit.link(`/checkouts/${id}`), say('dashboard.checkouts.readyToBeSent'));
  },
});

/** @returns NaN, which the API refuses, for anything but digits. */
function quantityIn(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

export const newCheckoutPages: readonly DashboardRoute[] = [show, create];
