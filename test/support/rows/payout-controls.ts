import type { Database } from '../../../src/database/orm.ts';
import { NO_PAYOUT_CONTROLS, type PayoutControls } from '../../../src/domain/payout-controls.ts';
import type { StoreEnvironment } from '../../../src/domain/store-environment.ts';
import { savePayoutControls } from '../../../src/payouts/payout-controls.ts';

/** Sets the controls of a store and environment; those that are not named are off. */
export async function setControls(
  { em }: Database,
  owner: StoreEnvironment,
  controls: Partial<PayoutControls>,
): Promise<void> {
  await savePayoutControls(em.fork(), owner, { ...NO_PAYOUT_CONTROLS, ...controls }, new Date());
}
