import { z } from 'zod';
import type { Product } from '../../database/entities/product.ts';
import { PRODUCT_CYCLES } from '../../domain/cycle.ts';
import { USAGE_CYCLES } from '../../domain/usage-cycle.ts';
import { amountCents, idText, text, timestamp } from '../../wire/fields.ts';
import { createdRange } from '../frame/time-range.ts';
import { presentUsagePrice, usagePriceBody, usagePriceView } from './usage-price.ts';

const productId = idText('prod_01J9Z3VYK0W6F0S7R2M8QH4T5B');
const externalId = idText('shirt-blue-m');

const TRIAL_RULE = 'must be an integer number of days between 1 and 90, such as 14';
const HTTPS_RULE =
  'must be an https address without user and password, such as https://example.com/manual.pdf';
const PICTURE_RULE =
  'must be an http or https address without user and password, such as https://example.com/shirt.png';

/**
 * The URL parser accepts surrounding blanks and inner line breaks, which could break programs that show the
 * address.
 */
function isUrl(address: string, protocols: readonly string[]): boolean {
  const url = /\s/.test(address) ? null : URL.parse(address);
  if (url === null || !protocols.includes(url.protocol)) return false;
  return url.username === '' && url.password === '';
}

/** Browsers and proxies support 2048 characters. */
function urlOf(protocols: readonly string[], error: string) {
  return z
    .string()
    .max(2048)
    .refine((address) => isUrl(address, protocols), { error });
}
const fileUrl = urlOf(['https:'], HTTPS_RULE);
const pictureUrl = urlOf(['http:', 'https:'], PICTURE_RULE);

/** Body of POST `/products/create` (contract sections 9.1 and 6.1). */
export const createProductBody = z.strictObject({
  externalId: text(1, 100).meta({
    description: 'Your own id, unique per store and environment.',
    example: 'shirt-blue-m',
  }),
  name: text(1, 200).meta({ example: 'Blue shirt, M' }),
  price: amountCents,
  currency: z.literal('BRL'),
  description: z.string().max(2000).nullish().meta({ example: 'Cotton, made in Blumenau' }),
  imageUrl: pictureUrl.nullish().meta({
    description: 'Address of a picture, preferably HTTPS. If it does not load, the page shows a letter.',
    example: 'https://example.com/shirt.png',
  }),
  fileUrl: fileUrl.nullish().meta({
    description: 'HTTPS address of a file for buyers. Never shown; `hasFile` is true if there is one.',
    example: 'https://example.com/files/manual.pdf',
  }),
  cycle: z
    .enum([...PRODUCT_CYCLES, 'YEARLY'])
    .transform((cycle) => (cycle === 'YEARLY' ? 'ANNUALLY' : cycle))
    .nullable()
    .optional()
    .meta({
      description: 'How often a subscription is charged; null or omitted for a one-off product.',
      example: 'MONTHLY',
    }),
  trialDays: z
    .int({ error: TRIAL_RULE })
    .min(1, { error: TRIAL_RULE })
    .max(90, { error: TRIAL_RULE })
    .nullable()
    .optional()
    .meta({ description: 'Days before the first payment, 1 to 90; only with a cycle.', example: 14 }),
  billUsageOnCancel: z.boolean().optional().meta({
    description:
      'Whether a cancellation charges the usage that no cycle has charged. Only with a cycle, where it is true by default.',
  }),
  usageCycle: z
    .enum(USAGE_CYCLES)
    .nullish()
    .meta({
      description:
        'How often recorded usage is charged by itself, if more often than the plan. Shorter than `cycle`, and a whole number of times in it. ' +
        'Null or absent: with the plan.',
      example: 'MONTHLY',
    }),
  usagePrice: usagePriceBody.nullish().meta({
    description:
      'How the units of a cycle are priced that `subscriptions/record-usage` records. Only without a cycle. Null or absent: each unit costs `price`.',
  }),
});

/**
 * Body of POST `/products/update`. Immutable fields are accepted with their current value, so that clients
 * may send a whole product.
 */
export const updateProductBody = z.strictObject({ id: productId, ...createProductBody.partial().shape });
export type UpdateProductBody = z.output<typeof updateProductBody>;

/** Query of GET `/products/get`. */
export const productQuery = z
  .object({ id: productId.optional(), externalId: externalId.optional() })
  .refine(({ id, externalId }) => (id === undefined) !== (externalId === undefined), {
    error: 'exactly one of id and externalId is required',
    path: ['id'],
  });

/** Body of POST `/products/archive` and `/products/restore`. */
export const productIdBody = z.strictObject({ id: productId });

/** Query of POST `/products/delete`. */
export const deleteProductQuery = z.object({ id: productId });

const productStatus = z.enum(['ACTIVE', 'ARCHIVED']);

/** Filters of GET `/products/list` (contract section 1, "Filters"). */
export const listProductsQuery = z.object({
  id: productId.optional(),
  externalId: externalId.optional(),
  status: productStatus
    .optional()
    .meta({ description: 'ACTIVE is sold, ARCHIVED is not until it is restored.', example: 'ACTIVE' }),
  ...createdRange,
});

/** A product as the API returns it (contract section 9.1), without its file's address. */
export const productView = z
  .object({
    id: z.string(),
    externalId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    price: amountCents,
    currency: z.literal('BRL'),
    cycle: z.enum(PRODUCT_CYCLES).nullable().meta({ description: 'Null for a one-off product.' }),
    trialDays: z.int().nullable(),
    status: productStatus.meta({
      description: '`ARCHIVED` after `products/archive`: it cannot be sold until `products/restore`.',
    }),
    hasFile: z.boolean().meta({ description: 'Whether the product has a file for buyers.' }),
    billUsageOnCancel: z.boolean().meta({
      description: 'Whether cancelling a subscription to it charges the usage that no cycle has charged.',
    }),
    usageCycle: z.enum(USAGE_CYCLES).nullable().meta({
      description:
        'How often usage is charged by itself. Null if the plan is charged as often, or it has no cycle.',
    }),
    usagePrice: usagePriceView.nullable().meta({
      description: 'How the recorded units of a cycle are priced. Null if each costs `price`.',
    }),
    devMode: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Product' });
export type ProductView = z.output<typeof productView>;

export const productExample: ProductView = {
  id: 'prod_01J9Z3VYK0W6F0S7R2M8QH4T5B',
  externalId: 'shirt-blue-m',
  name: 'Blue shirt, M',
  description: 'Cotton, made in Blumenau',
  imageUrl: 'https://example.com/shirt.png',
  price: 7990,
  currency: 'BRL',
  cycle: null,
  trialDays: null,
  status: 'ACTIVE',
  hasFile: false,
  billUsageOnCancel: false,
  usageCycle: null,
  usagePrice: null,
  devMode: true,
  createdAt: '2026-03-06T14:22:08.120Z',
  updatedAt: '2026-03-06T14:22:08.120Z',
};

/** A product as the API returns it. The address of its file stays private. */
export function presentProduct(product: Product): ProductView {
  return {
    id: product.id,
    externalId: product.externalId,
    name: product.name,
    description: product.description,
    imageUrl: product.imageUrl,
    price: product.priceCents,
    currency: 'BRL',
    cycle: product.cycle,
    trialDays: product.trialDays,
    status: product.archivedAt === null ? 'ACTIVE' : 'ARCHIVED',
    hasFile: product.fileUrl !== null,
    billUsageOnCancel: product.billsFinalUsage,
    usageCycle: product.usageCycle,
    usagePrice: product.usagePrice && presentUsagePrice(product.usagePrice),
    devMode: product.devMode,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  };
}
