import { ProductEntity } from '../../database/entities/product.ts';
import type { ProductId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { brokenRule } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { deleteRow } from '../frame/rows.ts';
import { insertProduct, productFilter, requireProduct } from './queries.ts';
import {
  createProductBody,
  deleteProductQuery,
  listProductsQuery,
  presentProduct,
  productExample,
  productQuery,
  productView,
  updateProductBody,
} from './schema.ts';
import { updateProduct } from './update-product.ts';

const create = route({
  method: 'POST',
  path: '/products/create',
  summary: 'Create a product',
  description: `A product with a \`cycle\` is sold as a subscription, one without as a one-off. \`YEARLY\` is taken as
\`ANNUALLY\`. Checkouts keep name and price as they were when the checkout was made.`,
  permission: 'PRODUCT:CREATE',
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
  async handler({ em, key, body, now }) {
    const { externalId, name, description, imageUrl, fileUrl, price, cycle, trialDays } = body;
    if (trialDays != null && cycle == null) {
      throw brokenRule('TRIAL_WITHOUT_CYCLE', 'trialDays', 'is only for a product with a cycle');
    }
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
      madeByV1: false,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    };
    await insertProduct(em, product);
    return presentProduct(product);
  },
});

const update = route({
  method: 'POST',
  path: '/products/update',
  summary: 'Update a product',
  description: `What is sent takes the place of what is on record: \`name\`, \`description\`, \`imageUrl\` and \`fileUrl\`, of which null
removes the last three. What is left out stays. All others never change. Checkouts, payment links and subscriptions that exist keep
name and picture as they were; a file is fetched from where the product has it at that moment.`,
  permission: 'PRODUCT:CREATE',
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
  description: 'By `id` or by `externalId`: exactly one of them.',
  permission: 'PRODUCT:READ',
  query: productQuery,
  response: productView,
  errors: ['NOT_FOUND'],
  example: { response: productExample },
  async handler({ em, key, query }) {
    return presentProduct(await requireProduct(em, key, query));
  },
});

const remove = route({
  method: 'POST',
  path: '/products/delete',
  alias: 'DELETE',
  summary: 'Delete a product',
  description: `It can be sold no more, and its \`externalId\` is free for a new product. What was made with it stays
readable.`,
  permission: 'PRODUCT:DELETE',
  query: deleteProductQuery,
  response: productView,
  errors: ['NOT_FOUND'],
  example: { response: productExample },
  async handler({ em, key, query, now }) {
    const product = await requireProduct(em, key, query);
    return presentProduct(await deleteRow(em, ProductEntity, product, now, 'Product'));
  },
});

export const productRoutes: readonly Route[] = [create, update, list, get, remove];

export { create as createProduct, list as listProducts, remove as deleteProduct };
