import { type SandboxCharge, SandboxChargeEntity } from '../../database/entities/sandbox-charge.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import { Rotation } from '../../database/rotation.ts';
import type { CardToken } from '../../domain/card.ts';
import type { PaidComponents } from '../../domain/charge.ts';
import type { CardAnswer, CardVerification, ChargeCard, VerifyCard } from '../ports/cards.ts';
import type { CloseAnswer, ProviderCharge, Refund, RefundAnswer } from '../ports/charges.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import { chargeSandboxCard } from './sandbox-card-network.ts';
import {
  acknowledgeSandboxPayment,
  closePending,
  findSandboxCharge,
  findSandboxPayment,
} from './sandbox-charges.ts';
import { presentPayment } from './sandbox-payment.ts';
import { refundSandboxPayment } from './sandbox-refunds.ts';
import {
  findSandboxCard,
  forgetSandboxCard,
  type ReplacedCard,
  replaceSandboxCard,
} from './sandbox-stored-cards.ts';
import { verifySandboxCard } from './sandbox-verifications.ts';

export interface SandboxPayment {
  readonly reference: string;
  readonly amountCents: number;
  readonly paidAt: Date;
  readonly payer: ProviderPayment['payer'];
  readonly metadata: Record<string, unknown> | null;
  /** Set if the service learns of it by asking: it is not notified. */
  readonly notifiedAt?: Date;
  /** The parts of the amount, for a PIX charge with a due date. */
  readonly components?: PaidComponents;
}

/** The columns of an unpaid charge. */
const UNPAID = {
  paymentId: null,
  amountCents: null,
  paidAt: null,
  payerName: null,
  payerTaxId: null,
  notifiedAt: null,
  cardToken: null,
  installmentsCount: null,
  metadata: null,
  components: null,
  declineReason: null,
} as const;

/**
 * The simulated payers' bank. A charge has no row until it is paid or closed; whichever inserts it first wins, as
 * at a real bank, and the other one finds that row.
 */
export class SandboxBank {
  readonly #database: Database;
  readonly #unnotified = new Rotation(new Date(0));

  constructor(database: Database) {
    this.#database = database;
  }

  /** Pays a charge. @returns the payment, the earlier one if there is one, or null if the charge is closed. */
  async pay(payment: SandboxPayment): Promise<ProviderPayment | null> {
    const providerPaymentId = `sandbox-${payment.reference}`;
    const isFirst = await insertNew(this.#database, SandboxChargeEntity, {
      ...UNPAID,
      reference: payment.reference,
      status: 'PAID',
      paymentId: providerPaymentId,
      amountCents: payment.amountCents,
      paidAt: payment.paidAt,
      payerName: payment.payer.name,
      payerTaxId: payment.payer.taxId,
      metadata: payment.metadata,
      notifiedAt: payment.notifiedAt ?? null,
      components: payment.components ?? null,
    });
    if (isFirst) return { ...payment, providerPaymentId };
    return paymentOf(await findSandboxCharge(this.#database, payment.reference));
  }

  /** Refuses payments from now on. @returns the payment instead, if one was made first. */
  async close(reference: string): Promise<CloseAnswer> {
    const isFirst = await insertNew(this.#database, SandboxChargeEntity, {
      ...UNPAID,
      reference,
      status: 'CLOSED',
    });
    if (!isFirst) await closePending(this.#database, { reference });
    const payment = isFirst ? null : paymentOf(await findSandboxCharge(this.#database, reference));
    return payment === null ? { outcome: 'CLOSED' } : { outcome: 'PAID', payment };
  }

  async findByReference(reference: string): Promise<ProviderCharge> {
    const row = await findSandboxCharge(this.#database, reference);
    if (row === null) return { status: 'OPEN', payments: [] };
    if (row.status === 'PENDING') return { status: 'OPEN', payments: [] };
    const payment = presentPayment(row);
    return payment === null ? { status: 'CLOSED', payments: [] } : { status: 'PAID', payments: [payment] };
  }

  findPayment(paymentId: string): Promise<ProviderPayment | null> {
    return findSandboxPayment(this.#database, paymentId);
  }

  refund(request: Refund): Promise<RefundAnswer> {
    return refundSandboxPayment(this.#database, request);
  }

  /**
   * The next payments with an unacknowledged notification; a real bank would repeat them too. Rows in the future
   * belong to a store whose clock was moved: their age is unknown.
   */
  async nextUnnotified(paidBefore: Date, limit: number): Promise<ProviderPayment[]> {
    const find = (after: Date) => {
      const $or = [{ paidAt: { $lt: paidBefore } }, { paidAt: { $gt: new Date() } }];
      const where = { status: 'PAID' as const, notifiedAt: null, paidAt: { $gt: after }, $or };
      const oldestFirst = { orderBy: { paidAt: 'asc' as const }, limit };
      return this.#database.em.fork().find(SandboxChargeEntity, where, oldestFirst);
    };
    const rows = await this.#unnotified.nextPage(limit, find, ({ paidAt }) => paidAt as Date);
    return rows.map(presentPayment).filter((payment) => payment !== null);
  }

  /** The service has acknowledged this notification, so it is not repeated. */
  async acknowledge(paymentId: string, now: Date): Promise<void> {
    await acknowledgeSandboxPayment(this.#database, { paymentId, now });
  }

  /** Charges a test card (contract section 8). */
  chargeCard(request: ChargeCard): Promise<CardAnswer> {
    return chargeSandboxCard(this.#database, request);
  }

  /** The issuer of a stored test card replaces it. */
  replaceCard(token: string, card: ReplacedCard): Promise<void> {
    return replaceSandboxCard(this.#database, token, card);
  }

  /** The issuer of a test card confirms it for later charges, or does not. */
  verifyCard(request: VerifyCard): Promise<CardVerification> {
    return verifySandboxCard(this.#database, request);
  }

  findCard(token: string): Promise<CardToken | null> {
    return findSandboxCard(this.#database, token);
  }

  /** Erases a stored test card. */
  forgetCard(token: string): Promise<void> {
    return forgetSandboxCard(this.#database, token);
  }

  /** Eleven digits, each number used once, as a bank numbers its boletos. */
  async nextOurNumber(): Promise<string> {
    const [row] = await this.#database.em
      .fork()
      .execute<{ number: string }[]>(`select nextval('sandbox_our_number')::text as number`);
    return (row?.number ?? '').padStart(11, '0');
  }
}

function paymentOf(row: SandboxCharge | null): ProviderPayment | null {
  return row && presentPayment(row);
}
