import type { ApiAnswer } from '../support/api/api-client.ts';
import { payeeCode } from '../support/outside/payee-codes.ts';
import type { Scene } from './scene.ts';
import type { Chapter, Life } from './table.ts';

const DAY_MS = 86_400_000;
const DAY_S = 86_400;
/** How long a client, or this story, waits for something while everything fails: half an hour in ten looks. */
const PAUSES_MS = [0, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000];
/** In good weather, time until everything has ended by itself: at most ten hours, and then two days to be sure. */
const CALM_MS = [0, 1_000, 30_000, 60_000, 300_000, 300_000, ...Array.from({ length: 36 }, () => 900_000)];
const TO_BE_SURE_MS = [DAY_MS, DAY_MS];
/** Two rounds of reconciliation. */
const LISTED_FOR_SURE_MS = 10 * 60_000;
const AWAY_MS = 3 * DAY_MS;

/** The charge that several chapters are about, by its external id. */
const FIRST = 'order-1';

interface Issued {
  readonly id: string;
  readonly txid: string;
}

type Step = (scene: Scene) => Promise<void>;

/** What a store and its payers do with a bank. Each waits a while for what it has begun, and goes on without it if it fails. */
const STEPS: Readonly<Record<Chapter, Step>> = {
  PAID: async (scene) => {
    const first = await issue(scene, 2_500, FIRST, 10 * DAY_S);
    if (first !== null) pay(scene, first);
    await waitUntil(scene, () => isPaid(scene, first));
  },
  /** A second payer pays the same code: that money must go back. */
  PAID_TWICE: async (scene) => {
    const first = await issuedBefore(scene, FIRST);
    if (first !== null) pay(scene, first, { whateverItsStatus: true });
    await waitUntil(scene, async () => scene.runs.open.length === 0);
  },
  ANOTHER_PAID: async (scene) => {
    const second = await issue(scene, 4_000, 'order-2', 10 * DAY_S);
    if (second !== null) pay(scene, second);
    await waitUntil(scene, () => isPaid(scene, second));
  },
  REFUND: async (scene) => {
    const first = await issuedBefore(scene, FIRST);
    const body = { id: first?.id, amount: 1_000 };
    if (first !== null)
      await repeat(scene, () => scene.api.post('/v2/transparents/refund', body, key('refund-1')));
    await waitUntil(scene, async () => scene.runs.open.length === 0);
  },
  PAYOUT: async (scene) => {
    await repeat(scene, () => scene.api.post('/v2/payouts/create', { amount: 700, externalId: 'payout-1' }));
    await waitUntil(scene, async () => scene.runs.open.length === 0);
  },
  /** A supplier's BR Code is paid, which has a txid. */
  PAYEE_CODE: async (scene) => {
    const order = { amount: 700, externalId: 'supplier-1', pix: { type: 'BR_CODE', key: payeeCode() } };
    await repeat(scene, () => scene.api.post('/v2/pix/send', order));
    await waitUntil(scene, async () => scene.runs.open.length === 0);
  },
  /** Paid just before it is cancelled: it is not cancelled. */
  PAID_BEFORE_CANCELLED: async (scene) => {
    const raced = await issue(scene, 1_300, 'order-5', 10 * DAY_S);
    if (raced === null) return;
    pay(scene, raced);
    await repeat(scene, () => scene.api.post('/v2/transparents/cancel', { id: raced.id }));
  },
  UNPAID: async (scene) => {
    const cancelled = await issue(scene, 1_100, 'order-3', 10 * DAY_S);
    if (cancelled !== null)
      await repeat(scene, () => scene.api.post('/v2/transparents/cancel', { id: cancelled.id }));
    const late = await issue(scene, 1_200, 'order-4', 600);
    await waitUntil(scene, async () => late === null || (await statusOf(scene, late)) !== 'PENDING');
  },
};

/** One chapter after the other. In the life `AWAY` no worker runs for three days, from the end of the first that met a fault. */
export async function play(scene: Scene, life: Life, chapters: readonly Chapter[]): Promise<void> {
  let wasAway = life !== 'AWAY';
  for (const chapter of chapters) {
    await STEPS[chapter](scene);
    const isFailing = Object.keys(scene.psp.faults.report().happened).length > 0;
    if (wasAway || !isFailing) continue;
    scene.runs.isAway = true;
    await scene.pass(60_000);
    await scene.pass(AWAY_MS - 60_000);
    scene.runs.isAway = false;
    wasAway = true;
  }
}

/** The faults stop, and nobody dies any more: everything ends by itself. */
export async function calmDown(scene: Scene): Promise<void> {
  scene.psp.faults.clear();
  scene.mortality.end();
  settleHanging(scene);
  const startedMs = scene.now().getTime();
  for (const pauseMs of CALM_MS) {
    await scene.pass(pauseMs);
    if (scene.now().getTime() - startedMs > LISTED_FOR_SURE_MS && isAtRest(scene)) break;
  }
  for (const pauseMs of TO_BE_SURE_MS) await scene.pass(pauseMs);
}

/** Whether nobody has anything left to do that is known already. */
function isAtRest({ runs, psp: { bank } }: Scene): boolean {
  return runs.open.length === 0 && bank.state.agenda.length === 0;
}

/** A refund that hangs at the bank ends there, once somebody has looked at it. */
function settleHanging({ psp: { bank } }: Scene): void {
  for (const payment of Object.values(bank.state.payments))
    for (const refund of payment.refunds)
      if (refund.status === 'EM_PROCESSAMENTO') bank.settleRefund(payment, refund, 'DEVOLVIDO');
}

/** A client asks until it has an answer that is not about the service being out of reach. */
async function repeat(scene: Scene, ask: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
  let answer = await ask();
  for (const pauseMs of PAUSES_MS) {
    if (answer.status < 500 && answer.status !== 429) return answer;
    await scene.pass(pauseMs);
    answer = await ask();
  }
  return answer;
}

async function issue(
  scene: Scene,
  amount: number,
  externalId: string,
  expiresIn: number,
): Promise<Issued | null> {
  const body = { method: 'PIX', data: { amount, externalId, expiresIn } };
  const { json } = await repeat(scene, () =>
    scene.api.post('/v2/transparents/create', body, key(externalId)),
  );
  const { id } = (json.data ?? {}) as { id?: string };
  return id === undefined ? null : issuedBefore(scene, externalId);
}

/** @returns null where no charge has come of it. */
async function issuedBefore({ database, storeId }: Scene, externalId: string): Promise<Issued | null> {
  const [row] = await database.em
    .fork()
    .execute<Issued[]>(
      'select id, provider_reference as txid from charges where store_id = ? and external_id = ?',
      [storeId, externalId],
    );
  return row ?? null;
}

/** A payer's bank may refuse: the code is dead. */
function pay({ psp }: Scene, { txid }: Issued, options: { whateverItsStatus?: boolean } = {}): void {
  try {
    psp.bank.pay(txid, options);
  } catch {
    // Nobody has paid.
  }
}

async function statusOf({ api }: Scene, { id }: Issued): Promise<string> {
  const { json } = await api.get(`/v2/transparents/check?id=${id}`);
  return ((json.data ?? {}) as { status?: string }).status ?? '';
}

async function isPaid(scene: Scene, issued: Issued | null): Promise<boolean> {
  return issued === null || (await statusOf(scene, issued)) === 'PAID';
}

async function waitUntil(scene: Scene, isDone: () => Promise<boolean>): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    await scene.pass(pauseMs);
    if (await isDone()) return;
  }
}

const key = (name: string) => ({ headers: { 'Idempotency-Key': name } });
