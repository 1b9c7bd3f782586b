import { patched } from '@temporalio/workflow';

// A run lives for years, so later releases finish it. Each predicate asks whether a run began after a change; older
// runs keep the old behaviour. A predicate may go when no run can be older than its change.

/** Whether resend attempts leave the delivery's schedule untouched. */
export const resendsAreCountedApart = () => patched('resends-are-besides');

/** Whether a resend request during the last attempt gives the delivery a new full schedule. */
export const resendsOutliveTheSchedule = () => patched('resends-outlive-the-schedule');

/** Whether a stuck payout continues as new long before the server suggests it. */
export const payoutsContinueSooner = () => patched('payouts-continue-sooner');

/** Whether an attempt that did not signal its end in time is resumed instead of given up. */
export const attemptsAreResumed = () => patched('attempts-are-resumed');

/** Whether local activities of one run share a mutex. Asked only if one would begin while another is running. */
export const activitiesRunOneAtATime = () => patched('activities-take-turns');

/** Whether an activity that begins while another one is running is a regular one. Asked only in that case. */
export const whatComesBesideIsRegular = () => patched('what-comes-beside-is-regular');

/** Whether a subscription can also continue as new while it waits. */
export const continuesWhileWaiting = () => patched('continues-while-waiting');

/** Whether a charge can also continue as new while it waits for its payer. */
export const chargesContinueWhileWaiting = () => patched('charges-continue-while-waiting');

/** Whether a repeated look-up keeps the instant at which the payment was first unknown. */
export const lookUpsKeepTheirAge = () => patched('look-ups-keep-their-age');

/** Whether charges of cycles signal their end instead of being child workflows (docs/decisions/0018). */
export const chargesSignalTheirEnd = () => patched('charges-tell-their-end');
