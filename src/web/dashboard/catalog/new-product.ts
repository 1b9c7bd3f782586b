import { randomBytes } from 'node:crypto';
import { ApiError } from '../../../api/frame/errors.ts';
import { createProduct } from '../../../api/products/routes.ts';
import { productIdOf } from '../../../domain/product-id.ts';
import { html } from '../../frame/html.ts';
import { fieldsOf } from '../frame/fields.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import { carryOut } from '../frame/operation.ts';
import { orProblems } from '../frame/refusals.ts';
import { type DashboardRoute, dashboardRoute, seeOther } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { formAction } from '../lists/form-action.ts';
import { amountProblem } from '../words.ts';
import { fileField, fixedFields, productBody, termFields, textFields } from './product-form.ts';
import { orTierProblems } from './usage-price-fields.ts';

const NEW = 'new-product';

/** A link may fill the form in: a product at another price is a new one. */
const show = dashboardRoute({
  method: 'GET',
  path: '/new-product',
  action: 'sell',
  async handler(visit) {
    const { say, query } = visit;
    const fields = fieldsOf(visit, NEW);
    const body = form(visit, {
      action: '/products',
      fields: html`${textFields(visit, fields, query)}
${fixedFields(visit, fields, query)}
${fileField(visit, fields, false)}
${termFields(visit, fields, query)}`,
      submit: say('dashboard.catalog.createProduct'),
      checkedByServer: true,
    });
    return page(visit, { title: say('dashboard.catalog.newProduct'), active: 'products', body });
  },
});

const create = formAction({
  path: '/products',
  action: 'sell',
  back: () => '/new-product',
  form: { name: NEW, page: show.handler },
  async work(visit) {
    const { say } = visit;
    const price = amountProblem(visit.field('price'), say);
    const { id } = await orTierProblems(
      orProblems(createWithId(visit), say, price === null ? {} : { price }),
    );
    return seeOther(visit.link(`/products/${id}`), say('dashboard.catalog.theProductWasCreated'));
  },
});

/** An id derived from the name may be taken by another product. Only then does it get a random end. */
async function createWithId(visit: Visit) {
  const sent = visit.field('externalId');
  const derived = productIdOf(visit.field('name'));
  try {
    return await carryOut(visit, createProduct, { body: productBody(visit, sent || derived) });
  } catch (error) {
    const isTaken = error instanceof ApiError && error.code === 'EXTERNAL_ID_CONFLICT';
    if (sent !== '' || !isTaken) throw error;
    const body = productBody(visit, `${derived}-${randomBytes(3).toString('hex')}`);
    return carryOut(visit, createProduct, { body });
  }
}

export const newProductPages: readonly DashboardRoute[] = [show, create];
