import { type UsageOfProduct, type UsageTotal, usagePartsOf } from '../domain/cycle-usage.ts';
import type { SubscriptionId } from '../domain/ids.ts';
import type { Em } from './orm.ts';
import { statement } from './statement.ts';

const TOTALS = statement<{ id: SubscriptionId; number: number }, Omit<UsageOfProduct, 'parts'> & UsageTotal>(
  'usage of a cycle',
  () => `
  select product.id as "productId", product.name, product.image_url as "imageUrl",
    total.units, total.amount_cents as "amountCents", total.carried_units as "carriedUnits",
    total.carried_cents as "carriedCents", product.price_cents as "productCents", product.usage_price as "usagePrice"
  from usage_totals total join products product on product.id = total.product_id
  where total.subscription_id = :id and total.installment_number = :number
    and (total.units > 0 or total.amount_cents > 0)
  order by product.id`,
);

/**
 * The usage that a cycle charges, by product, including products that cost nothing so far. It does not change once the cycle
 * is open.
 */
export async function usageOfCycle(
  em: Em,
  cycle: { readonly id: SubscriptionId; readonly number: number },
): Promise<UsageOfProduct[]> {
  const totals = await TOTALS(em, cycle);
  return totals.map((total) => {
    const { productId, name, imageUrl, units, amountCents } = total;
    return { productId, name, imageUrl, units, amountCents, parts: usagePartsOf(total) };
  });
}
