import { patched } from '@temporalio/workflow';

// A run lives for years, so it is finished by releases that did not begin it. Each predicate here asks
// whether a run was begun since a change; one that was begun before goes on as it began. A predicate may go
// when no run can be older than it.

/** Whether attempts at a delivery that are asked for use up none of its schedule. */
export const resendsAreCountedApart = () => patched('resends-are-besides');

/** Whether a delivery that was asked for again during its last attempt has the whole schedule before it again. */
export const resendsOutliveTheSchedule = () => patched('resends-outlive-the-schedule');

/** Whether a payout that is stuck continues as new long before the server suggests it. */
export const payoutsContinueSooner = () => patched('payouts-continue-sooner');

/** Whether an attempt that has not told its end in time is begun again, instead of being given up. */
export const attemptsAreResumed = () => patched('attempts-are-resumed');

/** Whether local activities of one run take turns. Asked only where one would begin beside another. */
export const activitiesRunOneAtATime = () => patched('activities-take-turns');

/** Whether an activity that begins beside another one is a regular one. Asked only where one does. */
export const whatComesBesideIsRegular = () => patched('what-comes-beside-is-regular');

/** Whether a subscription continues as new also while it waits. */
export const continuesWhileWaiting = () => patched('continues-while-waiting');

/** Whether a charge continues as new also while it waits for its payer. */
export const chargesContinueWhileWaiting = () => patched('charges-continue-while-waiting');

/** Whether a look-up that is asked for again keeps the instant at which the payment was first unknown. */
export const lookUpsKeepTheirAge = () => patched('look-ups-keep-their-age');

/** Whether charges of cycles tell how they ended, instead of being child workflows (docs/decisions/0018). */
export const chargesSignalTheirEnd = () => patched('charges-tell-their-end');
