import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { settlements } from './activity-options.ts';
import { withDomainCancellation } from './cancellation.ts';
import { moment, RunClock } from './run-clock.ts';
import { paymentDueSignal, type SettlementInput } from './settlement.contract.ts';

/**
 * One run stands for all payments of a store that become available on one day. It is started asleep by the
 * first of them, and ends when they are available. It is durable because boletos settle on the next business
 * day and cards after thirty days, and money that is never settled would be lost to its store.
 *
 * Which payments settle is decided by Postgres when the day has come: those that were refunded or disputed
 * meanwhile do not. A store's money is not kept from it, so a cancellation that is asked for in the UI changes
 * nothing.
 * @returns how many settled.
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
