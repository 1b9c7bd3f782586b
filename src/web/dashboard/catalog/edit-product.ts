import { getProduct, updateProduct } from '../../../api/products/routes.ts';
import { html } from '../../frame/html.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut, read } from '../frame/operation.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import { formAction } from '../lists/form-action.ts';
import { amount } from '../words.ts';
import { cycleText } from './cycle-text.ts';
import { fileField, textFields, textsOf, usageField, usageTermsOf } from './product-form.ts';

const EDIT = 'edit-product';

const show = dashboardRoute({
  method: 'GET',
  path: '/products/:id/edit',
  action: 'sell',
  async handler(visit) {
    const { say } = visit;
    const product = await read(visit, getProduct, { query: { id: visit.params.id } });
    const { id, name, description, imageUrl, hasFile } = product;
    const stored = new URLSearchParams({ name, description: description ?? '', imageUrl: imageUrl ?? '' });
    const fields = fieldsOf(visit, EDIT);
    const price = `${amount(product.price)} ${cycleText(visit, product.cycle)}`;
    const body = form(visit, {
      action: `/products/${id}/edit`,
      fields: html`${textFields(visit, fields, stored)}
${fileField(visit, fields, hasFile)}
${product.cycle !== null && usageField(visit, fields, product.billUsageOnCancel)}
<p class="soft">${say('dashboard.catalog.thePriceCannotChangeBecause', { price })}</p>`,
      submit: say('dashboard.save'),
      checkedByServer: true,
    });
    return page(visit, { title: say('dashboard.catalog.editProduct'), active: 'products', body });
  },
});

const save = formAction({
  path: '/products/:id/edit',
  action: 'sell',
  back: ({ params }) => `/products/${params.id}/edit`,
  form: { name: EDIT, page: show.handler },
  async work(visit) {
    const fileUrl = visit.field('fileUrl');
    const body = {
      id: visit.params.id,
      ...textsOf(visit),
      ...(fileUrl !== '' && { fileUrl }),
      ...(visit.field('billUsageOnCancel') !== '' && usageTermsOf(visit)),
    };
    const { id } = await carryOut(visit, updateProduct, { body });
    return seeOther(visit.link(`/products/${id}`), visit.say('dashboard.catalog.theProductWasSaved'));
  },
});

export const editProductPages: readonly DashboardRoute[] = [show, save];
