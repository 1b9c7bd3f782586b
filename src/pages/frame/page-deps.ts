import type { Dispatcher } from 'undici';
import type { SandboxPayments } from '../../notifications/sandbox-payments.ts';
import type { CheckoutDeps } from '../../payments/payment-deps.ts';

/** What the pages are made from. */
export interface PageDeps extends CheckoutDeps {
  /** Business time: what a late boleto costs depends on the day. */
  readonly clock: () => Date;
  /** Where payers reach the pages, without a slash at the end. */
  readonly publicUrl: string;
  /** Behind the button that dev mode has in place of a payer's bank. */
  readonly sandboxPayments: Pick<SandboxPayments, 'payCharge'>;
  /** Fetches the files that payers bought, from public addresses only. */
  readonly dispatcher: Dispatcher;
}
