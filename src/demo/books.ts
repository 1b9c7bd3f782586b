import type { Charge } from '../database/entities/charge.ts';
import type { Dispute } from '../database/entities/dispute.ts';
import type { Payment } from '../database/entities/payment.ts';
import { NEW_PAYOUT, type Payout } from '../database/entities/payout.ts';
import type { Refund } from '../database/entities/refund.ts';
import type { SandboxCharge } from '../database/entities/sandbox-charge.ts';
import type { Em } from '../database/orm.ts';
import { saoPauloDateOf, weekday } from '../domain/civil-date.ts';
import type { DisputeId, PaymentId, PayoutId, RefundId } from '../domain/ids.ts';
import {
  disputeLostAmounts,
  disputeOpenedAmounts,
  disputeWonAmounts,
  type LedgerAmounts,
  paymentAmounts,
  payoutCompletedAmounts,
  payoutReservedAmounts,
  refundCompletedAmounts,
  refundReservedAmounts,
  settlementAmounts,
  type TakenMoney,
} from '../domain/ledger.ts';
import { mintId } from '../ids.ts';
import { AMOUNT_COLUMN_NAMES, AMOUNT_COLUMNS, amountsByColumn } from '../ledger/amount-columns.ts';
import type { Movement } from '../ledger/write-movement.ts';
import { isLucky } from './people-and-goods.ts';
import type { Shop } from './sales.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** Decides how the shop's payments end, and records every movement of their money. */
export class Books {
  charges: Charge[] = [];
  readonly payments: Payment[] = [];
  readonly refunds: Refund[] = [];
  readonly disputes: Dispute[] = [];
  readonly payouts: Payout[] = [];
  readonly sandboxCharges: SandboxCharge[] = [];
  readonly #movements: Movement[] = [];
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Records an ended charge; some of the paid ones are refunded or disputed. */
  take(charge: Charge): Charge {
    const kept = charge.paidAt === null ? charge : this.#takePaid(charge, charge.paidAt);
    this.charges.push(kept);
    return kept;
  }

