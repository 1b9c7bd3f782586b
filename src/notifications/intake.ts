import { findChargeByReference } from '../charges/find-charge.ts';
import { statusIfWritten } from '../charges/unfound-payments.ts';
import type { Database } from '../database/orm.ts';
import type { ChargeStatus } from '../domain/charge.ts';
import { isDebit } from '../domain/charge.ts';
import { ProviderError } from '../providers/provider-error.ts';
import type { ChargeUpdates } from '../temporal/charge.ts';

/** A provider's notification about a charge that it issued. It is only a hint: the workflow asks the provider. */
interface Notification {
  readonly provider: string;
  readonly reference: string;
}

/** Money has arrived. */
export interface PaymentNotification extends Notification {
  readonly providerPaymentId: string;
  /** Set if the provider reports returned money, which Recebe may not have ordered. */
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
 * Receives the notifications of every provider, including the sandbox. Resolves once the charge's workflow has
 * handled the news, so the provider gets its acknowledgement only then; a rejection makes it notify again.
 */
export class Intake {
  readonly #database: Database;
  readonly #chargeUpdates: NotifyCharges;

  constructor(database: Database, chargeUpdates: NotifyCharges) {
    this.#database = database;
    this.#chargeUpdates = chargeUpdates;
  }

  /**
   * @returns the charge's status afterwards, or null if no charge was issued with that reference. The status is
   *   read from the row: for a repeated update, Temporal returns the stored answer, which may be PENDING.
   * @throws ProviderError RETRY if the payment has no row afterwards: the provider did not know it yet. The
   *   charge's run looks it up again, and the provider repeats unacknowledged notifications.
   */
  async receivePayment(
    notification: PaymentNotification,
    requestId: string | null,
  ): Promise<ChargeStatus | null> {
    const charge = await this.#issued(notification);
    if (charge === null) return null;
    // The run of a debit has recorded its payment itself: nothing is left to do.
    const isRecorded = isDebit(charge) && charge.status !== 'PENDING' && !charge.hasMoneyGoingBack;
    const recorded =
      isRecorded && !notification.hasRefunds ? await statusIfWritten(this.#database, notification) : null;
    if (recorded !== null) return recorded;
    const status = await this.#chargeUpdates.confirmPayment(
      charge,
      notification.providerPaymentId,
      requestId,
    );
    // Providers notify a payment again when a return of it has ended.
    if (charge.hasMoneyGoingBack) await this.#chargeUpdates.askProviderNow(charge.id);
    // An open run has already answered the update of this payment, and checks its refunds only on request.
    if (notification.hasRefunds)
      await this.#chargeUpdates.lookUpPayment(charge, notification.providerPaymentId, requestId);
    // The sandbox has one payment per charge, so it is the one that made the charge PAID: most payments need no
    // query. At a bank, another payment may have been accepted meanwhile.
    const isAccepted =
      notification.provider === 'sandbox' && charge.status === 'PENDING' && status === 'PAID';
    if (isAccepted) return status;
    const written = await statusIfWritten(this.#database, notification);
    if (written !== null) return written;
    await this.#chargeUpdates.lookUpPayment(charge, notification.providerPaymentId, requestId);
    throw new ProviderError('RETRY', 'the provider does not know the payment yet that it notified');
  }

  /**
   * Makes the run of an open charge ask its provider now, such as after a declined card. A charge that has ended needs
   * no news, and a reference that was never issued is ignored.
   * @throws if Temporal is unavailable.
   */
  async receiveNews(notification: Notification): Promise<void> {
    const charge = await this.#issued(notification);
    if (charge?.status === 'PENDING') await this.#chargeUpdates.askProviderNow(charge.id);
  }

  /** @returns the charge's status afterwards, or null if no charge was issued with that reference. */
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
