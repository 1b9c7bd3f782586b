import { ChargeEntity } from '../database/entities/charge.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';

/** What a provider says when money arrived. It only points: the workflow asks the provider what is true. */
export interface PaymentNotification {
  readonly provider: string;
  readonly reference: string;
  readonly providerPaymentId: string;
}

/**
 * Where every provider's notifications come in, the sandbox's as well as a bank's. Resolves once the charge's workflow
 * has dealt with the payment, so the provider is acknowledged only then; a rejection makes it tell again.
 */
export class PaymentIntake {
  readonly #database: Database;
  readonly #chargeUpdates: Pick<ChargeUpdates, 'confirmPayment'>;

  constructor(database: Database, chargeUpdates: Pick<ChargeUpdates, 'confirmPayment'>) {
    this.#database = database;
    this.#chargeUpdates = chargeUpdates;
  }

  /** @returns the charge's status afterwards, or null where no charge was issued with that reference. */
  async receive(notification: PaymentNotification, requestId: string | null): Promise<ChargeStatus | null> {
    const { provider, reference, providerPaymentId } = notification;
    const issued = { provider, providerReference: reference };
    const charge = await this.#database.em.fork().findOne(ChargeEntity, issued, { disableIdentityMap: true });
    return charge && this.#chargeUpdates.confirmPayment(charge, providerPaymentId, requestId);
  }
}
