import type { ApiAnswer } from '../support/api/api-client.ts';
import { payeeCode } from '../support/outside/payee-codes.ts';
import type { FaultFixture } from './fault-fixture.ts';
import type { ScenarioStep, WorkerState } from './table.ts';

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** Pauses of a client, or of this scenario, while everything fails. They add up to half an hour. */
const PAUSES_MS = [0, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000];
/** Pauses until everything has ended without faults: at most ten hours, and then two days to be sure. */
const CALM_MS = [0, 1_000, 30_000, 60_000, 300_000, 300_000, ...Array.from({ length: 36 }, () => 900_000)];
const TO_BE_SURE_MS = [DAY_MS, DAY_MS];
/** Two rounds of reconciliation. */
const LISTED_FOR_SURE_MS = 10 * 60_000;
const AWAY_MS = 3 * DAY_MS;

/** External id of the charge that several steps use. */
const FIRST = 'order-1';

interface Issued {
  readonly id: string;
  readonly txid: string;
}

type Step = (fixture: FaultFixture) => Promise<void>;

/** What a store and its payers do with a bank. Each step waits a while for its result and then ends without it. */
const STEPS: Readonly<Record<ScenarioStep, Step>> = {
  PAID: async (fixture) => {
    const first = await issue(fixture, 2_500, FIRST, 10 * DAY_S);
    if (first !== null) pay(fixture, first);
    await waitUntil(fixture, () => isPaid(fixture, first));
  },
  /** A second payer pays the same code. That payment must be returned. */
  PAID_TWICE: async (fixture) => {
    const first = await issuedBefore(fixture, FIRST);
    if (first !== null) pay(fixture, first, { whateverItsStatus: true });
    await waitUntil(fixture, async () => fixture.runs.open.length === 0);
  },
  ANOTHER_PAID: async (fixture) => {
    const second = await issue(fixture, 4_000, 'order-2', 10 * DAY_S);
    if (second !== null) pay(fixture, second);
    await waitUntil(fixture, () => isPaid(fixture, second));
  },
  REFUND: async (fixture) => {
    const first = await issuedBefore(fixture, FIRST);
    const body = { id: first?.id, amount: 1_000 };
    if (first !== null)
      await repeat(fixture, () => fixture.api.post('/v2/transparents/refund', body, key('refund-1')));
    await waitUntil(fixture, async () => fixture.runs.open.length === 0);
  },
  PAYOUT: async (fixture) => {
    await repeat(fixture, () =>
      fixture.api.post('/v2/payouts/create', { amount: 700, externalId: 'payout-1' }),
    );
    await waitUntil(fixture, async () => fixture.runs.open.length === 0);
  },
  /** Pays a supplier's BR Code, which has a txid. */
  PAYEE_CODE: async (fixture) => {
    const order = { amount: 700, externalId: 'supplier-1', pix: { type: 'BR_CODE', key: payeeCode() } };
    await repeat(fixture, () => fixture.api.post('/v2/pix/send', order));
    await waitUntil(fixture, async () => fixture.runs.open.length === 0);
  },
  /** Cancels a charge that was paid just before, so that it must stay paid. */
  PAID_BEFORE_CANCELLED: async (fixture) => {
    const raced = await issue(fixture, 1_300, 'order-5', 10 * DAY_S);
    if (raced === null) return;
    pay(fixture, raced);
    await repeat(fixture, () => fixture.api.post('/v2/transparents/cancel', { id: raced.id }));
  },
  UNPAID: async (fixture) => {
    const cancelled = await issue(fixture, 1_100, 'order-3', 10 * DAY_S);
    if (cancelled !== null)
      await repeat(fixture, () => fixture.api.post('/v2/transparents/cancel', { id: cancelled.id }));
    const late = await issue(fixture, 1_200, 'order-4', 600);
    await waitUntil(fixture, async () => late === null || (await statusOf(fixture, late)) !== 'PENDING');
  },
};

