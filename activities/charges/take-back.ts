import { type Charge, ChargeEntity } from '../../src/database/entities/charge.ts';
import type { Em } from '../../src/database/orm.ts';

/**
 * Makes a charge REFUNDED, and with it the checkout that it had paid. The checkout is locked first, as everywhere. The caller
 * has made sure that the charge may be.
 */
export async function takeBack(em: Em, charge: Charge, now: Date): Promise<Charge> {
  const refunded = { ...charge, status: 'REFUNDED' as const, updatedAt: now };
  if (charge.checkoutId !== null) {
    await em.execute(
      `update checkouts set status = 'REFUNDED', updated_at = :now where id = :checkoutId and paid_by_charge_id = :id`,
      { now, checkoutId: charge.checkoutId, id: charge.id },
    );
  }
  await em.nativeUpdate(ChargeEntity, { id: charge.id }, { status: 'REFUNDED', updatedAt: now });
  return refunded;
}
