import type { Charge } from '../../src/database/entities/charge.ts';
import { CheckoutEntity } from '../../src/database/entities/checkout.ts';
import type { Em } from '../../src/database/orm.ts';
import { hasRunOut } from '../../src/domain/charge.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * Wakes the workflow of the checkout that this charge has made PAID. A payment link is not told: it stays as it is, and
 * thousands of payments would only fill its history. A checkout that had expired with the charge is told in a run of its own.
 */
export async function tellCheckout(deps: ActivityDeps, em: Em, charge: Charge): Promise<void> {
  if (charge.checkoutId === null || charge.upsellOf !== null || charge.cycleId !== null) return;
  const checkout = await em.findOneOrFail(CheckoutEntity, { id: charge.checkoutId });
  if (checkout.frequency === 'MULTIPLE_PAYMENTS') return;
  // A look of its own: a charge that was committed while the acceptance waited for its lock was not in that one's sight.
  const others = await em.execute<unknown[]>(
    `select 1 from charges where checkout_id = :checkoutId and status = 'PENDING' and upsell_of is null and installment_id is null limit 1`,
    { checkoutId: checkout.id },
  );
  await deps.tellCheckout(checkout, { othersOpen: others.length > 0 }, hasRunOut(charge));
}
