import {
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { CheckoutStatus } from '../src/domain/checkout.ts';
import { checkoutEndings } from './activity-options.ts';
import { shielded, withDomainCancellation } from './cancellation.ts';
import {
  type CheckoutInput,
  cancelCheckoutUpdate,
  checkoutStateQuery,
  paymentAcceptedSignal,
} from './checkout.contract.ts';
import { moment, RunClock } from './run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/**
 * One run stands for one checkout or payment link from its creation to its end: paid, expired or cancelled; a
 * link ends only by being cancelled. It is durable because it may wait a month for its payer, and because
 * what follows a payment, closing every other charge that was begun, must happen however often a process
 * dies.
 *
 * Between two payments Postgres arbitrates: the statement that makes a charge PAID makes its checkout PAID,
 * or does neither, and money that came second goes back. The run is started asleep; a payment or a
 * cancellation wakes it.
 */
export async function checkout({ checkoutId, expiresAtMs }: CheckoutInput): Promise<CheckoutStatus> {
  const clock = new RunClock();
  let status: CheckoutStatus = 'PENDING';
  let closesAtMs = expiresAtMs;
  let chargesOpen = false;
  const isOpen = () => status === 'PENDING';

  /** The only place where the status changes. Nothing leads back to PENDING. */
  const moveTo = (next: CheckoutStatus) => {
    if (next === status || next === 'PENDING') return;
    status = next;
    upsertSearchAttributes([{ key: searchAttribute.status, value: status }]);
    setCurrentDetails(`Checkout is **${status}**.`);
  };

  setHandler(checkoutStateQuery, () => ({
    status,
    expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    closesAt: closesAtMs === null ? null : new Date(closesAtMs).toISOString(),
  }));
  setHandler(paymentAcceptedSignal, (accepted) => {
    chargesOpen ||= accepted.othersOpen;
    moveTo('PAID');
  });
  const cancel = async () => {
    // A link's charges are all still open, and a checkout's may have been begun, or left by a payment,
    // meanwhile.
    chargesOpen = true;
    moveTo(await checkoutEndings.cancelCheckout({ checkoutId, ...moment() }));
    return status;
  };
  setHandler(cancelCheckoutUpdate, shielded(cancel));

  const waitForItsEnd = async () => {
    while (isOpen()) {
      if (closesAtMs === null) await condition(() => !isOpen());
      else await clock.pause(Math.max(1, closesAtMs - Date.now()), () => !isOpen(), 'checkout expires');
      if (!isOpen()) break;
      const expiry = await checkoutEndings.expireCheckout({ checkoutId, ...moment() });
      // The payment's own message may come after this run has ended.
      chargesOpen ||= expiry.status === 'PAID' || expiry.status === 'REFUNDED';
      moveTo(expiry.status);
      closesAtMs = expiry.lookAgainAtMs;
      if (isOpen()) setCurrentDetails('Expired, but a charge that was begun in time can still be paid.');
    }
  };

  return withDomainCancellation(async () => {
    await waitForItsEnd();
    if (chargesOpen) await checkoutEndings.closeCharges({ checkoutId });
    await condition(allHandlersFinished);
    return status;
  }, cancel);
}
