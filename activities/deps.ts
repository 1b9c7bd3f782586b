import type { ChargeDeps } from '../src/charges/effects.ts';
import type { AuditInput, AuditReport } from '../src/domain/audit.ts';
import type { StoreId } from '../src/domain/ids.ts';
import type { ListedRound } from '../src/domain/reconciliation.ts';
import type { ClockProgress } from '../src/domain/store-clock.ts';
import type { MandateDeps } from '../src/mandates/effects.ts';
import type { ReminderDeps } from '../src/reminders/reminder-round.ts';
import type { SubscriptionDeps } from '../src/subscriptions/effects.ts';
import type { WebhookDeps } from '../src/webhooks/effects.ts';

/** Work that comes round again and again. `isOver` is called now and then, and throws to stop it. */
export interface RoundDeps {
  /** Finds overdue work and resumes it. */
  readonly audit: (input: AuditInput, isOver: () => void) => Promise<AuditReport>;
  /** Ingests payments that providers list and that were never notified. */
  readonly takeListed: (now: Date, isOver: () => void) => Promise<ListedRound>;
  /** Advances a store's clock for some seconds; null if this worker already advances as many as it may. */
  readonly advanceClock: (storeId: StoreId, isOver: () => void) => Promise<ClockProgress | null>;
  /** How long events are kept; null means for ever. */
  readonly eventRetentionDays: number | null;
}

/** What activities work with: the ports of the capabilities. Tests inject failing providers and endpoints. */
export interface ActivityDeps
  extends ChargeDeps,
    SubscriptionDeps,
    MandateDeps,
    WebhookDeps,
    ReminderDeps,
    RoundDeps {}
