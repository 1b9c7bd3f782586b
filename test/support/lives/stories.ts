import type { Charge } from '../../../src/database/entities/charge.ts';
import { addDays, saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import { askForPayout } from '../api/store-request.ts';
import { insertBoleto, insertPix, startAsleep } from '../rows/charges.ts';
import { chargesOf } from '../rows/checkout-rows.ts';
import { credit } from '../rows/credit.ts';
import { chargeUpdates, mustPay, notify, payUnnoticed } from './charge-life.ts';
import { beginPayment, sleepingCheckout } from './checkout-life.ts';
import { paidPix, requestRefund, startPayout } from './money-life.ts';
import { sleepUntil, subscribe } from './subscription-life.ts';
import type { WorkflowWorld } from './workflow-world.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What happens of itself, or is asked for, while something may be away. */
export interface Act {
  beginsAt(): Promise<Date>;
  /** Begins it. Whatever takes until the end is not waited for here. */
  begin(): Promise<unknown>;
  /** What the outside world does once everything is back: it was seen, or told, only then. */
  end?(): Promise<unknown>;
}

export interface Story {
  readonly name: string;
  /** What has happened before, in fair weather. */
  prepare(world: WorkflowWorld): Promise<Act>;
}

/** One thing of each kind that money does, up to where nothing is left to be done. */
export const STORIES: readonly Story[] = [
  { name: 'a cycle that is collected from a card', prepare: cycleByCard },
  { name: 'a cycle whose card is declined once', prepare: declinedCycle },
  { name: 'a cycle that is paid by PIX', prepare: cycleByPix },
  { name: 'a checkout that is paid by PIX', prepare: paidCheckout },
  { name: 'a PIX charge that is cancelled', prepare: cancelledCharge },
  { name: 'a boleto that is paid on its last day', prepare: boletoPaidLate },
  { name: 'a boleto that nobody pays', prepare: unpaidBoleto },
  { name: 'a payout', prepare: payout },
  { name: 'a refund', prepare: refund },
];

async function cycleByCard(world: WorkflowWorld): Promise<Act> {
  const { cycleEndsAt } = await subscribe(world, { maxRetry: 1 });
  return atInstant(world, cycleEndsAt);
}

async function declinedCycle(world: WorkflowWorld): Promise<Act> {
  const { cycleEndsAt } = await subscribe(world, { maxRetry: 2, retryEveryDays: 1 });
  world.provider.declineNext('insufficient_funds');
  return atInstant(world, cycleEndsAt);
}

/** The payer pays within the hour in which there is a code. */
async function cycleByPix(world: WorkflowWorld): Promise<Act> {
  const { cycleEndsAt, checkoutId } = await subscribe(world, { methods: ['PIX'], retryEveryDays: 7 });
  const openCode = async () =>
    (await chargesOf(world, checkoutId)).find(({ status, cycleId }) => status === 'PENDING' && cycleId);
  let paid: ReturnType<typeof payUnnoticed> | undefined;
  return {
    beginsAt: async () => cycleEndsAt,
    async begin() {
      await sleepUntil(world, new Date(cycleEndsAt.getTime() + HOUR_MS));
      const code = await openCode();
      if (code !== undefined) paid = await mustPay(world, code);
    },
    async end() {
      const code = await openCode();
      if (code === undefined) throw new Error('there is no code to pay yet');
      paid ??= await mustPay(world, code);
      await notify(world, paid);
    },
  };
}

async function paidCheckout(world: WorkflowWorld): Promise<Act> {
  const { checkout } = await sleepingCheckout(world);
  const charge = await beginPayment(world, checkout, { method: 'PIX' });
  const payment = await mustPay(world, charge);
  return toldAgain(world, () => notify(world, payment));
}

async function cancelledCharge(world: WorkflowWorld): Promise<Act> {
  const charge = await insertPix(world, { expiresInS: 30 * 24 * 3_600 });
  await startAsleep(world, charge);
  return toldAgain(world, () => chargeUpdates(world).cancel(charge, null));
}

async function boletoPaidLate(world: WorkflowWorld): Promise<Act> {
  const charge = await openBoleto(world);
  const payment = payUnnoticed(world, charge);
  return { ...atInstant(world, charge.closesAt), end: () => notify(world, payment) };
}

async function unpaidBoleto(world: WorkflowWorld): Promise<Act> {
  const charge = await openBoleto(world);
  return atInstant(world, charge.closesAt);
}

async function openBoleto(world: WorkflowWorld): Promise<Charge> {
  const dueDate = addDays(saoPauloDateOf(await world.now()), 3);
  const charge = await insertBoleto(world, { dueDate, interest: null, fine: null });
  await startAsleep(world, charge);
  return charge;
}

async function payout(world: WorkflowWorld): Promise<Act> {
  const { database, storeId } = world;
  await credit(database, { storeId, devMode: true }, 10_000);
  world.provider.answerTransfers({ outcome: 'PENDING' });
  const row = await askForPayout(world, 2_500);
  return now(world, () => startPayout(world, row));
}

async function refund(world: WorkflowWorld): Promise<Act> {
  const charge = await paidPix(world);
  const { id } = await requestRefund(world, charge);
  return toldAgain(world, () => chargeUpdates(world).refund(charge, id, null));
}

/** What happens of itself when this instant has come. */
function atInstant(world: WorkflowWorld, instant: Date): Act {
  const begin = () => sleepUntil(world, new Date(instant.getTime() + MINUTE_MS));
  return { beginsAt: async () => instant, begin };
}

/** What is asked for now. Its answer may never come: who asked looks again later. */
function now(world: WorkflowWorld, ask: () => Promise<unknown>): Act {
  return { beginsAt: () => world.now(), begin: async () => void ask().catch(() => undefined) };
}

/** As {@link now}, of what whoever asked, or the sweeper, tells again until it is answered. */
function toldAgain(world: WorkflowWorld, ask: () => Promise<unknown>): Act {
  return { ...now(world, ask), end: ask };
}
