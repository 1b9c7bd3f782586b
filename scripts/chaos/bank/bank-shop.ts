import type { Cluster } from '../cluster.ts';
import type { Endpoints } from '../endpoints.ts';
import type { Tally } from '../integrator.ts';
import { openRealShop, type RealShop } from '../real-money/real-shop.ts';
import type { BankDoor } from './door.ts';

/** A store that takes real money at the bank in a box. */
export interface BankShop extends RealShop {
  readonly door: BankDoor;
}

/** Creates the store with one endpoint of each kind. It has no account yet. */
export async function openBankShop(
  cluster: Cluster,
  endpoints: Endpoints,
  door: BankDoor,
  tally: Tally,
  givesUp: AbortSignal,
): Promise<BankShop> {
  const shop = await openRealShop(cluster, endpoints, tally, givesUp, { name: 'Loja do Banco' });
  return { ...shop, door };
}
