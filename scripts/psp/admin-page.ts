import { saoPauloDateOf } from '../../src/domain/civil-date.ts';
import { formatBrl } from '../../src/domain/money.ts';
import type { Bank } from './bank.ts';
import { amountDue } from './due-charge.ts';
import { codeOf } from './wire.ts';

/** How many of the newest charges are shown. */
const SHOWN = 50;

/** The page to pay a code by hand. Its values contain no characters that HTML would need escaped. */
export function adminPage(bank: Bank): string {
  const today = saoPauloDateOf(bank.now());
  const rows = Object.values(bank.state.charges)
    .slice(-SHOWN)
    .reverse()
    .map((charge) => {
      const amount = formatBrl(amountDue(charge, today).amountCents);
      const pay =
        charge.status === 'ATIVA'
          ? `<button onclick="post('/pay/${charge.txid}')">Pay</button>`
          : bank
              .paymentsOf(charge.txid)
              .map(
                ({ endToEndId }) =>
                  `<button onclick="post('/take-back/${endToEndId}')">Take back (MED)</button>`,
              )
              .join(' ');
      return `<tr><td><code>${charge.txid}</code><td>${charge.kind}<td>${amount}<td>${charge.status}<td>${pay}
<tr><td colspan=5><small><code>${codeOf(charge)}</code></small>`;
    });
  return `<!doctype html><html lang=en><meta charset=utf-8><title>Bank in a box</title>
<style>body{font:16px system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}td{padding:.25rem .75rem .25rem 0}small{overflow-wrap:anywhere}</style>
<h1>Bank in a box</h1>
<p>Charges that it has issued, newest first. Its clock says ${bank.now().toISOString()}.
<form onsubmit="post('/pay',{code:this.code.value});return false"><label>A code: <input name=code size=60></label> <button>Pay it</button></form>
<table>${rows.join('\n')}</table>
<script>
async function post(path, body = {}) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) alert((await answer.json()).error);
  location.reload();
}
</script></html>`;
}
