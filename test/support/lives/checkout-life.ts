import { randomUUID } from 'node:crypto';
import { Client, type Workflow, type WorkflowHandle, type WorkflowResultType } from '@temporalio/client';
import type { Config } from '../../../src/config.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../../../src/database/entities/checkout.ts';
import { type Coupon, CouponEntity } from '../../../src/database/entities/coupon.ts';
import { EventEntity } from '../../../src/database/entities/event.ts';
import { PaymentEntity } from '../../../src/database/entities/payment.ts';
import type { TypedCard } from '../../../src/domain/card.ts';
import type { CheckoutStatus } from '../../../src/domain/checkout.ts';
import type { CheckoutId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { acceptUpSell } from '../../../src/payments/accept-up-sell.ts';
import { type PaymentChoice, payCheckout } from '../../../src/payments/pay-checkout.ts';
import type { CheckoutDeps } from '../../../src/payments/payment-deps.ts';
import { PaymentRefusal, type PaymentRefusalReason } from '../../../src/payments/payment-refusal.ts';
import { CheckoutUpdates, checkoutStart } from '../../../src/temporal/checkout.ts';
import { chargeWorkflowId } from '../../../workflows/charge.contract.ts';
import type { charge as chargeWorkflow } from '../../../workflows/charge.ts';
import { checkoutWorkflowId } from '../../../workflows/checkout.contract.ts';
import type { checkout as checkoutWorkflow } from '../../../workflows/checkout.ts';
import { NO_STARTER } from '../api/no-starter.ts';
import { onlyInDevelopment } from '../outside/providers.ts';
import { chargesOf, insertCheckout } from '../rows/checkout-rows.ts';
import { SILENT_LOG } from '../servers/silent-temporal.ts';
import { chargeUpdates } from './charge-life.ts';
import { startAt } from './start-at.ts';
import type { WorkflowWorld } from './workflow-world.ts';

/** What a checkout lives for by default (contract section 5). */
const THIRTY_DAYS_MS = 30 * 24 * 60 * 60 * 1_000;

/** What the platform keeps of each method, so that events show whose fee they tell. */
const PLATFORM_FEE: Config['platformFee'] = {
  PIX: { fixedCents: 80, share: 0 },
  BOLETO: { fixedCents: 350, share: 0 },
  CARD: { fixedCents: 60, share: 350 },
};

/** A payer who says who they are, as a boleto wants it. */
export const MARIA = { name: 'Maria Souza', taxId: '529.982.247-25', email: null, cellphone: null };
const NOBODY = { name: null, taxId: null, email: null, cellphone: null };

/**
 * A card that is good for another year or two: time-skipping servers come to years that no constant would
 * reach.
 */
function cardAt(now: Date): TypedCard {
  const year = String(now.getUTCFullYear() + 1).slice(-2);
  return { number: '4242 4242 4242 4242', holderName: 'MARIA SOUZA', expiry: `12/${year}`, cvv: '123' };
}

type Changes = Partial<Checkout> & { readonly expiresInMs?: number };

/**
 * An open ONE_TIME checkout of R$ 100.00, made now, by every method. Nothing has started its workflow yet.
 */
export async function openCheckout(
  world: WorkflowWorld,
  { expiresInMs = THIRTY_DAYS_MS, ...changes }: Changes = {},
): Promise<Checkout> {
  const now = await world.now();
  return insertCheckout(world, {
    id: mintId<CheckoutId>('checkout', now),
    methods: ['PIX', 'CARD', 'BOLETO'],
    createdAt: now,
    updatedAt: now,
    installmentsCount: null,
    expiresAt: new Date(now.getTime() + expiresInMs),
    ...changes,
  });
}

/** A payment link of R$ 100.00. Nothing has started its workflow yet. */
export function openLink(world: WorkflowWorld, changes: Partial<Checkout> = {}): Promise<Checkout> {
  return openCheckout(world, { frequency: 'MULTIPLE_PAYMENTS', expiresAt: null, ...changes });
}

/** Starts the checkout's workflow as the service does: asleep until it expires. */
export async function startCheckoutAsleep(
  world: WorkflowWorld,
  checkout: Checkout,
): Promise<WorkflowHandle<typeof checkoutWorkflow>> {
  await startAt(world, checkoutStart(checkout, null));
  return checkoutWorkflowOf(world, checkout);
}

/** {@link openCheckout}, and its workflow asleep. */
export async function sleepingCheckout(world: WorkflowWorld, changes: Changes = {}) {
  const checkout = await openCheckout(world, changes);
  return { checkout, workflow: await startCheckoutAsleep(world, checkout) };
}

export function checkoutWorkflowOf(
  { client }: WorkflowWorld,
  { id }: Checkout,
): WorkflowHandle<typeof checkoutWorkflow> {
  return client.workflow.getHandle(checkoutWorkflowId(id));
}

export function chargeWorkflowOf(
  { client }: WorkflowWorld,
  { id }: Charge,
): WorkflowHandle<typeof chargeWorkflow> {
  return client.workflow.getHandle(chargeWorkflowId(id));
}

/**
 * The result of a run that needs no time to pass: unlike `result()` of its handle, this does not make time
 * jump.
 */
export function endOf<Run extends Workflow>(
  { environment }: WorkflowWorld,
  { workflowId }: WorkflowHandle<Run>,
): Promise<WorkflowResultType<Run>> {
  const client = new Client({ connection: environment.connection, identity: 'test' });
  return client.workflow.getHandle<Run>(workflowId).result();
}

/** What a payer chooses, and what of the service is not as usual meanwhile. */
type Choice = Partial<PaymentChoice> & { readonly deps?: Partial<CheckoutDeps> };

/**
 * A payer begins a payment on the page, as the service has it done: by PIX, anonymously and without a coupon
 * unless told otherwise. @throws PaymentRefusal
 */
export async function beginPayment(
  world: WorkflowWorld,
  { id }: Pick<Checkout, 'id'>,
  choices: Choice = {},
): Promise<Charge> {
  const { deps, ...choice } = choices;
  const now = await world.now();
  const starts: Promise<unknown>[] = [];
  const em = world.database.em.fork();
  const charge = await payCheckout(
    { ...paymentDeps(world, starts), ...deps },
    await em.findOneOrFail(CheckoutEntity, { id }),
    {
      submissionKey: randomUUID(),
      method: 'PIX',
      couponCode: null,
      installmentsCount: 1,
      card: cardAt(now),
      payer: choice.method === 'BOLETO' ? MARIA : NOBODY,
      ...choice,
    },
    { now, requestId: null },
  );
  await Promise.all(starts);
  return charge;
}

/** As {@link beginPayment}. @returns the charge, or why the payment was refused. */
export async function tryPayment(
  world: WorkflowWorld,
  checkout: Checkout,
  choices: Choice = {},
): Promise<Charge | PaymentRefusalReason> {
  try {
    return await beginPayment(world, checkout, choices);
  } catch (error) {
    if (error instanceof PaymentRefusal) return error.reason;
    throw error;
  }
}

/** The payer takes what the confirmation page of a paid charge offers. @throws PaymentRefusal */
export async function takeUpSell(world: WorkflowWorld, { id }: Charge): Promise<Charge> {
  const paid = await world.database.em.fork().findOneOrFail(ChargeEntity, { id });
  const starts: Promise<unknown>[] = [];
  const moment = { now: await world.now(), requestId: null };
  const charge = await acceptUpSell(paymentDeps(world, starts), paid, randomUUID(), moment);
  await Promise.all(starts);
  return charge;
}

/** @param starts gets every workflow's start that follows. */
function paymentDeps(world: WorkflowWorld, starts: Promise<unknown>[]): CheckoutDeps {
  return {
    config: { platformFee: PLATFORM_FEE, mail: null },
    database: world.database,
    temporal: world.client,
    providers: onlyInDevelopment(world.provider),
    starter: { startSoon: (start) => void starts.push(startAt(world, start)) },
    chargeUpdates: chargeUpdates(world),
    log: SILENT_LOG,
  };
}

/** The integrator cancels. @returns the checkout's status afterwards. */
export function cancelCheckout(
  { client, taskQueue }: WorkflowWorld,
  checkout: Checkout,
): Promise<CheckoutStatus> {
  return new CheckoutUpdates(client, taskQueue, NO_STARTER).cancel(checkout, null);
}

/**
 * All that Postgres holds of a checkout and its charges, oldest first, in a form that a test can compare at a
 * glance.
 */
export async function checkoutRecordOf({ database }: Pick<WorkflowWorld, 'database'>, { id }: Checkout) {
  const em = database.em.fork();
  const { status, paidAmountCents } = await em.findOneOrFail(CheckoutEntity, { id });
  const charges = await chargesOf({ database }, id);
  const ids = charges.map((charge) => charge.id);
  const payments = await em.find(
    PaymentEntity,
    { chargeId: { $in: ids } },
    { orderBy: { outcome: 'asc', id: 'asc' } },
  );
  const keys = ids.map((chargeId) => `checkout.completed/${chargeId}`);
  return {
    status,
    paidAmountCents,
    charges: charges.map((charge) => `${charge.method} ${charge.status}`),
    payments: payments.map(({ outcome, amountCents }) => `${outcome} ${amountCents}`),
    events: await em.count(EventEntity, { key: { $in: keys } }),
  };
}

/** How often a coupon was used, and how many uses are held for payments under way. */
export async function usesOf({ database }: Pick<WorkflowWorld, 'database'>, { id }: Coupon) {
  const { redeemsCount, reservedCount } = await database.em.fork().findOneOrFail(CouponEntity, { id });
  return { redeemsCount, reservedCount };
}
