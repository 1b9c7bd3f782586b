import type { Logger } from 'pino';
import type { ChargeStatus } from '../domain/charge.ts';
import type { ProviderPayment } from '../providers/provider.ts';
import type { SandboxBank, SandboxPayment } from '../providers/sandbox/sandbox-bank.ts';
import type { PaymentIntake } from './payment-intake.ts';

/**
 * Payments at the sandbox bank and their notifications. As with a real bank, paying and telling are two steps: a payment
 * whose notification fails stays made and is told again until the service has taken it in.
 */
export class SandboxPayments {
  readonly #bank: SandboxBank;
  readonly #intake: PaymentIntake;
  readonly #log: Logger;

  constructor(bank: SandboxBank, intake: PaymentIntake, log: Logger) {
    this.#bank = bank;
    this.#intake = intake;
    this.#log = log;
  }

  /** @returns the charge's status afterwards, or null where the bank refused because the charge is closed. */
  async pay(payment: SandboxPayment, requestId: string | null): Promise<ChargeStatus | null> {
    const made = await this.#bank.pay(payment);
    return made && this.#notify(made, requestId);
  }

  /** Tells again what was paid before `paidBefore` and never acknowledged. */
  async notifyAgain(paidBefore: Date, limit: number): Promise<void> {
    for (const payment of await this.#bank.unnotifiedPayments(paidBefore, limit)) {
      const { providerPaymentId } = payment;
      try {
        await this.#notify(payment, null);
        this.#log.info({ providerPaymentId }, 'payment notified again');
      } catch (error) {
        // One that cannot be taken in must not keep the others waiting; the next sweep tells it once more.
        this.#log.warn({ providerPaymentId, err: error }, 'payment could not be notified');
      }
    }
  }

  async #notify(payment: ProviderPayment, requestId: string | null): Promise<ChargeStatus | null> {
    const { reference, providerPaymentId } = payment;
    const notification = { provider: 'sandbox', reference, providerPaymentId };
    const status = await this.#intake.receive(notification, requestId);
    await this.#bank.acknowledge(providerPaymentId, new Date());
    return status;
  }
}
