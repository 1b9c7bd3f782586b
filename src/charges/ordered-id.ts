import { hash } from 'node:crypto';
import { noteOrder } from '../database/charge-orders.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeId, IdKind } from '../domain/ids.ts';
import { mintId } from '../ids.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';

/** A request for a charge. */
interface Asking {
  readonly database: Database;
  readonly devMode: boolean;
  readonly provider: Pick<PaymentProvider, 'name'>;
  /** What makes two requests the same one, within the provider's account; null where nothing does. */
  readonly sameAs: readonly string[] | null;
  readonly now: Date;
}

/** Kinds of charges that a provider has a record of before anybody pays. */
const ISSUED_AHEAD: readonly IdKind[] = ['pixCharge', 'boletoCharge'];

/**
 * Gives the charge of a request its id. Where real money is asked for, that is noted before a bank hears of it: a request
 * whose process dies after the bank's answer and before its commit gets the same charge of the bank when it is made again,
 * and what is never asked for again is taken back (decision 52). The sandbox keeps nothing before money comes.
 * @throws ProviderError RETRY where the charge of the same request is being taken back.
 */
export function orderedId({ database, devMode, provider, sameAs, now }: Asking) {
  return async (kind: IdKind): Promise<ChargeId> => {
    const chargeId = mintId<ChargeId>(kind, now);
    if (devMode || !ISSUED_AHEAD.includes(kind)) return chargeId;
    const requestHash = sameAs && hash('sha256', JSON.stringify([provider.name, kind, ...sameAs]));
    const [noted] = await noteOrder(database, { chargeId, provider: provider.name, requestHash, now });
    if (noted !== undefined) return noted.chargeId;
    throw new ProviderError('RETRY', 'the charge that was asked for before is being taken back');
  };
}
