import type { Product } from '../../database/entities/product.ts';
import type { Em } from '../../database/orm.ts';
import { type CheckoutItem, itemOf } from '../../domain/checkout.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { ProductId } from '../../domain/ids.ts';
import { type ApiError, brokenRule } from '../frame/errors.ts';
import type { Caller } from '../keys/caller.ts';
import { archived, type Ordered, productsNamed, unknownProduct } from './references.ts';

/** The plan beside which add-ons are sold. */
export interface PlanOfAddOns {
  readonly productId: ProductId;
  readonly cycle: ProductCycle;
  /** Add-ons that the subscription has already: they stay possible if they are archived or deleted. */
  readonly kept?: readonly ProductId[];
}

/**
 * The add-ons that a request names, as their products are now, and a refusal of each one that cannot be sold.
 * @param named null for what is no item.
 * @param plan null if it is refused itself: nobody knows what would fit it.
 * @param path the field that names them.
 */
export async function soldAddOns(
  em: Em,
  caller: Caller,
  named: readonly (Ordered | null)[],
  plan: PlanOfAddOns | null,
  path = 'addOns',
): Promise<{ readonly addOns: CheckoutItem[]; readonly wrong: ApiError[] }> {
  if (named.length === 0) return { addOns: [], wrong: [] };
  const ids = named.flatMap((item) => item?.id ?? []);
  const byName = await productsNamed(em, caller, ids, plan?.kept);
  const addOns: CheckoutItem[] = [];
  const wrong: ApiError[] = [];
  const seen = new Set<ProductId>();
  for (const [index, item] of named.entries()) {
    if (item === null) continue;
    const product = byName.get(item.id);
    const at = `${path}[${index}].id`;
    if (product === undefined) {
      wrong.push(unknownProduct(at));
      continue;
    }
    const refusal = refusalOf(product, plan, seen, at);
    if (refusal === null) addOns.push(itemOf(product, item.quantity));
    else wrong.push(refusal);
    seen.add(product.id);
  }
  return { addOns, wrong };
}

function refusalOf(
  { id, archivedAt, cycle }: Product,
  plan: PlanOfAddOns | null,
  seen: ReadonlySet<ProductId>,
  path: string,
): ApiError | null {
  if (seen.has(id))
    return brokenRule('ADD_ON_TWICE', path, 'is named twice; name it once, with its quantity');
  if (archivedAt !== null && plan?.kept?.includes(id) !== true) return archived(path);
  if (plan === null) return null;
  if (id === plan.productId)
    return brokenRule(
      'ADD_ON_IS_PLAN',
      path,
      "is the plan's own product; change the plan's quantity instead",
    );
  if (cycle === plan.cycle) return null;
  const has = cycle === null ? 'has no cycle' : `has the cycle ${cycle}`;
  return brokenRule(
    'ADD_ON_NEEDS_SAME_CYCLE',
    path,
    `${has}; an add-on needs that of the plan, ${plan.cycle}`,
  );
}