/** Plays the steps in order. In the state `AWAY` no worker runs for three days after the first step with a fault. */
export async function play(
  fixture: FaultFixture,
  workerState: WorkerState,
  steps: readonly ScenarioStep[],
): Promise<void> {
  let wasAway = workerState !== 'AWAY';
  for (const step of steps) {
    await STEPS[step](fixture);
    const isFailing = Object.keys(fixture.psp.faults.report().happened).length > 0;
    if (wasAway || !isFailing) continue;
    fixture.runs.isAway = true;
    await fixture.pass(60_000);
    await fixture.pass(AWAY_MS - 60_000);
    fixture.runs.isAway = false;
    wasAway = true;
  }
}

/** Stops all faults and lets time pass until everything has ended by itself. */
export async function calmDown(fixture: FaultFixture): Promise<void> {
  fixture.psp.faults.clear();
  fixture.mortality.end();
  settleHanging(fixture);
  const startedMs = fixture.now().getTime();
  for (const pauseMs of CALM_MS) {
    await fixture.pass(pauseMs);
    if (fixture.now().getTime() - startedMs > LISTED_FOR_SURE_MS && isAtRest(fixture)) break;
  }
  for (const pauseMs of TO_BE_SURE_MS) await fixture.pass(pauseMs);
}

/** Whether neither Recebe nor the bank has work left. */
function isAtRest({ runs, psp: { bank } }: FaultFixture): boolean {
  return runs.open.length === 0 && bank.state.agenda.length === 0;
}

/** Completes refunds that hang at the bank, as a person there would. */
function settleHanging({ psp: { bank } }: FaultFixture): void {
  for (const payment of Object.values(bank.state.payments))
    for (const refund of payment.refunds)
      if (refund.status === 'EM_PROCESSAMENTO') bank.settleRefund(payment, refund, 'DEVOLVIDO');
}

/** Repeats a request until its status is neither 429 nor 5xx. */
async function repeat(fixture: FaultFixture, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  let answer = await ask();
  for (const pauseMs of PAUSES_MS) {
    if (answer.status < 500 && answer.status !== 429) return answer;
    await fixture.pass(pauseMs);
    answer = await ask();
  }
  return answer;
}

async function issue(
  fixture: FaultFixture,
  amount: number,
  externalId: string,
  expiresIn: number,
): Promise<Issued | null> {
  const body = { method: 'PIX', data: { amount, externalId, expiresIn } };
  const { json } = await repeat(fixture, () =>
    fixture.api.post('/v2/transparents/create', body, key(externalId)),
  );
  const { id } = (json.data ?? {}) as { id?: string };
  return id === undefined ? null : issuedBefore(fixture, externalId);
}

/** @returns null if no charge was stored. */
async function issuedBefore({ database, storeId }: FaultFixture, externalId: string): Promise<Issued | null> {
  const [row] = await database.em
    .fork()
    .execute<Issued[]>(
      'select id, provider_reference as txid from charges where store_id = ? and external_id = ?',
      [storeId, externalId],
    );
  return row ?? null;
}

/** Pays a code. The payer's bank refuses it if it is closed. */
function pay({ psp }: FaultFixture, { txid }: Issued, options: { whateverItsStatus?: boolean } = {}): void {
  try {
    psp.bank.pay(txid, options);
  } catch {
    // The code is closed, so no payment was made.
  }
}

async function statusOf({ api }: FaultFixture, { id }: Issued): Promise<string> {
  const { json } = await api.get(`/v2/transparents/check?id=${id}`);
  return ((json.data ?? {}) as { status?: string }).status ?? '';
}

async function isPaid(fixture: FaultFixture, issued: Issued | null): Promise<boolean> {
  return issued === null || (await statusOf(fixture, issued)) === 'PAID';
}

async function waitUntil(fixture: FaultFixture, isDone: () => Promise<boolean>): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await fixture.pass(pauseMs);
    if (await isDone()) return;
  }
}

const key = (name: string) => ({ headers: { 'Idempotency-Key': name } });
