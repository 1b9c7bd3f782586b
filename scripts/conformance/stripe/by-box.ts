import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type {
  NotificationPointer,
  ReceivedNotification,
} from '../../../src/providers/ports/notifications.ts';
import type { StripeProvider } from '../../../src/providers/stripe/stripe-provider.ts';
import { closed, listening } from '../../psp/local-server.ts';
import { startProgram } from '../../psp/stripe/start-program.ts';
import { StripeBox } from '../../psp/stripe/stripe-box.ts';
import type { Verdict } from '../verdict.ts';
import { accepted, acceptOf, adapterAt, boletoOf, chargeOf, NOTIFICATION_SECRET } from './account.ts';

const NOTIFIED_WITHIN_MS = 10_000;

/** The box of `npm run stripe-box`, from the fields on the payer's page to evidence for a dispute. */
export async function byBox(program: string, cwd: string): Promise<readonly Verdict[]> {
  const target = await startProgram(program, (port) => ['--port', String(port), '--from-scratch'], cwd);
  const box = new StripeBox(target);
  await box.open(0);
  const received: ReceivedNotification[] = [];
  const inbox = createServer(async (incoming, outgoing) => {
    const rawBody = await buffer(incoming);
    const from = { clientAddress: '127.0.0.1', peerCertificate: null, pathSecret: NOTIFICATION_SECRET };
    received.push({ rawBody, headers: incoming.headers, ...from });
    outgoing.end();
  });
  await listening(inbox, 0);
  const url = `http://127.0.0.1:${(inbox.address() as AddressInfo).port}`;
  const { secrets } = await adapterAt(box.url).notifications.register(url);
  const { webhookSecret = '' } = secrets;
  const provider = adapterAt(box.url, { webhookSecret });
  const notified = async (isIt: (pointer: NotificationPointer) => boolean) => {
    const deadlineMs = performance.now() + NOTIFIED_WITHIN_MS;
    const isThere = () =>
      received
        .filter((notification) => provider.notifications.authenticate(notification))
        .some(({ rawBody }) => provider.notifications.translate(rawBody).some(isIt));
    while (!isThere() && performance.now() < deadlineMs) await delay(50);
    return isThere();
  };
  try {
    return [await walkThrough(box, provider, notified)];
  } finally {
    await Promise.all([provider.disconnect(), box.close(), closed(inbox)]);
  }
}

async function walkThrough(
  box: StripeBox,
  provider: StripeProvider,
  notified: (isIt: (pointer: NotificationPointer) => boolean) => Promise<boolean>,
): Promise<Verdict> {
  const wrong: string[] = [];
  let steps = 0;
  const expecting = (what: string, found: unknown, expected: unknown) => {
    steps++;
    if (found !== expected) wrong.push(`${what}: ${found} instead of ${expected}`);
  };
  const typed = await request(`${box.url}/fields/tokenize`, {
    method: 'POST',
    body: 'number=4000002500003155&month=12&year=2039&cvc=123',
  });
  const tokenized = (await typed.body.json()) as { readonly paymentMethod: { readonly id: string } };
  const { paymentMethod } = tokenized;
  const token = await accepted(provider, paymentMethod.id, acceptOf('submission'));
  const charge = chargeOf(token ?? '', { returnUrl: 'http://localhost/back' });
  const asked = await provider.cards.charge(charge);
  expecting('a card that the bank wants to confirm', asked.outcome, 'REQUIRES_ACTION');
  const page = asked.outcome === 'REQUIRES_ACTION' ? asked.url : box.url;
  const confirmed = await request(page, { method: 'POST', body: 'success=true' });
  expecting('where the payer goes from the bank', confirmed.headers.location, charge.returnUrl);
  const paid = await provider.cards.charge(charge);
  expecting('the card once it is confirmed', paid.outcome, 'APPROVED');
  expecting(
    'the notification of a card',
    await notified((pointer) => pointer.kind === 'PAYMENT' && pointer.reference === charge.reference),
    true,
  );

  const trial = await request(`${box.url}/fields/tokenize`, {
    method: 'POST',
    body: 'number=4000002500003155&month=12&year=2039&cvc=123',
  });
  const { paymentMethod: kept } = (await trial.body.json()) as typeof tokenized;
  const free = { ...acceptOf('trial'), keepsCard: true, isFree: true };
  const stored = (await accepted(provider, kept.id, free)) ?? '';
  const verification = { reference: 'trial', token: stored, returnUrl: 'http://localhost/trial' };
  const wanted = await provider.cards.verify(verification);
  expecting('the card of a trial that the bank wants to confirm', wanted.outcome, 'REQUIRES_ACTION');
  await request(wanted.outcome === 'REQUIRES_ACTION' ? wanted.url : box.url, {
    method: 'POST',
    body: 'success=true',
  });
  expecting('the card of a trial', (await provider.cards.verify(verification)).outcome, 'VERIFIED');
  const later = await provider.cards.charge(chargeOf(stored, { isOffSession: true }));
  expecting('a later charge of that card, without the payer', later.outcome, 'APPROVED');

  const paymentId = paid.outcome === 'APPROVED' ? paid.payment.providerPaymentId : '';
  const { id } = await box.dispute(paymentId, false);
  const disputeId = String(id);
  expecting(
    'the notification of a dispute',
    await notified((pointer) => pointer.kind === 'DISPUTE' && pointer.providerDisputeId === disputeId),
    true,
  );
  const open = await provider.disputes.find(disputeId);
  expecting('the dispute', `${open?.status} ${open?.fees?.[0]?.chargedCents}`, 'OPEN 5500');
  const submission = {
    ...{ providerDisputeId: disputeId, submissionKey: 'submission', files: [] },
    texts: { uncategorizedText: 'winning_evidence' },
  };
  for (let repeat = 0; repeat < 2; repeat++)
    expecting('evidence', (await provider.evidence.submit(submission)).outcome, 'DONE');
  expecting('the dispute after evidence', (await provider.disputes.find(disputeId))?.status, 'WON');

  const boleto = boletoOf();
  expecting('a boleto', (await provider.boletos.issue(boleto)).outcome, 'ISSUED');
  const [intent] = await box.stripe.intentsOf(boleto.chargeId);
  box.payBoleto(String(intent?.id));
  expecting(
    'the notification of a boleto',
    await notified((pointer) => pointer.kind === 'PAYMENT' && pointer.reference === boleto.chargeId),
    true,
  );
  const time = { from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
  const { items } = await provider.listing.payments(time, null);
  expecting('payments listed', items.length, 3);
  expecting('disputes listed', items.flatMap(({ disputes = [] }) => disputes).length, 1);
  const booked = await provider.statement.entries(time, null);
  const kinds = booked.items.map(({ kind, amountCents }) => `${kind} ${amountCents < 0 ? '-' : '+'}`).sort();
  expecting("Stripe's books", kinds.join(', '), 'DISPUTE +, DISPUTE -, PAYMENT +, PAYMENT +, PAYMENT +');
  expecting("Stripe's payouts", (await provider.statement.payouts(time, null)).items.length, 0);
  return { what: `${steps} steps of a walk-through`, wrong };
}
