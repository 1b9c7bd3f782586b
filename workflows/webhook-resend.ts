import { continueAsNew, setCurrentDetails, sleep, upsertSearchAttributes } from '@temporalio/workflow';
import type { ResendStatus } from '../src/domain/resend.ts';
import { resends } from './activity-options.ts';
import { withDomainCancellation } from './cancellation.ts';
import { isHistoryLong } from './long-history.ts';
import { searchAttribute } from './search-attributes.contract.ts';
import type { WebhookResendInput } from './webhook-resend.contract.ts';

/** Between one lot of deliveries and the next: an endpoint that was down for days is not run over. */
const PAUSE_MS = 1_000;

/** Some minutes of a range: what came before is in its row, and in no operator's interest. */
const CONTINUE_AFTER_EVENTS = 300;

/**
 * One run stands for a range of a webhook's deliveries that is sent again, a lot each second. It ends when the range has
 * been gone through, or was stopped: on request, or as its webhook is disabled. It is durable because a range may be a
 * hundred thousand deliveries, which take hours, and none of them may be left out.
 *
 * How far it has come stands in its row, and so a run that takes over, or goes on as new, knows it.
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
    setCurrentDetails(`Is **${status}**: ${resentCount} deliveries were asked for again.`);
    if (status !== 'RUNNING') {
      upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
      return status;
    }
    await sleep(PAUSE_MS, { summary: 'the next deliveries' });
    if (isHistoryLong(CONTINUE_AFTER_EVENTS)) await continueAsNew<typeof webhookResend>(input);
  }
}
