import type { BrowserContext, Request } from 'playwright-core';
import type { StripeStandIn } from './stripe-stand-in.ts';

/** The provider's script: its field is a frame of the provider's origin, which alone sees the card. */
export const CARD_FIELDS_SCRIPT = `globalThis.Stripe = (key) => {
  const origin = new URL(document.querySelector('script[src*="js.stripe.com"]').src).origin;
  const frame = document.createElement('iframe');
  frame.src = origin + '/fields?key=' + key;
  frame.title = 'card';
  return {
    elements: () => ({ create: () => ({ mount: (place) => place.append(frame) }), submit: async () => ({}) }),
    createPaymentMethod: () => new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve({ paymentMethod: { id: data } }), { once: true });
      frame.contentWindow.postMessage('tokenize', origin);
    }),
  };
};`;

const FIELDS = `<!doctype html><title>fields</title><input aria-label="number"><input aria-label="cvc"><script>
addEventListener('message', async () => {
  const [number, cvc] = [...document.querySelectorAll('input')].map(({ value }) => value);
  const body = new URLSearchParams({ 'card[number]': number, 'card[cvc]': cvc });
  const answer = await fetch('/v1/payment_methods', { method: 'POST', body });
  parent.postMessage((await answer.json()).id, '*');
});</script>`;

/** Everything that a payer's browser sends, by who receives it. */
export interface CardRecorder {
  readonly toService: readonly string[];
  readonly toProvider: readonly string[];
  /** Serves the provider's script and fields to a browser, and records its requests. */
  record(context: BrowserContext): Promise<void>;
}

/** A recorder between payers' browsers, the service and a provider with fields of its own. */
export function createCardRecorder(serviceUrl: string, stripe: StripeStandIn): CardRecorder {
  const toService: string[] = [];
  const toProvider: string[] = [];
  const note = (request: Request) => {
    const recorded = JSON.stringify([
      request.method(),
      request.url(),
      request.headers(),
      decodeURIComponent(request.postData()?.replaceAll('+', ' ') ?? ''),
    ]);
    if (request.url().startsWith(serviceUrl)) toService.push(recorded);
    else toProvider.push(recorded);
  };
  return {
    toService,
    toProvider,
    async record(context) {
      context.on('request', note);
      await context.route('**/js.stripe.com/v3/', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: CARD_FIELDS_SCRIPT }),
      );
      await context.route(`${stripe.url}/fields?*`, (route) =>
        route.fulfill({ contentType: 'text/html', body: FIELDS }),
      );
      await context.route(`${stripe.url}/3ds/*`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>bank</title>' }),
      );
      await context.route(`${stripe.url}/v1/payment_methods`, (route) =>
        route.fulfill({ json: { id: stripe.addCard(behaviourOf(route.request().postData() ?? '')) } }),
      );
    },
  };
}

/** By the first digits: cards with 4000 are declined, those with 4100 want the payer's confirmation. */
function behaviourOf(body: string) {
  const number = new URLSearchParams(body).get('card[number]') ?? '';
  if (number.startsWith('4000')) return { decline: 'insufficient_funds' };
  return number.startsWith('4100') ? ('CONFIRM' as const) : ('APPROVE' as const);
}
