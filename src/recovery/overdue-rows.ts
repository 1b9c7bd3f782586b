import type { AuditKind } from '../domain/audit.ts';
import { SQL_DECIDED_AT_ONCE } from '../domain/payment-methods.ts';

const MINUTE_MS = 60_000;

/**
 * The open rows of one kind, and when they are due. `key` and `isOpen` are those of a partial index (migration
 * 0009): a page of rows is a range of it.
 */
export interface OpenRows {
  readonly table: string;
  /** Text or number that is unique among them. */
  readonly id: string;
  readonly isOpen: string;
  /** The instant at which the row is due. */
  readonly key: string;
  /** Further columns that later steps need. */
  readonly columns?: string;
  /** Joins to `item`, which is the row with its columns and its key as `key_at`. */
  readonly joins?: string;
  /** The alias of the owner, which has `store_id` and `dev_mode`. */
  readonly owner?: string;
  /** A second condition for a row whose instant has passed. */
  readonly isDue?: string;
  /** A further condition for a row that should have ended long ago; `:before` is {@link overdueBefore}. */
  readonly isOverdue?: string;
  /** Younger rows are still in flight. */
  readonly slackMs: number;
  /** When it became due, if that is not its key. */
  readonly dueAt?: string;
}

/** Kinds whose items are rows. A settlement is a store's day. */
export type RowKind = Exclude<AuditKind, 'settlement'>;

export const OPEN_ROWS: Readonly<Record<RowKind, OpenRows>> = {
  charge: {
    table: 'charges',
    id: 'id',
    isOpen: `status = 'PENDING'`,
    // Charges of an issuer, and of nothing, are decided at once.
    key: `(case when method in (${SQL_DECIDED_AT_ONCE}) then created_at else closes_at end)`,
    columns: 'action_required_at, closes_at',
    // A payer may take some time to confirm a card payment.
    isOverdue: `(item.action_required_at is null or item.closes_at < cast(:before as timestamptz))`,
    slackMs: 5 * MINUTE_MS,
  },
  checkout: {
    table: 'checkouts',
    id: 'id',
    isOpen: `status = 'PENDING'`,
    // A payment link never expires.
    key: `coalesce(expires_at, 'infinity')`,
    // A boleto that was begun in time outlives its checkout.
    isDue: `not exists (select from charges where checkout_id = item.id and status = 'PENDING')`,
    slackMs: 10 * MINUTE_MS,
  },
  subscription: {
    table: 'subscriptions',
    id: 'id',
    isOpen: `status = 'ACTIVE'`,
    // In the middle of a cycle, an attempt is due or under way; otherwise the next cycle is. A pause ends, or lasts
    // until somebody ends it. A cancellation may come first.
    key: `least(cancel_at, case when paused_at is null then coalesce(attempt_due_at, usage_ends_at, cycle_ends_at) else coalesce(resumes_at, 'infinity') end)`,
    columns: 'cycle_number, attempt_due_at, cancel_at',
    isDue: `(item.key_at = item.cancel_at or item.attempt_due_at is null or not exists (
      select from installments cycle join charges attempt on attempt.installment_id = cycle.id
      where cycle.subscription_id = item.id and cycle.number = item.cycle_number and attempt.status = 'PENDING'))`,
    slackMs: 5 * MINUTE_MS,
  },
  refund: {
    table: 'refunds',
    id: 'id',
    isOpen: `status in ('REQUESTED', 'PENDING')`,
    key: 'created_at',
    columns: 'status, updated_at',
    // A reversal that its provider has not finished is polled at least every quarter of an hour.
    isOverdue: `(item.status = 'REQUESTED' or item.updated_at < cast(:before as timestamptz) - interval '20 minutes')`,
    slackMs: 5 * MINUTE_MS,
  },
  return: {
    table: 'payments',
    id: 'id',
    isOpen: `outcome = 'RETURNING'`,
    key: 'created_at',
    columns: 'charge_id',
    joins: 'join charges charge on charge.id = item.charge_id',
    owner: 'charge',
    slackMs: 5 * MINUTE_MS,
  },
  payout: {
    table: 'payouts',
    id: 'id',
    // A payout that waits for an approval has no workflow yet; the sweeper starts it after its time limit.
    isOpen: `status = 'PENDING' and approval is distinct from 'WAITING'`,
    key: 'created_at',
    columns: 'approval_decided_at',
    dueAt: 'greatest(item.key_at, item.approval_decided_at)',
    isOverdue: `(item.approval_decided_at is null or item.approval_decided_at <= cast(:before as timestamptz))`,
    // The longest pause between two polls of the provider.
    slackMs: 15 * MINUTE_MS,
  },
  debit: {
    table: 'debits',
    id: 'id',
    isOpen: 'next_at is not null',
    key: 'next_at',
    slackMs: 15 * MINUTE_MS,
  },
  delivery: {
    table: 'deliveries',
    id: 'id',
    isOpen: `status = 'PENDING'`,
    key: 'coalesce(next_attempt_at, created_at)',
    columns: 'event_id',
    joins: 'join events event on event.id = item.event_id',
    owner: 'event',
    slackMs: 5 * MINUTE_MS,
  },
  resend: {
    table: 'resends',
    id: 'id',
    isOpen: `status = 'RUNNING'`,
    key: 'progress_at',
    slackMs: 5 * MINUTE_MS,
  },
  paymentNotice: {
    table: 'sandbox_charges',
    id: 'payment_id',
    isOpen: `status = 'PAID' and notified_at is null`,
    key: 'paid_at',
    columns: 'reference',
    joins: `join charges charge on charge.provider = 'sandbox' and charge.provider_reference = item.reference`,
    owner: 'charge',
    slackMs: 5 * MINUTE_MS,
  },
  disputeNotice: {
    table: 'sandbox_disputes',
    id: 'id',
    isOpen: 'acknowledged_status is distinct from status',
    key: 'changed_at',
    columns: 'reference',
    joins: `join charges charge on charge.provider = 'sandbox' and charge.provider_reference = item.reference`,
    owner: 'charge',
    slackMs: 5 * MINUTE_MS,
  },
};

/** Rows of this kind that were due before this instant are overdue. */
export function overdueBefore(kind: AuditKind, now: Date): Date {
  const slackMs = kind === 'settlement' ? SETTLEMENT_SLACK_MS : OPEN_ROWS[kind].slackMs;
  return new Date(now.getTime() - slackMs);
}

/** Settling a day of a large store takes some minutes. */
const SETTLEMENT_SLACK_MS = 15 * MINUTE_MS;
