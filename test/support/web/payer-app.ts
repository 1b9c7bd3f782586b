import type { AppDeps } from '../../../src/api/frame/deps.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { createTestApp, type TestApp } from '../api/app.ts';
import { NOON } from '../rows/checkout-rows.ts';

/** A card of the sandbox as a payer types it. */
export const CARD = {
  cardNumber: '4242 4242 4242 4242',
  cardHolder: 'ANA SOUZA',
  cardExpiry: '12/30',
  cardCvv: '123',
};

/** The answer of a page to a form, and the address of its redirect. */
export interface FormAnswer {
  readonly status: number;
  readonly location: string;
  /** Whether the form is to be shown again, since it was refused or only changed its coupon. */
  readonly cameBack: boolean;
  /** What is read then, after the page that a form that came back leads to was loaded. */
  readonly text: string;
  /** What the browser is to send along from now on, as it does; empty for nothing. */
  readonly cookie: string;
  /** The same as it was set. */
  readonly setCookie: string;
}

/**
 * The pages of checkouts without workers: a test says what the time is, and what becomes of a card payment.
 */
export interface PayerApp extends TestApp {
  readonly played: { now: Date; decision: Partial<Charge> };
  /** Sends a form as a browser does. */
  send(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<FormAnswer>;
}

/** @param overrides replace single dependencies. */
export async function createPayerApp(overrides: Partial<AppDeps> = {}): Promise<PayerApp> {
  const played: PayerApp['played'] = { now: NOON, decision: {} };
  const app = await createTestApp({
    clock: () => played.now,
    starter: { startSoon: () => undefined },
    chargeUpdates: {
      authorize: async ({ id }) => {
        await app.database.em.fork().nativeUpdate(ChargeEntity, { id }, played.decision);
        return 'PAID';
      },
      cancel: async () => 'CANCELLED',
      refund: async () => 'REFUNDED',
      askProviderNow: async () => undefined,
    },
    ...overrides,
  });
  return {
    ...app,
    played,
    async send(path, fields, headers = {}) {
      const response = await fetch(app.api.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'Sec-Fetch-Site': 'same-origin', ...headers },
        body: new URLSearchParams(fields),
      });
      const location = response.headers.get('location') ?? '';
      const set = response.headers.getSetCookie();
      const cookie = set.map((each) => each.split(';')[0]).join('; ');
      const cameBack = location === path;
      const shown = cameBack
        ? await fetch(app.api.url + path, { headers: { ...headers, Cookie: cookie } })
        : response;
      const text = await shown.text();
      return { status: response.status, location, cameBack, text, cookie, setCookie: set.join(', ') };
    },
  };
}

let forms = 0;

/** What the form of a payment sends with its fields; each form is another one. */
export function payFormOf(fields: Record<string, string>): Record<string, string> {
  forms += 1;
  return { attempt: String(forms).padStart(32, '0'), action: 'pay', ...fields };
}
