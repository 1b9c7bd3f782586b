import { getProduct } from '../../../api/products/routes.ts';
import type { ProductView } from '../../../api/products/schema.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, copyChip, linkButton, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { form } from '../frame/form.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, perCycle } from '../words.ts';
import { cycleText } from './cycle-text.ts';
import { priceText } from './price-text.ts';
import { usagePriceQuery, usagePriceText } from './usage-price-fields.ts';

/** One product: what payers see of it, and what can be done with it. */
export const productPage = dashboardRoute({
  method: 'GET',
  path: '/products/:id',
  action: 'read',
  async handler(visit) {
    const { say } = visit;
    const product = await read(visit, getProduct, { query: { id: visit.params.id } });
    const { status, description, imageUrl } = product;
    const texts = html`${pictureOf(imageUrl)}<p class="texts">${description ?? say('dashboard.catalog.noDescription')}</p>`;
    return detailPage(visit, {
      title: product.name,
      active: 'products',
      main: html`${status === 'ARCHIVED' && archivedNote(visit, product)}
${section(say('dashboard.catalog.whatPayersSee'), texts)}`,
      cards: [{ title: say('dashboard.details'), rows: rowsOf(visit, product) }],
      ...(visit.can('sell') && { actions: actionsOf(visit, product) }),
    });
  },
});

function actionsOf(visit: Visit, product: ProductView): Html {
  const { say } = visit;
  const { id, cycle, status } = product;
  if (status === 'ARCHIVED') return deleteDialog(visit, product);
  return html`${archiveDialog(visit, product)}
${linkButton(visit, `/products/${id}/edit`, say('dashboard.catalog.edit'))}
${cycle === null && html`<a class="button" href="${visit.link('/new-checkout', { product: id })}">${icon('plus')}${say('dashboard.catalog.createLink')}</a>`}`;
}

/** An archived product says so first, and can be restored at once. */
function archivedNote(visit: Visit, { id }: ProductView): Html {
  const { say } = visit;
  const text = say('dashboard.catalog.archivedItIsNotSoldIn');
  const restore = form(visit, {
    action: `/products/${id}/restore`,
    submit: say('dashboard.catalog.restore'),
    style: 'quiet',
  });
  return html`<div class="note">${badge('plain', say('dashboard.catalog.archived2'))}<p class="note__text">${text}</p>${visit.can('sell') && restore}</div>`;
}

function pictureOf(imageUrl: string | null): Html | null {
  if (!imageUrl?.startsWith('https:')) return null;
  return html`<img class="picture" src="${imageUrl}" alt="" width="96" height="96" loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
}

function rowsOf(visit: Visit, product: ProductView): SideCard['rows'] {
  const { say } = visit;
  const { id, externalId, price, cycle, trialDays, hasFile, createdAt, updatedAt } = product;
  const usage = product.billUsageOnCancel ? 'usageIsCharged' : 'usageIsNotCharged';
  return [
    [
      say('dashboard.catalog.price'),
      html`<strong>${amount(price)}</strong> ${cycleText(visit, cycle)}${visit.can('sell') && sameAtOtherPrice(visit, product)}`,
    ],
    trialDays === null
      ? null
      : [say('dashboard.catalog.freeTrial'), say('dashboard.catalog.days', { trialDays })],
    cycle === null
      ? null
      : [say('dashboard.catalog.usageAtACancellation'), say(`dashboard.catalog.${usage}`)],
    product.usageCycle === null
      ? null
      : [say('dashboard.catalog.usageCycle'), perCycle(product.usageCycle, say)],
    product.usagePrice === null
      ? null
      : [say('dashboard.catalog.usagePrice'), usagePriceText(visit, product.usagePrice)],
    [
      say('dashboard.catalog.fileForPayers'),
      hasFile ? say('dashboard.catalog.yes') : say('dashboard.catalog.no'),
    ],
    [say('dashboard.yourId'), copyChip(visit, externalId)],
    ['Id', copyChip(visit, id)],
    [say('dashboard.created'), time(visit, createdAt)],
    [say('dashboard.catalog.changed'), time(visit, updatedAt)],
  ];
}

/** A price never changes. This is the way to another one. */
function sameAtOtherPrice(visit: Visit, product: ProductView): Html {
  const { name, description, imageUrl, cycle, price, usageCycle, usagePrice } = product;
  const fields = {
    name,
    price: priceText(price),
    ...(description !== null && { description }),
    ...(imageUrl !== null && { imageUrl }),
    ...(cycle !== null && { cycle }),
    ...(usageCycle !== null && { usageCycle }),
    ...(usagePrice !== null && usagePriceQuery(usagePrice)),
  };
  return html`<br><a href="${visit.link('/new-product', fields)}">${visit.say('dashboard.catalog.createTheSameAtAnother')}</a>`;
}

function archiveDialog(visit: Visit, { id }: ProductView): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'archive',
    button: say('dashboard.catalog.archive'),
    style: 'quiet',
    title: say('dashboard.catalog.archiveTheProduct'),
    text: say('dashboard.catalog.itLeavesNewCheckoutsLinks'),
    action: `/products/${id}/archive`,
  });
}

function deleteDialog(visit: Visit, { id, externalId }: ProductView): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'delete',
    button: say('dashboard.delete'),
    title: say('dashboard.catalog.deleteTheProductForGood'),
    text: say('dashboard.catalog.thisCannotBeUndonePastSales', { externalId }),
    action: `/products/${id}/delete`,
    submit: say('dashboard.catalog.deleteForGood'),
    isDangerous: true,
  });
}
