import { addDays } from '../../../src/domain/civil-date.ts';
import { EVIDENCE_FILES, EVIDENCE_TEXTS } from '../../../src/domain/dispute-evidence.ts';
import type { RefundId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { REFERENCE } from '../../../src/providers/stripe/ids.ts';
import { startProgram } from '../../psp/stripe/start-program.ts';
import { type Exchange, startRelay } from '../relay.ts';
import type { Verdict } from '../verdict.ts';
import { accepted, acceptOf, adapterAt, boletoOf, chargeOf } from './account.ts';

const ENDPOINT = 'https://pay.example.com/notifications/pacc_judged/path-secret';

/** Every kind of request of the adapter. A new kind needs a check, too. */
const REQUESTS = [
  'DELETE /v1/customers/…',
  'DELETE /v1/webhook_endpoints/…',
  'GET /v1/balance_transactions',
  'GET /v1/charges',
  'GET /v1/customers/…',
  'GET /v1/disputes',
  'GET /v1/disputes/…',
  'GET /v1/payment_intents',
  'GET /v1/payment_intents/search',
  'GET /v1/payment_intents/…',
  'GET /v1/payment_method_domains',
  'GET /v1/payment_methods/…',
  'GET /v1/payouts',
  'GET /v1/refunds',
  'GET /v1/setup_intents/…',
  'GET /v1/webhook_endpoints',
  'POST /v1/customers',
  'POST /v1/customers/…',
  'POST /v1/disputes/…',
  'POST /v1/disputes/…/close',
  'POST /v1/files',
  'POST /v1/payment_intents',
  'POST /v1/payment_intents/…/cancel',
  'POST /v1/payment_method_domains',
  'POST /v1/payment_method_domains/…',
  'POST /v1/payment_method_domains/…/validate',
  'POST /v1/payment_methods/…/detach',
  'POST /v1/refunds',
  'POST /v1/refunds/…',
  'POST /v1/setup_intents',
  'POST /v1/setup_intents/…/cancel',
  'POST /v1/webhook_endpoints',
  'POST /v1/webhook_endpoints/…',
];

/** What makes a listed charge a disputed one of ours. */
const DISPUTED = {
  ...{ status: 'succeeded', paid: true, captured: true, disputed: true },
  payment_intent: { id: 'pi_1', object: 'payment_intent', metadata: { [REFERENCE]: chargeOf('').reference } },
};

/** Stripe's own mock, which refuses what Stripe's OpenAPI document refuses. It has no state: only requests are judged. */
export async function byStripeMock(program: string, cwd: string): Promise<Verdict> {
  const url = await startProgram(program, (port) => ['-http-port', String(port), '-https-port', '0'], cwd);
  let search: 'FOUND' | 'EMPTY' = 'FOUND';
  let owner: string | null = null;
  let knowsDomain = true;
  let listedUrl = ENDPOINT.replace('pay.', 'old.');
  const relay = await startRelay(url, undefined, (reply, path) => {
    const body = JSON.parse(reply);
    const isList = path.includes('/search') || path.startsWith('/v1/payment_intents?');
    if (isList && search === 'EMPTY') body.data = [];
    if (path.startsWith('/v1/payment_methods/')) body.customer = owner;
    if (path.startsWith('/v1/disputes/')) body.status = 'needs_response';
    if (path === '/v1/setup_intents') body.status = 'processing';
    if (path.startsWith('/v1/charges?')) for (const charge of body.data) Object.assign(charge, DISPUTED);
    if (path.startsWith('/v1/customers/')) body.metadata = { recebe_submission: 'judged' };
    if (path.startsWith('/v1/payment_method_domains') && body.apple_pay) body.apple_pay.status = 'inactive';
    if (path.startsWith('/v1/payment_method_domains?') && !knowsDomain) body.data = [];
    if (path.startsWith('/v1/webhook_endpoints?')) body.data[0].url = listedUrl;
    return JSON.stringify(body).replaceAll('"usd"', '"brl"');
  });
  const provider = adapterAt(relay.url);
  const registered = adapterAt(relay.url, { webhookSecret: 'whsec_known' });
  const failures: string[] = [];
  const live = async (what: string, call: () => Promise<unknown>) => {
    try {
      await call();
    } catch (error) {
      // The mock's objects contradict each other: a cancelled intent is still open. Its refusals are counted below.
      failures.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const time = { from: new Date(Date.now() - 86_400_000), until: new Date() };
  const { boletos, charges, cards, disputes, evidence, listing, notifications, statement } = provider;
  for (const isFree of [false, true])
    await live('accept', () =>
      accepted(provider, 'pm_1', acceptOf(`judged-${isFree}`, { isFree, keepsCard: true })),
    );
  owner = 'cus_1';
  await live('accept again', () => accepted(provider, 'pm_1', acceptOf('judged')));
  for (const given of [{}, { keepsCard: true }, { isOffSession: true, keepsCard: true }])
    await live('charge', () => cards.charge(chargeOf('cus_1:pm_1', given)));
  await live('charge once', () => cards.charge(chargeOf('pm_1')));
  for (const dueInDays of [0, 3, 56]) {
    const boleto = boletoOf();
    const dueDate = addDays(boleto.dueDate, dueInDays - 3);
    await live('issue a boleto', () => boletos.issue({ ...boleto, dueDate }));
  }
  await live('verify a card', () =>
    cards.verify({ reference: 'judged', token: 'cus_1:pm_1', returnUrl: 'https://pay.example.com/back' }),
  );
  await live('forget', () => cards.forget('cus_1:pm_1'));
  await live('close', () => charges.close(chargeOf('').reference));
  search = 'EMPTY';
  await live('close unknown', () => charges.close(chargeOf('').reference));
  await live('find', () => charges.findPayment('pi_1'));
  await live('find by reference', () => charges.findByReference(chargeOf('').reference));
  const refundReference = mintId<RefundId>('refund', new Date());
  await live('refund', () =>
    charges.refund({ refundReference, providerPaymentId: 'pi_1', amountCents: 100 }),
  );
  await live('dispute', () => disputes.find('du_1'));
  await live('submit evidence', () =>
    evidence.submit({
      ...{ providerDisputeId: 'du_1', submissionKey: 'judged-1' },
      texts: Object.fromEntries(EVIDENCE_TEXTS.map((name) => [name, 'judged'])),
      files: EVIDENCE_FILES.map((kind) => ({
        kind,
        type: 'application/pdf',
        content: Buffer.from('%PDF-1.7'),
      })),
    }),
  );
  await live('accept a dispute', () => evidence.accept('du_1', 'judged-2'));
  await live('list', () => listing.payments(time, null));
  await live('list a further page', () => listing.payments(time, 'ch_1'));
  await live('read the statement', () => statement.entries(time, null));
  await live('read a further page of it', () => statement.entries(time, 'txn_1'));
  await live('list payouts', () => statement.payouts(time, null));
  await live('list references', () => listing.references(time, null));
  await live('register wallets again', async () => cards.walletPages?.register('pay.example.com'));
  knowsDomain = false;
  await live('register wallets', async () => cards.walletPages?.register('pay.example.com'));
  await live('permissions', async () => provider.missingPermissions?.());
  await live('register', () => notifications.register(ENDPOINT));
  listedUrl = ENDPOINT;
  await live('register again', () => notifications.register(ENDPOINT));
  await live('register known', () => registered.notifications.register(ENDPOINT));
  await Promise.all([provider.disconnect(), registered.disconnect(), relay.close()]);

  const refused = relay.exchanges.filter(({ status }) => status >= 400);
  const made = new Set(relay.exchanges.map(kindOf));
  return {
    what: `${relay.exchanges.length} requests of ${made.size} kinds, ${refused.length} refused`,
    wrong: [
      ...refused.map(
        (each) => `${kindOf(each)}: ${each.status} ${JSON.stringify(each.answer)} ${failures.join('; ')}`,
      ),
      ...REQUESTS.filter((kind) => !made.has(kind)).map((kind) => `${kind} was not judged`),
      ...[...made]
        .filter((kind) => !REQUESTS.includes(kind))
        .map((kind) => `${kind} is not in the list of requests`),
    ],
  };
}

function kindOf({ method, path }: Exchange): string {
  const [pathname = ''] = path.split('?');
  const parts = pathname
    .split('/')
    .map((part, index) =>
      index > 2 && !/^(?:search|cancel|close|detach|validate)$/.test(part) ? '…' : part,
    );
  return `${method} ${parts.join('/')}`;
}
