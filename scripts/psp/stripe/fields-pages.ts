import { formatBrl } from '../../../src/domain/money.ts';

/**
 * Takes the place of Stripe's script on a payer's page: the card's fields are a frame of the box, which alone sees the
 * card, as with Stripe.
 */
export const SCRIPT = `globalThis.Stripe = (key) => {
  const { origin } = new URL(document.querySelector('script[src*="/js.stripe.com/v3/"]').src);
  const frame = document.createElement('iframe');
  frame.src = origin + '/fields?key=' + encodeURIComponent(key);
  frame.title = 'Card';
  frame.style.cssText = 'width:100%;height:15rem;border:0';
  const answer = () => new Promise((resolve) => {
    addEventListener('message', function listen(event) {
      if (event.source !== frame.contentWindow) return;
      removeEventListener('message', listen);
      resolve(event.data);
    });
    frame.contentWindow.postMessage('tokenize', origin);
  });
  return {
    elements: () => ({ create: () => ({ mount: (place) => place.append(frame) }), submit: async () => ({}) }),
    createPaymentMethod: answer,
  };
};`;

const STYLE = `<style>body{font:16px system-ui;margin:0;padding:.25rem}label{display:block;margin-bottom:.75rem;font-weight:600}
input{display:block;box-sizing:border-box;width:100%;margin-top:.25rem;padding:.625rem;border:1px solid #767676;border-radius:.375rem;font:inherit}
main{max-width:32rem;margin:3rem auto;padding:0 1rem}button{padding:.625rem 1rem;font:inherit}</style>`;

/** The frame with the card's fields. */
export const FIELDS = `<!doctype html><html lang=en><meta charset=utf-8><title>Card</title>${STYLE}
<label>Card number <input id=number inputmode=numeric autocomplete=cc-number></label>
<label>Expiry <input id=expiry inputmode=numeric placeholder=MM/YY autocomplete=cc-exp></label>
<label>CVC <input id=cvc inputmode=numeric autocomplete=cc-csc></label>
<script>
addEventListener('message', async ({ source, origin }) => {
  const [number, expiry, cvc] = [...document.querySelectorAll('input')].map(({ value }) => value.replace(/\\D/g, ''));
  const body = new URLSearchParams({ number, month: expiry.slice(0, 2), year: '20' + expiry.slice(-2), cvc });
  const answer = await fetch('/fields/tokenize', { method: 'POST', body });
  source.postMessage(await answer.json(), origin);
});
</script></html>`;

/** The page of the payer's bank, which confirms a payment (3-D Secure). */
export function bankPage(amountCents: number): string {
  return `<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>Your bank</title>${STYLE}
<main><h1>Your bank</h1><p>Do you pay ${formatBrl(amountCents)} by card?
<form method=post><button name=success value=true>Confirm</button> <button name=success value=false>Refuse</button></form></main></html>`;
}
