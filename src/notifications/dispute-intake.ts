import { ChargeEntity } from '../database/entities/charge.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';

/** What a provider says when a dispute was opened or decided. It only points: the workflow asks the provider what is true. */
export interface DisputeNotification {
  readonly provider: string;
  readonly reference: string;
  readonly providerDisputeId: string;
}

/** Where every provider's disputes come in. Resolves once the charge's workflow has dealt with the news. */
export class DisputeIntake {
  readonly #database: Database;
  readonly #chargeUpdates: Pick<ChargeUpdates, 'confirmDispute'>;

  constructor(database: Database, chargeUpdates: Pick<ChargeUpdates, 'confirmDispute'>) {
    this.#database = database;
    this.#chargeUpdates = chargeUpdates;
  }

  /** @returns the charge's status afterwards, or null where no charge was issued with that reference. */
  async receive(notification: DisputeNotification, requestId: string | null): Promise<ChargeStatus | null> {
    const { provider, reference, providerDisputeId } = notification;
    const issued = { provider, providerReference: reference };
    const charge = await this.#database.em.fork().findOne(ChargeEntity, issued, { disableIdentityMap: true });
    return charge && this.#chargeUpdates.confirmDispute(charge, providerDisputeId, requestId);
  }
}
