import { ProductEntity } from '../../database/entities/product.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { ProductId } from '../../domain/ids.ts';
import { dividesCycle, USAGE_CYCLES } from '../../domain/usage-cycle.ts';
import { mintId } from '../../ids.ts';
import { type ApiError, brokenRule, together } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { deleteRow } from '../frame/rows.ts';
import { archiveProduct, restoreProduct } from './archive-product.ts';
import { insertProduct, productFilter, requireProduct } from './queries.ts';
import {
  createProductBody,
  deleteProductQuery,
  listProductsQuery,
  presentProduct,
  productExample,
  productIdBody,
  productQuery,
  productView,
  updateProductBody,
} from './schema.ts';
import { onlyWithCycle, updateProduct } from './update-product.ts';
import { storedUsagePrice } from './usage-price.ts';

const create = route({
  method: 'POST',
  path: '/products/create',
  summary: 'Create a product',
  description: `A product with a \`cycle\` is sold as a subscription, one without as a one-off. \`YEARLY\` is accepted for
\`ANNUALLY\`. Checkouts keep the name and price from their creation. \`usagePrice\` gives recorded usage included units, tiers or packages.`,
  permission: 'PRODUCT:CREATE',
  audited: true,
  body: createProductBody,
  response: productView,
  errors: ['EXTERNAL_ID_CONFLICT', 'NOT_ACCEPTABLE'],
  example: {
    body: {
      externalId: productExample.externalId,
      name: productExample.name,
      price: productExample.price,
      currency: productExample.currency,
      description: 'Cotton, made in Blumenau',
      imageUrl: productExample.imageUrl,
    },
    response: productExample,
  },
  async handler(request) {
    const { key, body, now } = request;
    const { externalId, name, description, imageUrl, fileUrl, price, cycle, trialDays } = body;
    const { billUsageOnCancel = cycle != null, usageCycle, usagePrice } = body;
    const wrong: ApiError[] = [];
    if (trialDays != null && cycle == null)
      wrong.push(brokenRule('TRIAL_WITHOUT_CYCLE', 'trialDays', 'is only for a product with a cycle'));
    if (billUsageOnCancel && cycle == null) wrong.push(onlyWithCycle());
    if (usageCycle != null && (cycle == null || !dividesCycle(usageCycle, cycle)))
      wrong.push(notWithin(cycle));
    if (usagePrice != null && cycle != null)
      wrong.push(brokenRule('USAGE_PRICE_WITH_CYCLE', 'usagePrice', 'is only for a product without a cycle'));
    if (wrong.length > 0) throw together(wrong);
    const product = {
      id: mintId<ProductId>('product', now),
      storeId: key.storeId,
      devMode: key.devMode,
      externalId,
      name,
      description: description ?? null,
      imageUrl: imageUrl ?? null,
      fileUrl: fileUrl ?? null,
      priceCents: price,
      cycle: cycle ?? null,
      trialDays: trialDays ?? null,
      billsFinalUsage: billUsageOnCancel,
      usageCycle: usageCycle ?? null,
      usagePrice: usagePrice == null ? null : storedUsagePrice(usagePrice),
      madeBySale: false,
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
    await request.transaction(async (em) => {
      await insertProduct(em, product);
      await request.recordAction(em, product.id);
    });
    return presentProduct(product);
  },
});

/** The refusal of a `usageCycle` that the product's cycle does not consist of. */
function notWithin(cycle: ProductCycle | null | undefined): ApiError {
  const fitting = cycle == null ? [] : USAGE_CYCLES.filter((each) => dividesCycle(each, cycle));
  const message =
    cycle == null
      ? 'is only for a product with a cycle'
      : fitting.length === 0
        ? `is not possible for ${cycle}, whose usage is charged with the plan; leave it out`
        : `must be ${fitting.join(' or ')} for ${cycle}`;
  return brokenRule('USAGE_CYCLE_NOT_WITHIN_CYCLE', 'usageCycle', message);
}

const update = route({
  method: 'POST',
  path: '/products/update',
  summary: 'Update a product',
  description: `Given fields replace stored ones: \`name\`, \`description\`, \`imageUrl\` and \`fileUrl\`, of which null removes the last three, and
\`billUsageOnCancel\`. Omitted fields stay unchanged. All others can never change. Existing checkouts, payment links and subscriptions keep name and
picture; a file is downloaded from the product's current address.`,
  permission: 'PRODUCT:CREATE',
  audited: true,
  body: updateProductBody,
  response: productView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE'],
  example: {
    body: { id: productExample.id, description: 'Cotton, made in Blumenau' },
    response: productExample,
  },
  handler: async (request) => presentProduct(await updateProduct(request)),
});

const list = listRoute({
  path: '/products/list',
  summary: 'List products',
  permission: 'PRODUCT:READ',
  query: listProductsQuery,
  response: productView,
  errors: [],
  example: { response: productExample },
  handler: (request) =>
    presentPage(request, ProductEntity, productFilter(request.key, request.query), presentProduct),
});

const get = route({
  method: 'GET',
  path: '/products/get',
  summary: 'Get a product',
  description: 'By exactly one of `id` and `externalId`.',
  permission: 'PRODUCT:READ',
  query: productQuery,
  response: productView,
  errors: ['NOT_FOUND'],
  example: { response: productExample },
  async handler({ em, key, query }) {
    return presentProduct(await requireProduct(em, key, query));
  },
});

const archive = route({
  method: 'POST',
  path: '/products/archive',
  summary: 'Archive a product',
  description: `It can no longer be sold in new checkouts, payment links and subscriptions, or offered as an upsell, until it is restored.
Existing ones continue, and the product keeps its \`externalId\`. An archived product is returned unchanged.`,
  permission: 'PRODUCT:CREATE',
  audited: true,
  body: productIdBody,
  response: productView,
  errors: ['NOT_FOUND'],
  example: { body: { id: productExample.id }, response: { ...productExample, status: 'ARCHIVED' } },
  handler: async (request) => presentProduct(await archiveProduct(request)),
});

const restore = route({
  method: 'POST',
  path: '/products/restore',
  summary: 'Restore an archived product',
  description: 'The product can be sold again. A product that is not archived is returned unchanged.',
  permission: 'PRODUCT:CREATE',
  audited: true,
  body: productIdBody,
  response: productView,
  errors: ['NOT_FOUND'],
  example: { body: { id: productExample.id }, response: productExample },
  handler: async (request) => presentProduct(await restoreProduct(request)),
});

const remove = route({
  method: 'POST',
  path: '/products/delete',
  alias: 'DELETE',
  summary: 'Delete a product',
  description: `It can no longer be sold, and its \`externalId\` is free for a new product. Objects created with it stay
readable.`,
  permission: 'PRODUCT:DELETE',
  audited: true,
  query: deleteProductQuery,
  response: productView,
  errors: ['NOT_FOUND'],
  example: { response: productExample },
  handler(request) {
    const { key, query, now } = request;
    return request.transaction(async (em) => {
      const product = await requireProduct(em, key, query);
      const deleted = await deleteRow(em, ProductEntity, product, now, 'Product');
      await request.recordAction(em, product.id);
      return presentProduct(deleted);
    });
  },
});

export const productRoutes: readonly Route[] = [create, update, list, get, archive, restore, remove];

export {
  archive as archiveProduct,
  create as createProduct,
  get as getProduct,
  list as listProducts,
  remove as deleteProduct,
  restore as restoreProduct,
  update as updateProduct,
};
