import {
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { CheckoutStatus } from '../src/domain/checkout.ts';
import {
  type CheckoutInput,
  cancelCheckoutUpdate,
  checkoutStateQuery,
  paymentAcceptedSignal,
} from './checkout.contract.ts';
import { checkoutEndings } from './lib/activity-options.ts';
import { shielded, withDomainCancellation } from './lib/cancellation.ts';
import { moment, RunClock } from './lib/run-clock.ts';
import { searchAttribute } from './search-attributes.contract.ts';

/**
 * One run handles one checkout or payment link until it is paid, expired or cancelled; a link ends only by
 * cancellation. It is durable because a checkout may wait a month for its payer. After a payment, the run must
 * close every other open charge despite crashes.
 *
 * Postgres arbitrates between two payments: one statement makes both the charge and its checkout PAID, or neither.
 * The second payment is returned. The run starts with a delay; a payment or a cancellation wakes it.
 */
export async function checkout({ checkoutId, expiresAtMs }: CheckoutInput): Promise<CheckoutStatus> {
  const clock = new RunClock();
  let status: CheckoutStatus = 'PENDING';
  let closesAtMs = expiresAtMs;
  let chargesOpen = false;
  const isOpen = () => status === 'PENDING';

  /** The only place that changes the status. It never returns to PENDING. */
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
    // All charges of a link are still open. A checkout may have charges that were begun meanwhile, or that a
    // payment left open.
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
      // The payment's own signal may arrive after this run has ended.
      chargesOpen ||= expiry.status !== 'EXPIRED' && expiry.status !== 'PENDING';
      moveTo(expiry.status);
      closesAtMs = expiry.lookAgainAtMs;
      if (isOpen()) setCurrentDetails('Expired, but a charge created in time can still be paid.');
    }
  };

  return withDomainCancellation(async () => {
    await waitForItsEnd();
    if (chargesOpen) await checkoutEndings.closeCharges({ checkoutId });
    await condition(allHandlersFinished);
    return status;
  }, cancel);
}
