import { z } from 'zod';
import { formatBrl } from '../../../src/domain/money.ts';
import { startBoxAdmin } from '../box-admin.ts';
import type { StripeBox } from './stripe-box.ts';

const disputeSchema = z.strictObject({ isInquiry: z.boolean().default(false) });
const decideSchema = z.strictObject({ outcome: z.enum(['won', 'lost']) });
/** How many of the newest payments are shown. */
const SHOWN = 50;

/**
 * The API that controls the box, over plain HTTP on this machine: it pays boletos, and disputes payments and decides the
 * disputes.
 */
export function startAdmin(box: StripeBox, port: number) {
  return startBoxAdmin({ page: () => pageOf(box), act: (...command) => act(box, ...command) }, port);
}

async function act(box: StripeBox, name: string, id: string, body: unknown): Promise<unknown> {
  switch (name) {
    case 'GET state':
      return {
        intents: await box.intents(),
        charges: await box.charges(),
        refunds: await box.stripe.all('/v1/refunds'),
        disputes: box.disputes.all,
        webhooks: box.webhooks.all.map(({ id: endpoint, url: address }) => ({ id: endpoint, url: address })),
      };
    case 'POST pay':
      return box.payBoleto(id);
    case 'POST dispute':
      return box.dispute(id, disputeSchema.parse(body).isInquiry);
    case 'POST decide':
      return box.disputes.decide(id, decideSchema.parse(body).outcome);
    case 'GET faults':
      return { happened: Object.fromEntries(box.stripe.faults.happened) };
    case 'POST faults':
      if (id === 'clear') box.stripe.faults.clear();
      else box.stripe.faults.order(body);
      return { ok: true };
    default:
      return null;
  }
}

/** The page on which payers and their banks act by hand. */
async function pageOf(box: StripeBox): Promise<string> {
  const disputes = new Map(box.disputes.all.map((dispute) => [dispute.payment_intent, dispute]));
  const rows = (await box.intents()).slice(0, SHOWN).map(({ id, status, amount }) => {
    const dispute = disputes.get(id);
    const button = (label: string, path: string, body = '{}') =>
      `<button onclick='post("${path}",${body})'>${label}</button>`;
    const isBoleto = box.stripe.boletos.has(String(id));
    let acts = '';
    if (isBoleto && status === 'requires_action') acts = button('Pay', `/pay/${id}`);
    else if (dispute !== undefined)
      acts = `${button('Store wins', `/decide/${dispute.id}`, '{outcome:"won"}')} ${button('Payer wins', `/decide/${dispute.id}`, '{outcome:"lost"}')}`;
    else if (!isBoleto && status === 'succeeded') acts = button('Dispute', `/dispute/${id}`);
    return `<tr><td><code>${id}</code><td>${isBoleto ? 'boleto' : 'card'}<td>${formatBrl(Number(amount))}<td>${dispute?.status ?? status}<td>${acts}`;
  });
  return `<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width"><title>Stripe in a box</title>
<style>body{font:16px system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}td{padding:.25rem .75rem .25rem 0}table{display:block;overflow-x:auto}</style>
<h1>Stripe in a box</h1><p>Payments, newest first.
<table>${rows.join('\n')}</table>
<script>
async function post(path, body = {}) {
  const answer = await fetch(path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) alert((await answer.json()).error);
  location.reload();
}
</script></html>`;
}
