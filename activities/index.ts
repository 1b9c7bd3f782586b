import { createAnnouncementActivities } from './announcements/activities.ts';
import { createAuditActivities } from './audit/activities.ts';
import { createChargeActivities } from './charges/activities.ts';
import { createCheckoutActivities } from './checkouts/activities.ts';
import { createClockActivities } from './clock/activities.ts';
import { createDeliveryActivities } from './deliveries/activities.ts';
import { createResendActivities } from './deliveries/resend-range.ts';
import type { ActivityDeps } from './deps.ts';
import { createPayoutActivities } from './payouts/activities.ts';
import { createReconciliationActivities } from './reconciliation/activities.ts';
import { createRetentionActivities } from './retention/activities.ts';
import { createSettlementActivities } from './settlements/activities.ts';
import { createSubscriptionActivities } from './subscriptions/activities.ts';

/** All activities. Each may run twice with the same input. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createChargeActivities(deps),
    ...createCheckoutActivities(deps),
    ...createDeliveryActivities(deps),
    ...createResendActivities(deps),
    ...createSubscriptionActivities(deps),
    ...createPayoutActivities(deps),
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
