import { type SandboxCharge, SandboxChargeEntity } from '../../database/entities/sandbox-charge.ts';
import type { Database } from '../../database/orm.ts';
import type { CardAnswer, ChargeCard, ProviderPayment, ReturnAnswer } from '../provider.ts';
import { chargeSandboxCard } from './sandbox-card-network.ts';
import { presentPayment } from './sandbox-payment.ts';

export interface SandboxPayment {
  readonly reference: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly payer: ProviderPayment['payer'];
  readonly metadata: Record<string, unknown> | null;
}

/**
 * The simulated payers' bank. A charge has no row until it is paid or closed; whichever inserts it first has won, as
 * at a real bank, and the other learns so.
 */
export class SandboxBank {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Pays a charge. @returns the payment, the earlier one if there is one, or null where the charge is closed. */
  async pay(payment: SandboxPayment): Promise<ProviderPayment | null> {
    const providerPaymentId = `sandbox-${payment.reference}`;
    const isFirst = await this.#insert({
      reference: payment.reference,
      status: 'PAID',
      paymentId: providerPaymentId,
      amountCents: payment.amountCents,
      paidAt: payment.paidAt,
      payerName: payment.payer.name,
      payerTaxId: payment.payer.taxId,
      metadata: payment.metadata,
    });
    return isFirst ? { ...payment, providerPaymentId } : this.#paymentOf({ reference: payment.reference });
  }

  /** Refuses payments from now on. @returns the payment instead, where one was made first. */
  async close(reference: string): Promise<ProviderPayment | null> {
    const isFirst = await this.#insert({ reference, status: 'CLOSED' });
    return isFirst ? null : this.#paymentOf({ reference });
  }

  findPayment(paymentId: string): Promise<ProviderPayment | null> {
    return this.#paymentOf({ paymentId });
  }

  async returnPayment(paymentId: string): Promise<ReturnAnswer> {
    const em = this.#database.em.fork();
    await em.nativeUpdate(SandboxChargeEntity, { paymentId, status: 'PAID' }, { status: 'RETURNED' });
    return { outcome: 'RETURNED' };
  }

  /** Payments whose notification was never acknowledged, oldest first; a real bank would tell them again too. */
  async unnotifiedPayments(paidBefore: Date, limit: number): Promise<ProviderPayment[]> {
    const where = { status: 'PAID' as const, notifiedAt: null, paidAt: { $lt: paidBefore } };
    const rows = await this.#database.em
      .fork()
      .find(SandboxChargeEntity, where, { orderBy: { paidAt: 'asc' }, limit });
    return rows.map(presentPayment).filter((payment) => payment !== null);
  }

  /** The service has taken this notification in; it need not be told again. */
  async acknowledge(paymentId: string, now: Date): Promise<void> {
    await this.#database.em.fork().nativeUpdate(SandboxChargeEntity, { paymentId }, { notifiedAt: now });
  }

  /** Charges a test card (contract section 8). */
  chargeCard(request: ChargeCard): Promise<CardAnswer> {
    return chargeSandboxCard(this.#database, request);
  }

  /** Eleven digits, each used once, as a bank numbers its boletos. */
  async nextOurNumber(): Promise<string> {
    const [row] = await this.#database.em
      .fork()
      .execute<{ number: string }[]>(`select nextval('sandbox_our_number')::text as number`);
    return (row?.number ?? '').padStart(11, '0');
  }

  /** @returns true where this row went in, so that nobody was here before. */
  async #insert(row: Partial<SandboxCharge> & Pick<SandboxCharge, 'reference' | 'status'>): Promise<boolean> {
    const insert = this.#database.em
      .fork()
      .qb(SandboxChargeEntity)
      .insert({ metadata: null, ...row });
    // Whichever unique index meets the other row first: of two at the same instant that may be the one on payment ids.
    const inserted = await insert.onConflict().ignore().returning('reference').execute('all');
    return inserted.length > 0;
  }

  async #paymentOf(where: { reference: string } | { paymentId: string }): Promise<ProviderPayment | null> {
    const row = await this.#database.em
      .fork()
      .findOne(SandboxChargeEntity, where, { disableIdentityMap: true });
    return row && presentPayment(row);
  }
}