  #takePaid(charge: Charge, paidAt: Date): Charge {
    const paidCents = charge.paidAmountCents ?? 0;
    const feeCents = charge.platformFeeCents;
    const id = mintId<PaymentId>('payment', paidAt);
    this.payments.push({
      id,
      chargeId: charge.id,
      provider: 'sandbox',
      providerPaymentId: id,
      endToEndIdentifier: null,
      outcome: 'ACCEPTED',
      amountCents: paidCents,
      paidAt,
      payerName: charge.payerName,
      payerTaxId: charge.payerTaxId,
      metadata: {},
      createdAt: paidAt,
      returnReason: null,
    });
    this.sandboxCharges.push({
      reference: charge.providerReference,
      status: 'PAID',
      paymentId: id,
      amountCents: paidCents,
      paidAt,
      payerName: charge.payerName,
      payerTaxId: charge.payerTaxId,
      notifiedAt: paidAt,
      cardToken: charge.cardToken,
      installmentsCount: null,
      metadata: null,
      components: null,
      declineReason: null,
    });
    const atOnce = charge.settledAt !== null && charge.settledAt <= paidAt;
    this.#move('PAYMENT', charge.id, paidAt, paymentAmounts({ paidCents, feeCents, isSettled: atOnce }));
    const reversedAt = new Date(paidAt.getTime() + DAY_MS);
    const isReversible = charge.method !== 'BOLETO' && reversedAt < this.#shop.now;
    const taken = { paidCents, feeCents, isSettled: atOnce };
    if (isReversible && isLucky(0.015)) return this.#refunded(charge, reversedAt, taken);
    if (isReversible && charge.method === 'CARD' && isLucky(0.01))
      return this.#disputed(charge, reversedAt, taken);
    this.#settle(charge, atOnce);
    return charge;
  }

  #settle({ id, settledAt, paidAmountCents, platformFeeCents }: Charge, atOnce: boolean): void {
    if (settledAt === null || atOnce) return;
    const taken = { paidCents: paidAmountCents ?? 0, feeCents: platformFeeCents };
    this.#move('SETTLEMENT', id, settledAt, settlementAmounts(taken));
  }

  #refunded(charge: Charge, at: Date, taken: TakenMoney): Charge {
    const id = mintId<RefundId>('refund', at);
    const doneAt = new Date(at.getTime() + 1_000);
    const { storeId, devMode } = charge;
    const { paidCents: amountCents, feeCents: platformFeeCents } = taken;
    const reason = 'Cliente desistiu da compra';
    const ofCharge = {
      chargeId: charge.id,
      storeId,
      devMode,
      amountCents,
      platformFeeCents,
      takesRest: true,
    };
    this.refunds.push({
      id,
      ...ofCharge,
      status: 'COMPLETED',
      reason,
      refusal: null,
      initiatedBy: 'STORE',
      revivedAt: null,
      createdAt: at,
      updatedAt: doneAt,
    });
    this.#move('REFUND_RESERVED', id, at, refundReservedAmounts(taken));
    this.#move('REFUND_COMPLETED', id, doneAt, refundCompletedAmounts(taken));
    const settledAt = taken.isSettled ? charge.settledAt : null;
    const back = { ...reversed(taken), refundedCents: amountCents };
    return { ...charge, ...back, status: 'REFUNDED', refundId: id, settledAt, updatedAt: doneAt };
  }

  #disputed(charge: Charge, at: Date, taken: TakenMoney): Charge {
    const id = mintId<DisputeId>('dispute', at);
    const closedAt = new Date(at.getTime() + 5 * DAY_MS);
    const status = closedAt > this.#shop.now ? 'OPEN' : isLucky(0.5) ? 'WON' : 'LOST';
    const reason = 'Compra não reconhecida';
    const ofProvider = { provider: 'sandbox', providerDisputeId: id };
    const ends = { status, reason, openedAt: at, closedAt: status === 'OPEN' ? null : closedAt } as const;
    const response = {
      respondBy: new Date(at.getTime() + 7 * DAY_MS),
      stage: status === 'OPEN' ? 'NEEDS_RESPONSE' : null,
      evidenceSubmittedAt: null,
    } as const;
    const atStake = { amountCents: taken.paidCents, platformFeeCents: taken.feeCents };
    this.disputes.push({ id, chargeId: charge.id, ...ofProvider, ...atStake, ...ends, ...response });
    this.#move('DISPUTE_OPENED', id, at, disputeOpenedAmounts(taken));
    const blocked = { ...charge, ...reversed(taken), settledAt: null };
    if (status === 'OPEN') return { ...blocked, status: 'UNDER_DISPUTE', updatedAt: at };
    if (status === 'LOST') {
      this.#move('DISPUTE_LOST', id, closedAt, disputeLostAmounts(taken));
      return { ...blocked, status: 'REFUNDED', refundedCents: taken.paidCents, updatedAt: closedAt };
    }
    this.#move('DISPUTE_WON', id, closedAt, disputeWonAmounts(taken));
    this.#settle(charge, taken.isSettled);
    return { ...charge, updatedAt: closedAt };
  }

  #move(kind: Movement['kind'], subjectId: string, createdAt: Date, amounts: LedgerAmounts): void {
    this.#movements.push({ kind, subjectId, createdAt, amounts });
  }

  /**
   * Writes the movements by time, and each Monday pays out most of the available balance. A statement entry gets the time of the
   * newest movement written with it, so movements are written day by day.
   */
  async write(em: Em): Promise<void> {
    const days = Map.groupBy(this.#movements, ({ createdAt }) => saoPauloDateOf(createdAt));
    let availableCents = 0;
    for (const day of [...days.keys()].sort()) {
      const movements = (days.get(day) ?? []).sort(
        (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
      );
      availableCents += movements.reduce((sum, { amounts }) => sum + amounts.availableCents, 0);
      const last = movements.at(-1)?.createdAt ?? this.#shop.now;
      const payout =
        weekday(day) === 1 && availableCents > 100_000
          ? this.#payout(Math.floor(availableCents * 0.8), last)
          : [];
      availableCents += payout.reduce((sum, { amounts }) => sum + amounts.availableCents, 0);
      await em.execute(WRITE, {
        ...this.#shop,
        movements: JSON.stringify([...movements, ...payout].map(flat)),
      } as never);
    }
  }

  #payout(amountCents: number, at: Date): Movement[] {
    const id = mintId<PayoutId>('payout', at);
    const { storeId } = this.#shop;
    this.payouts.push({
      ...NEW_PAYOUT,
      id,
      kind: 'PAYOUT',
      storeId,
      devMode: true,
      status: 'COMPLETE',
      provider: 'sandbox',
      amountCents,
      // Also unique in a store that is filled twice.
      externalId: `semana-${saoPauloDateOf(at)}-${id.slice(-6).toLowerCase()}`,
      contentHash: '',
      description: 'Repasse semanal',
      completedAt: at,
      createdAt: at,
      updatedAt: at,
      workflowStartedAt: at,
    });
    const sent = { amountCents, feeCents: 0 };
    return [
      { kind: 'PAYOUT_RESERVED', subjectId: id, createdAt: at, amounts: payoutReservedAmounts(sent) },
      { kind: 'PAYOUT_COMPLETED', subjectId: id, createdAt: at, amounts: payoutCompletedAmounts(sent) },
    ];
  }
}

function flat({ kind, subjectId, createdAt, amounts }: Movement) {
  return { subject_id: subjectId, kind, created_at: createdAt, ...amountsByColumn(amounts) };
}

const WRITE = `
  insert into ledger_movements (subject_id, kind, store_id, dev_mode, provider, ${AMOUNT_COLUMNS}, created_at)
  select subject_id, kind, :storeId, true, 'sandbox', ${AMOUNT_COLUMNS}, created_at
  from json_to_recordset(:movements::json) movement (subject_id text, kind text, created_at timestamptz,
    ${AMOUNT_COLUMN_NAMES.map((column) => `${column} bigint`).join(', ')})`;

/** The money that a full refund or dispute reserves. */
function reversed({ paidCents, feeCents }: TakenMoney) {
  return { reversedCents: paidCents, reversedFeeCents: feeCents };
}
