import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../src/database/charge.ts';
import type { Em } from '../src/database/orm.ts';
import type { ChargeId } from '../src/domain/ids.ts';
import { providerOf } from '../src/providers/provider.ts';
import { noCharge } from './close-charge.ts';
import type { ActivityDeps } from './deps.ts';

/** A charge as it is, with the rail that it was issued on and a unit of work of its own. */
export async function loadCharge(deps: ActivityDeps, chargeId: ChargeId) {
  const em = deps.database.em.fork();
  const charge = await em.findOne(ChargeEntity, { id: chargeId }, { disableIdentityMap: true });
  if (charge === null) throw noCharge(chargeId);
  const provider = providerOf(deps.providers, charge.devMode);
  // Retryable: a worker that lacks the provider's settings must not decide for those that have them.
  if (provider === null) throw ApplicationFailure.retryable(`No payment provider configured`, 'NO_PROVIDER');
  return { em, charge, provider };
}

/** The charge as it is, held until the transaction ends: it is neither refunded, disputed nor settled meanwhile. */
export async function lockCharge(em: Em, id: ChargeId): Promise<Charge> {
  await em.execute('select 1 from charges where id = ? for update', [id]);
  const charge = await em.findOne(ChargeEntity, { id }, { disableIdentityMap: true });
  if (charge === null) throw noCharge(id);
  return charge;
}
