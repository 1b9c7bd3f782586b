import { hash } from 'node:crypto';
import type { Database } from '../database/orm.ts';
import { isUniqueViolation } from '../database/unique-violation.ts';
import type { ChargeId, IdKind } from '../domain/ids.ts';
import { chargeIdOfRequest, mintId } from '../ids.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { countStored, noteOrder, noteRequestedOrder } from './charge-orders.ts';
import type { IdOf } from './new-charge.ts';

/** A request for a charge. */
interface Asking {
  readonly database: Database;
  readonly devMode: boolean;
  readonly provider: Pick<PaymentProvider, 'name'>;
  /** The values that identify a repeated request, within the provider's account; null if there are none. */
  readonly sameAs: readonly string[] | null;
  readonly now: Date;
}

/** Kinds of charges that a provider records before they are paid. */
const ISSUED_AHEAD: readonly IdKind[] = ['pixCharge', 'boletoCharge'];

/** Ids per query; a request that was repeated more often after its charges had ended needs further queries. */
const IDS_AT_ONCE = 16;

/**
 * Assigns the id of a request's charge. For real money the order is noted before the bank receives it. If a process
 * dies between the bank's answer and its commit, a repeated request gets the same charge, and an order that is
 * never repeated is cancelled (decision 5). The id of a recognizable request is derived from the request and a
 * generation number, so that it also finds what a restore of the database has lost (decision 4). The sandbox
 * stores nothing before a payment.
 * @throws ProviderError RETRY if the charge of the same request is being cancelled.
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

/**
 * The ids of one request by generation. Their seed includes the name of the provider's account, which payers do not
 * know.
 */
class IdsOfRequest {
  readonly #asking: Asking;
  readonly #sameAs: readonly string[];
  readonly #generations = new Map<ChargeId, number>();

  constructor(asking: Asking, sameAs: readonly string[]) {
    this.#asking = asking;
    this.#sameAs = sameAs;
  }

  /** The id noted before, else that of the first generation after all stored ones and after the dead one. */
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
        throw new ProviderError('RETRY', 'the previous charge of this request is being cancelled');
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
 * `on conflict` covers one key, the request. If two connections note the same request at once, the charge's id may
 * collide first; the retry then sees the other row.
 */
async function onceMoreIfTaken<Result>(note: () => Promise<Result>): Promise<Result> {
  try {
    return await note();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return note();
  }
}
