import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import { DeliveryEntity } from '../../../src/database/entities/delivery.ts';
import { EventEntity } from '../../../src/database/entities/event.ts';
import { PaymentEntity } from '../../../src/database/entities/payment.ts';
import type { ChargeStatus } from '../../../src/domain/charge.ts';
import { Intake } from '../../../src/notifications/intake.ts';
import type { ProviderPayment } from '../../../src/providers/provider.ts';
import { ChargeUpdates } from '../../../src/temporal/charge.ts';
import { NO_STARTER } from '../api/no-starter.ts';
import type { WorkflowWorld } from './workflow-world.ts';

type Payer = Pick<WorkflowWorld, 'provider' | 'now'>;

/** Money for a charge in full, made now. @returns null where the provider refused it. */
export async function pay(
  world: Payer,
  charge: Charge,
  { amountCents = charge.amountCents } = {},
): Promise<ProviderPayment | null> {
  return world.provider.pay({ reference: charge.providerReference, amountCents, paidAt: await world.now() });
}

/** As {@link pay}, for when the payment must come off. */
export async function mustPay(
  world: Payer,
  charge: Charge,
  changes: { readonly amountCents?: number } = {},
): Promise<ProviderPayment> {
  const payment = await pay(world, charge, changes);
  if (payment === null) throw new Error('the provider refused the payment');
  return payment;
}

/**
 * Money that left its payer `beforeMs` before the charge closed: a provider that is asked when it closes does
 * not know of it yet, and tells of it later.
 */
export function payUnnoticed(
  { provider }: Pick<WorkflowWorld, 'provider'>,
  { providerReference, amountCents, closesAt }: Charge,
  beforeMs = 60_000,
): ProviderPayment {
  const payment = provider.payDespiteClosing({
    reference: providerReference,
    amountCents,
    paidAt: new Date(closesAt.getTime() - beforeMs),
  });
  provider.hideFromClosing(payment);
  return payment;
}

/** The provider tells of a payment. @returns the charge's status once that has been dealt with. */
export function notify(world: WorkflowWorld, payment: ProviderPayment): Promise<ChargeStatus | null> {
  const intake = new Intake(world.database, chargeUpdates(world));
  return intake.receivePayment({ provider: world.provider.name, ...payment }, null);
}

/** The integrator cancels. @returns the charge's status afterwards. */
export function cancel(world: WorkflowWorld, charge: Charge): Promise<ChargeStatus> {
  return chargeUpdates(world).cancel(charge, null);
}

/** What reaches charges from outside; starts that still wait are none of its concern here. */
export function chargeUpdates({ client, taskQueue }: WorkflowWorld): ChargeUpdates {
  return new ChargeUpdates(client, taskQueue, NO_STARTER);
}

/** All that Postgres holds of a charge, in a form that a test can compare at a glance. */
export async function recordOf({ database }: Pick<WorkflowWorld, 'database'>, { id }: Charge) {
  const em = database.em.fork();
  const { status, paidAmountCents } = await em.findOneOrFail(ChargeEntity, { id });
  const payments = await em.find(PaymentEntity, { chargeId: id }, { orderBy: { outcome: 'asc', id: 'asc' } });
  const events = await em.find(EventEntity, { key: { $like: `%/${id}` } });
  const deliveries = await em.count(DeliveryEntity, { eventId: { $in: events.map((event) => event.id) } });
  return {
    status,
    paidAmountCents,
    payments: payments.map(({ outcome, amountCents }) => `${outcome} ${amountCents}`),
    events: events.map((event) => event.name),
    deliveries,
  };
}
