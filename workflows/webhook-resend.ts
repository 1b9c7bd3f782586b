import { continueAsNew, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { ResendStatus } from '../src/domain/resend.ts';
import { resends } from './lib/activity-options.ts';
import { withDomainCancellation } from './lib/cancellation.ts';
import { isHistoryLong } from './lib/long-history.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import type { WebhookResendInput } from './webhook-resend.contract.ts';

/** The pause between batches, so that an endpoint that was down for days is not overloaded. */
const PAUSE_MS = 1_000;

/** Some minutes of a range. Its row keeps the progress, and no operator needs the earlier events. */
const CONTINUE_AFTER_EVENTS = 300;

/**
 * One run resends a range of a webhook's deliveries, one batch per second. It ends when the range is done, or when
 * it is stopped: on request, or because its webhook was disabled. It is durable because a range may contain a
 * hundred thousand deliveries and take hours, and none may be left out.
 *
 * The row stores the progress, so a run that takes over or continues as new can resume from it.
 */
export function webhookResend(input: WebhookResendInput): Promise<ResendStatus> {
  return withDomainCancellation(
    () => resent(input),
    () => resends.stopResend({ ...input, nowMs: Date.now() }),
  );
}

async function resent(input: WebhookResendInput): Promise<ResendStatus> {
  for (;;) {
    const { status, resentCount } = await resends.resendSome({ ...input, nowMs: Date.now() });
    setCurrentDetails(`Resend is **${status}** after ${resentCount} deliveries.`);
    if (status !== 'RUNNING') {
      upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
      return status;
    }
    await sleep(PAUSE_MS, { summary: 'the next deliveries' });
    if (isHistoryLong(CONTINUE_AFTER_EVENTS)) await continueAsNew<typeof webhookResend>(input);
  }
}
