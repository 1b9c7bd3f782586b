import type { Logger } from 'pino';
import type { Charge } from '../database/entities/charge.ts';
import { type ChargeStatus, dueTermsOf } from '../domain/charge.ts';
import { saoPauloDateOf } from '../domain/civil-date.ts';
import { amountDueOn, chargeDueCents } from '../domain/fine-and-interest.ts';
import { METHOD_TRAITS } from '../domain/payment-methods.ts';
import type { ProviderPayment } from '../providers/ports/payment.ts';
import type { SandboxBank, SandboxPayment } from '../providers/sandbox/sandbox-bank.ts';
import type { Intake } from './intake.ts';
import { notifyAll } from './notify-all.ts';

/** The payer in dev mode if the charge names nobody; the CPF is a well-known test number. */
export const SANDBOX_PAYER = { name: 'Pagador de Teste', taxId: '52998224725' };

/**
 * Payments at the sandbox bank and their notifications. As with a real bank, paying and notifying are two steps: a
 * payment stays made if its notification fails, and is notified until acknowledged.
 */
export class SandboxPayments {
  readonly #bank: SandboxBank;
  readonly #intake: Intake;
  readonly #log: Logger;

  constructor(bank: SandboxBank, intake: Intake, log: Logger) {
    this.#bank = bank;
    this.#intake = intake;
    this.#log = log;
  }

  /**
   * Pays a PIX code or boleto.
   * @param metadata the metadata of the payment's event.
   * @param amountCents what the payer pays; by default the amount that is due now.
   * @returns the charge's status afterwards, or null if the bank refused because the charge is closed.
   */
  async payCharge(
    charge: Charge,
    now: Date,
    requestId: string | null,
    metadata: Record<string, unknown> | null = null,
    amountCents = chargeDueCents(charge, saoPauloDateOf(now)),
  ): Promise<ChargeStatus | null> {
    const { payerName: name, payerTaxId: taxId } = charge;
    const payment = {
      reference: charge.providerReference,
      amountCents,
      paidAt: now,
      payer: name === null && taxId === null ? SANDBOX_PAYER : { name, taxId },
      metadata,
      ...(METHOD_TRAITS[charge.method].lateAmountBy === 'BANK' &&
        charge.dueDate !== null &&
        componentsOf(charge, amountCents, now)),
    };
    const made = await this.#bank.pay(payment);
    return made && this.#notify(made, requestId);
  }

  /** Repeats unacknowledged notifications of payments before `paidBefore`. */
  async notifyAgain(paidBefore: Date, limit: number): Promise<void> {
    const unnotified = await this.#bank.nextUnnotified(paidBefore, limit);
    const idOf = ({ providerPaymentId }: ProviderPayment) => ({ providerPaymentId });
    const notify = (payment: ProviderPayment) => this.#notify(payment, null);
    await notifyAll(unnotified, { what: 'payment', idOf, notify }, this.#log);
  }

  async #notify(payment: ProviderPayment, requestId: string | null): Promise<ChargeStatus | null> {
    const { reference, providerPaymentId } = payment;
    const notification = { provider: 'sandbox', reference, providerPaymentId };
    const status = await this.#intake.receivePayment(notification, requestId);
    await this.#bank.acknowledge(providerPaymentId, new Date());
    return status;
  }
}

/** The parts of a payment as a bank reports them. What a payer pays beyond the amount and its fine is interest. */
function componentsOf(
  { amountCents: chargedCents, ...charge }: Charge,
  paidCents: number,
  now: Date,
): Pick<SandboxPayment, 'components'> {
  const terms = dueTermsOf({ ...charge, amountCents: chargedCents });
  const due = terms && amountDueOn(terms, saoPauloDateOf(now));
  const originalCents = Math.min(chargedCents, paidCents);
  const fineCents = Math.min(due?.fineCents ?? 0, paidCents - originalCents);
  const interestCents = paidCents - originalCents - fineCents;
  return { components: { originalCents, fineCents, interestCents, discountCents: 0 } };
}
