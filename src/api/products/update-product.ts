import { type Product, ProductEntity } from '../../database/entities/product.ts';
import { ApiError, brokenRule, notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import { requireProduct } from './queries.ts';
import { presentProduct, type UpdateProductBody } from './schema.ts';
import { isSameUsagePrice } from './usage-price.ts';

/** Existing checkouts, plans and usage depend on these fields, and integrators store the `externalId`. */
const FIXED = ['externalId', 'price', 'currency', 'cycle', 'trialDays', 'usageCycle'] as const;

const FIXED_RULE =
  'cannot be changed; delete the product and create another one, under the same externalId if you like';

/**
 * Updates the given fields. A product that a sale has made is the store's own from then on, so that no later sale
 * overwrites it.
 * @throws ApiError 404 if the product does not exist, 422 that names every immutable field that differs.
 */
export async function updateProduct(request: ApiRequest<unknown, UpdateProductBody>): Promise<Product> {
  const { em, key, body, now } = request;
  const product = await requireProduct(em, key, { id: body.id });
  refuseFixed(product, body);
  const { name, description, imageUrl, fileUrl, billUsageOnCancel: billsFinalUsage } = body;
  if (billsFinalUsage === true && product.cycle === null) throw onlyWithCycle();
  const given = { name, description, imageUrl, fileUrl, billsFinalUsage };
  const sent = Object.entries(given).filter(([, value]) => value !== undefined);
  const change: Partial<Product> = { ...Object.fromEntries(sent), madeBySale: false, updatedAt: now };
  await request.transaction(async (tx) => {
    const changed = await tx.nativeUpdate(ProductEntity, { ...keptBy(key), id: product.id }, change);
    if (changed === 0) throw notFound('Product');
    if (sent.length > 0) await request.recordAction(tx, product.id, { fields: sent.map(([field]) => field) });
  });
  return { ...product, ...change };
}

/** The refusal of `billUsageOnCancel` for a one-off product. */
export function onlyWithCycle(): ApiError {
  return brokenRule('FINAL_USAGE_WITHOUT_CYCLE', 'billUsageOnCancel', 'is only for a product with a cycle');
}

function refuseFixed(product: Product, sent: UpdateProductBody): void {
  const shown = presentProduct(product);
  const differ: string[] = FIXED.filter((field) => sent[field] !== undefined && sent[field] !== shown[field]);
  if (sent.usagePrice !== undefined && !isSameUsagePrice(sent.usagePrice, product.usagePrice))
    differ.push('usagePrice');
  const issues = differ.map((path) => ({ path, message: FIXED_RULE, rule: 'NEVER_CHANGES' as const }));
  const [first] = issues;
  if (first !== undefined)
    throw new ApiError(
      422,
      'NOT_ACCEPTABLE',
      `${first.path}: ${first.message}`,
      issues,
      {},
      {
        rule: 'NEVER_CHANGES',
      },
    );
}
