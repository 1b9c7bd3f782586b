import { findChargeByReference } from '../database/find-charge.ts';
import type { Database } from '../database/orm.ts';
import { statusIfWritten } from '../database/unfound-payments.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import { ProviderError } from '../providers/provider-error.ts';
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
  /** Set where the provider says that money of it went back, which may not have been ordered here. */
  readonly hasRefunds?: true;
}

/** A dispute was opened or decided. */
export interface DisputeNotification extends Notification {
  readonly providerDisputeId: string;
}

type NotifyCharges = Pick<
  ChargeUpdates,
  'confirmPayment' | 'askProviderNow' | 'lookUpPayment' | 'confirmDispute'
>;

/**
 * Where every provider's notifications come in, the sandbox's as well as a bank's. Resolves once the charge's
 * workflow has dealt with the news, so the provider is acknowledged only then; a rejection makes it tell
 * again.
 */
export class Intake {
  readonly #database: Database;
  readonly #chargeUpdates: NotifyCharges;

  constructor(database: Database, chargeUpdates: NotifyCharges) {
    this.#database = database;
    this.#chargeUpdates = chargeUpdates;
  }

  /**
   * @returns the charge's status afterwards, or null where no charge was issued with that reference. It is read from the
   *   row: Temporal answers an update that a run has answered before with the answer of then, which may be PENDING.
   * @throws ProviderError RETRY where the payment has no row afterwards: the provider did not know it yet. The charge's
   *   run looks it up again, and the provider notifies again whatever is not acknowledged.
   */
  async receivePayment(
    notification: PaymentNotification,
    requestId: string | null,
  ): Promise<ChargeStatus | null> {
    const charge = await this.#issued(notification);
    if (charge === null) return null;
    const status = await this.#chargeUpdates.confirmPayment(
      charge,
      notification.providerPaymentId,
      requestId,
    );
    // Providers tell of a payment again when money of it has gone back, or has not.
    if (charge.hasMoneyGoingBack) await this.#chargeUpdates.askProviderNow(charge.id);
    // A run that is still open has answered the update of this payment before, and looks at its refunds only when asked.
    if (notification.hasRefunds)
      await this.#chargeUpdates.lookUpPayment(charge, notification.providerPaymentId, requestId);
    // The sandbox has one payment per charge, so it is the one that has just made the charge PAID: most payments need no
    // look. At a bank another payment may have done so meanwhile.
    const isAccepted =
      notification.provider === 'sandbox' && charge.status === 'PENDING' && status === 'PAID';
    if (isAccepted) return status;
    const written = await statusIfWritten(this.#database, notification);
    if (written !== null) return written;
    await this.#chargeUpdates.lookUpPayment(charge, notification.providerPaymentId, requestId);
    throw new ProviderError('RETRY', 'the provider does not know the payment yet that it notified');
  }

  /** @returns the charge's status afterwards, or null where no charge was issued with that reference. */
  async receiveDispute(
    notification: DisputeNotification,
    requestId: string | null,
  ): Promise<ChargeStatus | null> {
    const charge = await this.#issued(notification);
    return charge && this.#chargeUpdates.confirmDispute(charge, notification.providerDisputeId, requestId);
  }

  #issued({ provider, reference }: Notification): ReturnType<typeof findChargeByReference> {
    return findChargeByReference(this.#database, { provider, providerReference: reference });
  }
}
