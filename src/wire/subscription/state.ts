import { z } from 'zod';
import { SUBSCRIPTION_STATES } from '../../domain/subscription.ts';

/** The state of a subscription in responses and events: an addition to its status (contract section 6.3). */
export const subscriptionState = z.enum(SUBSCRIPTION_STATES).meta({
  description:
    '`TRIALING` in the trial, `PAST_DUE` after a failed attempt at the current cycle until it is paid, `PAUSED` until it is ' +
    'resumed, `CANCELLING` if it ends with the current cycle, otherwise the status. ' +
    'Later releases may add states.',
});
