import { createAnnouncementActivities } from './announcements.ts';
import { createAuditActivities } from './audit.ts';
import { createChargeActivities } from './charges.ts';
import { createCheckoutActivities } from './checkouts.ts';
import { createClockActivities } from './clock.ts';
import { createDebitActivities } from './debits.ts';
import { createDeliveryActivities, createResendActivities } from './deliveries.ts';
import type { ActivityDeps } from './deps.ts';
import { createPayoutActivities } from './payouts.ts';
import { createReconciliationActivities } from './reconciliation.ts';
import { createRetentionActivities } from './retention.ts';
import { createSettlementActivities } from './settlements.ts';
import { createSubscriptionActivities } from './subscriptions.ts';

/** All activities. Each may run twice with the same input. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createChargeActivities(deps),
    ...createCheckoutActivities(deps),
    ...createDeliveryActivities(deps),
    ...createResendActivities(deps),
    ...createSubscriptionActivities(deps),
    ...createPayoutActivities(deps),
    ...createDebitActivities(deps),
    ...createSettlementActivities(deps),
    ...createAuditActivities(deps),
    ...createClockActivities(deps),
    ...createRetentionActivities(deps),
    ...createReconciliationActivities(deps),
    ...createAnnouncementActivities(deps),
  };
}

/** The activities as workflows see them; they import this type only. */
export type Activities = ReturnType<typeof createActivities>;
