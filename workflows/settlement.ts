import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { settlements } from './lib/activity-options.ts';
import { withDomainCancellation } from './lib/cancellation.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { paymentDueSignal, type SettlementInput } from './settlement.contract.ts';

/**
 * One run settles all payments of a store that become available on one day. The first such payment starts it with a
 * delay, and it ends when all are available. It is durable because boletos settle on the next business day and
 * cards after thirty days, and a store would lose money that never settles.
 *
 * Postgres decides on that day which payments settle: payments that were refunded or disputed meanwhile do not. A
 * store's money must not be withheld, so a cancellation request in the Temporal UI changes nothing.
 * @returns the number of settled payments.
 */
export function settlement(input: SettlementInput): Promise<number> {
  return withDomainCancellation(() => settled(input));
}

async function settled({ storeId, devMode, settlesAtMs }: SettlementInput): Promise<number> {
  const clock = new RunClock();
  let count = 0;
  let isDue = true;
  let dueMs = settlesAtMs;
  setHandler(paymentDueSignal, (payment) => {
    isDue = true;
    dueMs = Math.max(dueMs, payment.settlesAtMs);
  });
  while (isDue) {
    for (let untilMs = 0; untilMs < dueMs; ) {
      untilMs = dueMs;
      await clock.waitUntil(untilMs, () => false, 'payments become due');
    }
    isDue = false;
    count += await settlements.settleCharges({ storeId, devMode, ...moment() });
  }
  setCurrentDetails(`**${count}** payments became available.`);
  return count;
}
