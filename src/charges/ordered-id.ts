import { hash } from 'node:crypto';
import { countStored, noteOrder, noteRequestedOrder } from '../database/charge-orders.ts';
import type { Database } from '../database/orm.ts';
import { isUniqueViolation } from '../database/unique-violation.ts';
import type { ChargeId, IdKind } from '../domain/ids.ts';
import { chargeIdOfRequest, mintId } from '../ids.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { IdOf } from './new-charge.ts';

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

/** So many ids are looked up at once; a request that was made again more often after its charges had ended needs more. */
const IDS_AT_ONCE = 16;

/**
 * Gives the charge of a request its id. Where real money is asked for, that is noted before a bank hears of it: a request
 * whose process dies after the bank's answer and before its commit gets the same charge of the bank when it is made again,
 * and what is never asked for again is taken back (decision 52). The id of a request that can be recognised follows from
 * the request and a generation number, so that it also finds what a restore of the database has forgotten (decision 56). The
 * sandbox keeps nothing before money comes.
 * @throws ProviderError RETRY where the charge of the same request is being taken back.
 */
export function orderedId(asking: Asking): IdOf<IdKind> {
  const { database, devMode, provider, sameAs, now } = asking;
  const idsOfRequest = sameAs === null ? null : new IdsOfRequest(asking, sameAs);
  return async (kind, dead) => {
    const isOrdered = !devMode && ISSUED_AHEAD.includes(kind);
    if (isOrdered && idsOfRequest !== null) return idsOfRequest.next(kind, dead);
    const chargeId = mintId<ChargeId>(kind, now);
    if (isOrdered) await noteOrder(database, { chargeId, provider: provider.name, now });
    return chargeId;
  };
}

/** Ids of one request by their generation. The name of a provider's account is in their seed, which no payer knows. */
class IdsOfRequest {
  readonly #asking: Asking;
  readonly #sameAs: readonly string[];
  readonly #generations = new Map<ChargeId, number>();

  constructor(asking: Asking, sameAs: readonly string[]) {
    this.#asking = asking;
    this.#sameAs = sameAs;
  }

  /** The id that was noted before, else that of the generation after all that are stored, and after the one that is dead. */
  async next(kind: IdKind, dead: ChargeId | null): Promise<ChargeId> {
    const { database, provider, now } = this.#asking;
    const requestHash = hash('sha256', JSON.stringify([provider.name, kind, ...this.#sameAs]));
    const first = dead === null ? 0 : (this.#generations.get(dead) ?? -1) + 1;
    for (let from = first; ; from += IDS_AT_ONCE) {
      const chargeIds = this.#idsFrom(kind, requestHash, from);
      const order = { chargeIds, provider: provider.name, requestHash, dead, now };
      const [noted] = await onceMoreIfTaken(() => noteRequestedOrder(database, order));
      if (noted !== undefined) return noted.chargeId;
      const [stored] = await countStored(database, { chargeIds });
      if ((stored?.count ?? 0) < IDS_AT_ONCE)
        throw new ProviderError('RETRY', 'the charge that was asked for before is being taken back');
    }
  }

  #idsFrom(kind: IdKind, requestHash: string, from: number): ChargeId[] {
    return Array.from({ length: IDS_AT_ONCE }, (_, index) => {
      const id = chargeIdOfRequest(kind, `${requestHash}/${from + index}`);
      this.#generations.set(id, from + index);
      return id;
    });
  }
}

/**
 * `on conflict` watches one key, the request. If the same request is noted by two connections at once, the id of the charge
 * may collide first; by then the other row can be seen.
 */
async function onceMoreIfTaken<Result>(note: () => Promise<Result>): Promise<Result> {
  try {
    return await note();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return note();
  }
}
