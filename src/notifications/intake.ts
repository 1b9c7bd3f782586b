import { findChargeByReference } from '../database/find-charge.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';

/**
 * What a provider says of a charge that it has issued. It only points: the workflow asks the provider what is
 * true.
 */
interface Notification {
  readonly provider: string;
  readonly reference: string;
}

/** Money has arrived. */
export interface PaymentNotification extends Notification {
  readonly providerPaymentId: string;
}

/** A dispute was opened or decided. */
export interface DisputeNotification extends Notification {
  readonly providerDisputeId: string;
}

type TellCharges = Pick<ChargeUpdates, 'confirmPayment' | 'askProviderNow' | 'confirmDispute'>;

/**
 * Where every provider's notifications come in, the sandbox's as well as a bank's. Resolves once the charge's
 * workflow has dealt with the news, so the provider is acknowledged only then; a rejection makes it tell
 * again.
 */
export class Intake {
  readonly #database: Database;
  readonly #chargeUpdates: TellCharges;

  constructor(database: Database, chargeUpdates: TellCharges) {
    this.#database = database;
    this.#chargeUpdates = chargeUpdates;
  }

  /** @returns the charge's status afterwards, or null where no charge was issued with that reference. */
  async receivePayment(told: PaymentNotification, requestId: string | null): Promise<ChargeStatus | null> {
    const charge = await this.#issued(told);
    if (charge === null) return null;
    const status = await this.#chargeUpdates.confirmPayment(charge, told.providerPaymentId, requestId);
    // Providers tell of a payment again when money of it has gone back, or has not.
    if (charge.hasMoneyGoingBack) await this.#chargeUpdates.askProviderNow(charge.id);
    return status;
  }

  /** @returns the charge's status afterwards, or null where no charge was issued with that reference. */
  async receiveDispute(told: DisputeNotification, requestId: string | null): Promise<ChargeStatus | null> {
    const charge = await this.#issued(told);
    return charge && this.#chargeUpdates.confirmDispute(charge, told.providerDisputeId, requestId);
  }

  #issued({ provider, reference }: Notification): ReturnType<typeof findChargeByReference> {
    return findChargeByReference(this.#database, { provider, providerReference: reference });
  }
}
